package reduce_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/gramfuzz/gramfuzz/reduce"
)

// TestRecords: a record of a binary text goes as a whole, whatever the width and order of its length.
func TestRecords(t *testing.T) {
	png := func(b []byte, tag byte, data string) []byte {
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(data))), "TAG"...)
		return append(append(append(b, tag), data...), "\x01\x00\x02\x03"...)
	}
	little := func(b []byte, tag byte, data string) []byte {
		return append(binary.LittleEndian.AppendUint16(append(b, tag), uint16(len(data))), data...)
	}
	for name, record := range map[string]func([]byte, byte, string) []byte{"PNG": png, "16 bits": little} {
		head := []byte("\x89HEAD")
		text := head
		for _, r := range []struct {
			tag  byte
			data string
		}{{'a', "some"}, {'b', "more data"}, {'c', "the last bytes"}, {'d', "x"}} {
			text = record(text, r.tag, r.data)
		}
		want := record(head[:len(head):len(head)], 'c', "the last bytes")
		// whole reports whether a text has the header, only whole records, and the wanted one.
		whole := func(b []byte) bool {
			found := false
			for at := len(head); at < len(b); {
				size := 0
				for tag := byte('a'); tag <= 'd'; tag++ {
					for _, data := range []string{"some", "more data", "the last bytes", "x"} {
						if r := record(nil, tag, data); len(b)-at >= len(r) && string(b[at:at+len(r)]) == string(r) {
							size, found = len(r), found || tag == 'c'
						}
					}
				}
				if size == 0 {
					return false
				}
				at += size
			}
			return len(b) > len(head) && string(b[:len(head)]) == string(head) && found
		}
		if !whole(text) {
			t.Fatalf("%s: the input is not whole", name)
		}
		got, err := reduce.Run(t.Context(), reduce.Input{Text: text}, func(_ context.Context, b []byte) (bool, error) { return whole(b), nil }, reduce.Options{})
		if err != nil || string(got.Text) != string(want) {
			t.Errorf("%s: %q, %v; want %q", name, got.Text, err, want)
		}
	}
}
