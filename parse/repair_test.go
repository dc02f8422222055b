package parse_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

// TestWrongFields checks the messages about texts that are not sentences.
func TestWrongFields(t *testing.T) {
	_, p := fieldGrammar(t, `chunk = "PN" u16be @len(data) ( type data ) @part(body) u32be @crc32(body) "." ; type = "IHDR" | "tEXt" ; data = byte{0,40} ;`)
	for text, want := range map[string]string{
		"PN\x00\x02IHDRab\x00\x00\x00\x00.":     `f:1:11: unexpected "\x00\x00\x00\x00" as @crc32 at byte 10; expected "`,
		"PN\x00\x03IHDRab\xfd\x9e\x1d\x06.":     `f:1:3: unexpected "\x00\x03" as @len at byte 2; expected "\x00\x02"`,
		"PN\xff\xffIHDRab\xfd\x9e\x1d\x06.":     `f:1:3: unexpected "\xff\xff" as @len at byte 2; expected "\x00\x02"`,
		"PX\x00\x02IHDRab\xfd\x9e\x1d\x06.":     `f:1:1: unexpected "P" at byte 0; expected "PN"`,
		"PN\x00\x02IXDRab\xfd\x9e\x1d\x06.":     `f:1:5: unexpected "I" at byte 4; expected "IHDR"`,
		"PN\x00\x02IHDRab\xfd\x9e\x1d\x06.more": `f:1:16: unexpected "m" at byte 15; expected the end of the part or of the text`,
		"PN":                                    `f:1:1: unexpected "P" at byte 0; expected 13 bytes or more, from chunk on`,
		"":                                      `f:1:1: unexpected end of text at byte 0; expected`,
	} {
		_, err := p.Parse(context.Background(), "f", text)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: the message is\n%v, want\n%s", text, err, want)
		}
	}
}

// TestRepair corrects the fields of damaged texts.
func TestRepair(t *testing.T) {
	ctx := context.Background()
	_, p := fieldGrammar(t, `file = chunk+ ; chunk = u16be @len(data) ( type data ) @part(body) u32be @crc32(body) ; type = "IHDR" | "tEXt" ; data = byte{0,40} ;`)
	good := "\x00\x02IHDRab\xfe\xa9\x15\x11"
	fixed, err := p.Repair(ctx, "f", good)
	if err != nil {
		t.Fatal(err)
	}
	good = fixed.Text()
	if _, err := p.Parse(ctx, "f", good); err != nil {
		t.Errorf("a repaired text is no sentence: %v", err)
	}
	for _, bad := range []string{
		strings.Replace(good, "\x00\x02", "\x00\x03", 1),
		strings.Replace(good, "\x00\x02", "\xff\xff", 1),
		good[:len(good)-4] + "????",
	} {
		if tree, err := p.Repair(ctx, "f", bad); err != nil || tree.Text() != good {
			t.Errorf("%q is repaired to %v, %v", bad, tree, err)
		}
	}
	if _, err := p.Repair(ctx, "f", "\x00\x02IHXX"); err == nil {
		t.Error("a text that no fields make a sentence was repaired")
	}
}

// FuzzFields gives arbitrary texts to the parser and to Repair.
func FuzzFields(f *testing.F) {
	ctx := context.Background()
	_, p := fieldGrammar(f, `file = chunk* ; chunk = u64be @len(data) ( type data ) @part(body) u32be @crc32(body) ; type = "A" | "B" u16le @count(items) item{0,9} @part(items) | "C" ( varint @len(word) word dec @len(word) ) @pad(4, "_") | "F" zigzag @len(all) ( quic @len(all) vlq @len(word) word ) @part(all) | "E" ( ( [a-c]+ @part(abc) ) @deflate hex4 @inet(abc) ( "d"+ ) @lzw(8) ) | "D" ( key{0,3} @part(keys) "." ( u8 byte* @copy(key) u32le @offset(key, all) ) @each(keys) ) @part(all) ; key = [ab]+ ","? ; item = "x" | "y" u8 ; word = [0-9]* ; data = byte* ;`)
	f.Add("")
	f.Add("\x00\x00\x00\x00\x00\x00\x00\x00C\x02112_\x00\x00\x00\x00")
	f.Add("\x00\x00\x00\x00\x00\x00\x00\x12Da,b.?a,\x00\x00\x00\x00?b\x02\x00\x00\x00????")
	f.Add("\x00\x00\x00\x00\x00\x00\x00\x00F\x8c\x00\x40\x06\x80\x0201????")
	f.Add("\x80\x00\x00\x00\x00\x00\x00\x00Axx\x00\x00\x00\x00")
	f.Add("\x00\x00\x00\x00\x00\x00\x00\x01Axx\x00\x00\x00\x00")
	f.Add("\x00\x00\x00\x00\x00\x00\x00\x00B\xff\xffx\x00\x00\x00\x00")
	blind.Fuzz(f, func(t *testing.T, text string) {
		if len(text) > 60 {
			return
		}
		forest, valid := p.Parse(ctx, "f", text)
		if valid == nil {
			tree, err := forest.Tree(ctx)
			if err != nil || tree.Text() != text {
				t.Fatalf("the tree of %q has the text %q, %v", text, tree.Text(), err)
			}
		}
		tree, err := p.Repair(ctx, "f", text)
		if valid == nil && (err != nil || tree.Text() != text) {
			t.Fatalf("the sentence %q is repaired to %v, %v", text, tree, err)
		}
		if err != nil {
			return
		}
		if _, err := p.Parse(ctx, "f", tree.Text()); err != nil {
			t.Fatalf("%q is repaired to %q, which is no sentence: %v", text, tree.Text(), err)
		}
	})
}
