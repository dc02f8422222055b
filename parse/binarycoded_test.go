package parse_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/lzw"
	"compress/zlib"
	"context"
	"io"
	"math/big"
	"slices"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/field"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
)

// TestWrongInEncoded checks the messages about encoded parts.
func TestWrongInEncoded(t *testing.T) {
	_, p := fieldGrammar(t, `s = "[" ( "ab" dec @len(x) ":" ( "x"* @part(x) ) ) @blocks(4) "\x00]" ;`)
	for text, want := range map[string]string{
		"[\x04ab1:\x01y\x00]": `f:1:2: unexpected "y" at byte 4 of what the encoded part at byte 1 stands for; expected the end of the part or of the text`,
		"[\x04ab1:\x01x\x00)": `f:1:9: unexpected "\x00" at byte 8; expected "\x00]"`,
		"[\x04ab2:\x01x\x00]": `f:1:2: unexpected "\x04ab2:\x01x" as @blocks at byte 1; expected "\x04ab1:\x01x"`,
		"[\x04ab1:\x05x\x00]": `f:1:2: unexpected "\x04" at byte 1; expected the part at 1:11`,
	} {
		_, err := p.Parse(context.Background(), "f", text)
		if err == nil || err.Error() != want {
			t.Errorf("%q: the message is\n%v, want\n%s", text, err, want)
		}
	}
}

// TestCompressed numbers sentences with compressed parts by their uncompressed sizes and reads
// them back.
func TestCompressed(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		src  string
		read func(b []byte) (io.Reader, error)
	}{
		{`s = u8 @len(z) ( "a" [ab]{0,4} @part(x) u8 @sum(x) ) @deflate @part(z) "b"{0,2} ;`, func(b []byte) (io.Reader, error) { return flate.NewReader(bytes.NewReader(b[1 : 1+b[0]])), nil }},
		{`s = ( "a" [ab]{0,4} ) @zlib [cd]? ;`, func(b []byte) (io.Reader, error) { return zlib.NewReader(bytes.NewReader(b)) }},
		{`s = ( "a" [ab]{0,4} ) @gzip ;`, func(b []byte) (io.Reader, error) { return gzip.NewReader(bytes.NewReader(b)) }},
		{`s = ( "\x01" [\x00-\x02]{0,4} ) @lzw(2) ( "x"{1,3} ) @deflate @base64 "." ;`, func(b []byte) (io.Reader, error) { return lzw.NewReader(bytes.NewReader(b), lzw.LSB, 2), nil }},
		{`s = ( it @part(me) ){1,2} @part(items) ( ( "y" [xy] ) @deflate u32le @crc32(me) ) @each(items) u8 @len(items) ; it = ( [ab] @part(x) u8 @sum(x) ) @hex ;`, nil},
	} {
		g, p := fieldGrammar(t, c.src)
		const most = 14
		table, err := count.New(ctx, g, count.Sizes(0, most, grammar.Bytes), count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		facts := g.Facts(nil, grammar.Exact)
		l := &brute.Lister{Facts: facts, Limit: most, Unit: grammar.Bytes, Most: 1_000_000}
		all := l.List(g.Root, 50)
		if l.Overflow || len(all) < 4 || table.Total().Int64() != int64(len(all)) {
			t.Errorf("%s: %v derivations are counted, there are %d", c.src, table.Total(), len(all))
		}
		for i := 0; i < len(all); i += max(1, len(all)/200) {
			tree, err := table.Unrank(big.NewInt(int64(i)))
			if err != nil {
				t.Fatal(err)
			}
			text := tree.Text()
			if back, err := table.Rank(tree); err != nil || back.Int64() != int64(i) || derive.Size(tree, facts, grammar.Bytes) > most {
				t.Errorf("%s: the derivation of rank %d has rank %v, %v", c.src, i, back, err)
			}
			if c.read != nil {
				r, err := c.read([]byte(text))
				if err != nil {
					t.Fatalf("%s: %q: %v", c.src, text, err)
				}
				if plain, err := io.ReadAll(r); err != nil || len(plain) == 0 {
					t.Errorf("%s: %q stands for %q, %v", c.src, text, plain, err)
				}
			}
			f, err := p.Parse(ctx, "text", text)
			if err != nil {
				t.Errorf("%s: %v", c.src, err)
				continue
			}
			if other, err := f.Tree(ctx); err != nil || other.Text() != text || !slices.Equal(other.Choices(), tree.Choices()) {
				t.Errorf("%s: %q is read as another tree, %v", c.src, text, err)
			}
		}
	}
}

