package rawbyte

import "testing"

func TestEveryByteIsRead(t *testing.T) {
	for b := range 256 {
		text := Append(nil, Of(byte(b)))
		if len(text) != 1 || text[0] != byte(b) || Len(Of(byte(b))) != 1 {
			t.Fatalf("byte %#x is written as %x", b, text)
		}
		if r, size := Decode(string(text), true); r != Of(byte(b)) || size != 1 {
			t.Errorf("byte %#x is read as %#x of %d bytes", b, r, size)
		}
	}
	for _, r := range []rune{'a', 'ÿ', '€', '😀'} {
		if got, size := Decode(string(Append(nil, r))+"x", false); got != r || size != Len(r) {
			t.Errorf("%q is read as %#x of %d bytes", r, got, size)
		}
	}
	if r, _ := Decode("\xff", false); r != -1 {
		t.Errorf("a stray byte is read as the character %#x", r)
	}
	if r, size := Decode("", true); r != -1 || size != 0 {
		t.Errorf("the end of a text is read as %#x of %d bytes", r, size)
	}
}