// TestForeignEncodings reads texts whose parts have another encoding than the sentences drawn.
// The encodings are kept until the tree is edited.
func TestForeignEncodings(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct{ src, text, own string }{
		{`s = ( "a"{0,9} ) @blocks(3) "\x00" ;`, "\x01a\x03aaa\x02aa\x00", "\x03aaa\x03aaa\x00"},
		{`s = u8 @len(b) ( [ab]{0,99} ) @blocks(255) @part(b) dec @len(b) ;`, "\x04\x01a\x01b4", "\x03\x02ab3"},
		{`s = ( [ab] @part(x) ){2} @part(xs) ( ( [cd]{2} ) @blocks(2) "\x00" ) @each(xs) ( "e"* ) @blocks(3) ;`,
			"ab\x01c\x01d\x00\x02dc\x00\x02ee\x01e", "ab\x02cd\x00\x02dc\x00\x03eee"},
		{`s = ( [a-z]{1,99} ) @deflate "." ;`, "\x01\x05\x00\xfa\xffhello.", string(field.Code{Name: "deflate"}.Append(nil, []byte("hello"))) + "."},
		{`s = u8 @count(xs) ( "x"{1,9} @part(xs) ) @hex ;`, "\x027878", "\x027878"},
		{`s = ( [J-O]{1,9} ) @hex ;`, "4A4b4C", "4a4b4c"},
		{`s = varint @len(b) b vlq @len(b) quic @len(b) zigzag @len(b) ; b = "a"* ;`, "\x82\x00aa\x80\x02\x80\x00\x00\x02\x84\x80\x00", "\x02aa\x02\x02\x04"},
		{`s = u8 @len(all) ( varint @len(all) "a"{0,9} ( ( "(" varint ")" ) @len(x) x ) @hex ) @part(all) u8 @sum(all) ; x = "b"{0,9} ;`,
			"\x0d\x8d\x00a2881002962\xf4", "\x0a\x0aa28012962\x09"},
		{`s = ( [ab]+ @part(x) ","? ){2} @part(xs) ( varint @len(x) ) @each(xs) ;`, "a,bb\x81\x00\x82\x80\x00", "a,bb\x01\x02"},
		{`s = ( "x" ( "a"* ) @blocks(2) "\x00" ) @blocks(200) "\x00" u8 @sum(s2) "q" @part(s2) ;`, "\x02x\x01\x03a\x01a\x01\x00\x00qq", "\x05x\x02aa\x00\x00qq"},
	} {
		g, p := fieldGrammar(t, c.src)
		f, err := p.Parse(ctx, "text", c.text)
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
			continue
		}
		tree, err := f.Tree(ctx)
		if err != nil || tree.Text() != c.text || tree.Clone().Text() != c.text {
			t.Errorf("%s: the text %q has a tree with the text %q, %v", c.src, c.text, tree.Text(), err)
		}
		again, err := derive.NewMachine(g, derive.Options{}).Run(ctx, derive.Strict(tree.Choices()))
		if err != nil || again.Text() != c.own {
			t.Errorf("%s: the choices of %q give %q, %v, want %q", c.src, c.text, again.Text(), err, c.own)
		}
		if own, err := p.Repair(ctx, "text", c.own); err != nil || own.Text() != c.own {
			t.Errorf("%s: %q is not a sentence: %v", c.src, c.own, err)
		}
	}
}
