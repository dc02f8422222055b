package load_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/load"
)

// TestFieldMessages checks the messages about impossible computed fields.
func TestFieldMessages(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`s = u8 @len(x) "a" ;`, `g.ebnf:1:8: rule "s" has no part "x"; write @part(x) behind an element, or name a rule that this rule refers to`},
		{`s = u8 @len(x) "a"* @part(x) ;`, `g.ebnf:1:8: the part at 1:16 may have any number of bytes, and u8 holds at most 255; bound its repetitions, as in byte{0,200}, or take a wider encoding`},
		{`s = u8 @len(x) "a"{0,300} @part(x) ;`, `g.ebnf:1:8: the part at 1:16 may have up to 300 bytes, and u8 holds at most 255; bound its repetitions, as in byte{0,200}, or take a wider encoding`},
		{`s = u8 @len(x) @plus(100) "a"{0,156} @part(x) ;`, `g.ebnf:1:8: the part at 1:27 may have up to 156 bytes, and u8 holds at most 155; bound its repetitions, as in byte{0,200}, or take a wider encoding`},
		{`s = u8 @count(x) "a" @part(x) ;`, `g.ebnf:1:8: @count is of a repetition, and the part at 1:18 is none; label the repetition itself, as in item* @part(items)`},
		{`s = u8 @len(x) ( "a" @part(x) | "b" ) ;`, `g.ebnf:1:8: the part "x" at 1:18 is not there exactly once for each field: it stands in an alternative or a repetition of its own; label the whole group around it with @part, or move the field into it`},
		{`s = u8 @len(x) x x ; x = "a" ;`, `g.ebnf:1:8: there are two parts "x", at 1:16 and 1:18; give one of them a name of its own with @part`},
		{`s = ( ( u8 @sum(b) "a" ) @part(a) ( u8 @sum(a) "b" ) @part(b) ) ;`, `g.ebnf:1:12: the fields depend on each other: @sum at 1:12, which needs @sum at 1:40, which needs @sum at 1:12; leave one of them out of the part of the other`},
		{`s = ( u8 @sum(a){2} ) @part(a) ;`, `g.ebnf:1:10: the field is in its own part several times: there is a repetition between it and the part at 1:7; let it stand outside of the repetition, or of the part`},
		{`s = "x" @len(a) "a" @part(a) ;`, `g.ebnf:1:5: this is not an encoding of a computed field; take u8, u16be, u32le, dec5, hex8, oct11 or byte{16}, perhaps with literals around it, as in ( oct6 "\x00 " ) @sum(head)`},
		{`s = u8 @len(a) "a" @part(a) ; u8 = "b" ;`, `g.ebnf:1:5: this is not an encoding of a computed field; the grammar has a rule "u8" of its own; rename it`},
		{`s = u8 @crc("CRC-32/X", a) "a" @part(a) ;`, `g.ebnf:1:8: unknown CRC "CRC-32/X"; did you mean "CRC-32/MEF"?`},
		{`s = u16be @crc32(a) "a" @part(a) ;`, `g.ebnf:1:11: @crc32 is up to 4294967295, and u16be holds at most 65535; take a wider encoding`},
		{`s = u32be @md5(a) "a" @part(a) ;`, `g.ebnf:1:11: @md5 has 16 bytes, which u32be does not hold; take byte{16} or hex32`},
		{`s = byte{2} @copy(a) "a"{1,2} @part(a) ;`, `g.ebnf:1:13: the part has 1 to 2 bytes, and its copy 2; copy a part of fixed length into byte{n} with as many bytes, and one of any length into byte*`},
		{`s = u8 @len(a) "a" @part(a) T ; @token T = "t" ;`, `g.ebnf:1:40: rule "s" has bytes or computed fields, and rule "T" is for a lexer; a grammar has either fields and bytes, or tokens and layout; leave @token, @skip and @fragment out`},
		{`s = u8 @len(a) @use(n) "a" @part(a) ;`, `g.ebnf:1:16: @use does not go with @len; leave one of them out`},
		{`s = u8 @len "a" ;`, `g.ebnf:1:8: @len has 0 arguments; name the part that it is about, as in @len(data)`},
		{`s = u8 @len(a) @sum(a) "a" @part(a) ;`, `g.ebnf:1:16: the element is computed already, by @len; write one of the two`},
		{`s = u16be @sum(a) @filler("abc") "a" @part(a) ;`, `g.ebnf:1:19: the filler has 3 bytes, and the field 2; give one byte, or as many as the field has`},
		{`s = "a" @plus(2) byte ;`, `g.ebnf:1:9: @plus is for computed fields; write it behind @len and the like`},
		{`s = [\x80-€] @bytes ;`, `g.ebnf:1:5: the class has U+20AC, which is not a byte; bytes are \x00 to \xff`},
		{`s = u8 @range(3, 2) ;`, `g.ebnf:1:8: the range 3 to 2 is empty; write the least one first`},
		{`s = u16be @range(1, 65536) ;`, `g.ebnf:1:11: u16be does not hold 65536; take a wider encoding`},
		{`s = u16be @range(-1..5) ;`, `g.ebnf:1:11: u16be does not hold -1; take a wider encoding`},
		{`s = u16be @range(5) ;`, `g.ebnf:1:11: @range takes two whole numbers; write it as in u8 @range(1, 31) or u16be @range(1..65535)`},
		{`s = "a" @range(1, 2) ;`, `g.ebnf:1:9: @range is for encodings; write it as in u8 @range(1, 31) or u16be @range(1..65535)`},
		{`s = u16be @crc("width=16 poly=0x8005 check=1", a) "a" @part(a) ;`, `g.ebnf:1:11: the CRC with these parameters has check=0xfee8, not 0x1; write them as the catalogue does: width=16 poly=0x1021 init=0x0000 refin=false refout=false xorout=0x0000`},
		{`s = u8 @lem(a) "a" @part(a) ;`, `g.ebnf:1:8: unknown annotation @lem; did you mean @len?`},
		{`@int(k) s = "a" ;`, `g.ebnf:1:1: @int of rule "s" is not a name with its numbers; write it as in @int(k, 1..5) or @int(kind, 0, 2, 4..6), each name once`},
		{`@int(k, 5..1) s = "a" ;`, `g.ebnf:1:1: @int of rule "s" is not a name with its numbers; write it as in @int(k, 1..5) or @int(kind, 0, 2, 4..6), each name once`},
		{`s = "a" @times(k) ;`, `g.ebnf:1:9: @times: the rule has no number k; write it as in field @times(k-1) or field @times(0, k)`},
		{`s = "a" @times(2, 1) ;`, `g.ebnf:1:9: @times: 2 to 1 is not a number of elements; write it as in field @times(k-1) or field @times(0, k)`},
		{`s = "a" @times("4/(2-2)") ;`, `g.ebnf:1:9: @times: a division by 0; write it as in field @times(k-1) or field @times(0, k)`},
		{`s = "a" @times("1<<40") ;`, `g.ebnf:1:9: @times: << is not allowed here; write it as in field @times(k-1) or field @times(0, k)`},
		{`s = "a" @times("99999*99999*99999") ;`, `g.ebnf:1:9: @times: 99999 * 99999 is too large; write it as in field @times(k-1) or field @times(0, k)`},
		{`s = r @with(7) ; @int(k, 1..5) r = "x" @times(k) ;`, `g.ebnf:1:7: rule "r" has no k = 7; give a number that its @int has, or add this one there`},
		{`s = r @with(7) ; r = "x" ;`, `g.ebnf:1:7: @with(7) stands behind no rule with as many numbers; write @int(k, 1..5) before the rule, and row @with(k) where it is used`},
		{`@int(k, 0..9) s = ( "a" | "b" ) @switch(k, 1, 2) ;`, `g.ebnf:1:33: @switch has no case for 0; write it as in ( text | image | other ) @switch(kind, 1, 2..4, else), a case for each alternative`},
		{`@int(k, 0..9) s = ( "a" | "b" ) @switch(k, 1) ;`, `g.ebnf:1:33: @switch has 1 cases, and stands behind 2 alternatives; write it as in ( text | image | other ) @switch(kind, 1, 2..4, else), a case for each alternative`},
		{`@int(j, 0..9999) @int(k, 0..9999) s = "a" ;`, `g.ebnf:1:39: the numbers of rules make more than 1000000 expressions; give @int fewer numbers`},
		{`s = t @with(0) ; @int(k, 0..9999) t = t @with(k) u @with(k) ; @int(k, 0..9999) u = t @with("(k+1)%10000") "a" ;`, `g.ebnf:1:35: the numbers of rules make more than 10000 rules; give @int fewer numbers`},
		{`s = u8 @value(256) ;`, `g.ebnf:1:8: u8 does not hold 256; take a wider encoding`},
		{`s = "a" @value(1) ;`, `g.ebnf:1:9: @value is for encodings; write it as in u16be @value(4*k) or dec3 @value(7)`},
		{`s = bits3 "a" ;`, `g.ebnf:1:5: the fields from here on have 3 bits together, and end within a byte; let fields of bits that stand side by side have 8, 16, 24, … bits together`},
		{`s = bits4 @range(3, 20) bits4 ;`, `g.ebnf:1:11: a field of 4 bits has numbers from 0 to 15; write it as in bits4 @range(5, 15) or bits4 @value(4)`},
		{`s = bits12 @range(3, 20) bits4 ;`, `g.ebnf:1:5: the field of 12 bits has a range, and lies in several bytes; leave the range out, give one number with @value, or let the field begin and end in one byte`},
		{`s = bits4 @part(x) bits4 ;`, `g.ebnf:1:11: @part does not go with a field of bits; write it as in bits4 @range(5, 15) or bits4 @value(4); label the group of all fields of a byte with @part`},
		{`s = u8 @len(x) @before("a") "b" @part(x) ;`, `g.ebnf:1:8: @before does not go with @len; it is for checksums, as in u16be @inet(addresses, data) @before("\x00\x11")`},
		{`s = "a"* @pad(1) ;`, `g.ebnf:1:10: @pad takes a number from 2 to 4096, and perhaps a byte; write it as in data @pad(512) or name @pad(4, " ")`},
		{`s = u8 @len(a) @pad(4) "a" @part(a) ;`, `g.ebnf:1:16: @pad does not go with @len; leave one of them out`},
		{`s = dec @count(a) "a"* @part(a) ;`, `g.ebnf:1:9: dec has a variable width, which lengths alone may have; take an encoding of fixed width, as u16be or dec5`},
		{`s = varint @len(a, b) "a" @part(a) "b" @part(b) ;`, `g.ebnf:1:12: a length of variable width is of one part; label the group of all of them with @part`},
		{`s = ( dec @len(a) ){2} "a" @part(a) ;`, `g.ebnf:1:11: the field has a variable width, and is not there exactly once for the part at 1:24; move it out of the repetition or the alternative, or take a fixed width`},
		{`s = byte* @crc32(a) "a" @part(a) ;`, `g.ebnf:1:11: byte* is for copies, not for @crc32; take byte{n} with as many bytes as the checksum has, or an encoding of numbers`},
		{`s = ( byte* @copy(a) "." ){2} "a" @part(a) ;`, `g.ebnf:1:13: the field has a variable width, and is not there exactly once for the part at 1:31; move it out of the repetition or the alternative, or take a fixed width`},
		{`s = "a"* @deflate ;`, `g.ebnf:1:10: the compressed part may be empty; let it have a byte or more`},
		{`s = "a"+ @zlib(9) ;`, `g.ebnf:1:10: @zlib takes nothing in parentheses; write it as in data @zlib`},
		{`s = "ab\x04" @lzw(2) ;`, `g.ebnf:1:14: the part may have the byte 0x62, and @lzw(2) has those below 0x04; take @lzw(8), or classes of smaller bytes`},
		{`s = byte+ @lzw(1) ;`, `g.ebnf:1:11: @lzw takes a number from 2 to 8; write it as in data @lzw(8)`},
		{`s = "a"* @blocks(256) ;`, `g.ebnf:1:10: @blocks takes a number from 1 to 255; write it as in data @blocks(255)`},
		{`s = a ( "b" u8 @sum(a) ) @blocks(9) ; a = "a" ;`, `g.ebnf:1:16: the field stands in the encoded part at 1:9, and what it is computed from does not; move it out of the encoded part`},
		{`s = ( u8 @sum(a) "b" ) @blocks(9) @part(a) ;`, `g.ebnf:1:10: the field stands in the encoded part at 1:7, and what it is computed from does not; move it out of the encoded part`},
		{`s = ( "b" a ) @blocks(9) u32le @offset(a) ; a = "a" ;`, `g.ebnf:1:32: the offset is of a part within the encoded part at 1:7, and is not counted from within it; count it from a part in there, as in @offset(there, base)`},
		{`s = ( "b" a ) @blocks(9) dec @len(a) ; a = "a" ;`, `g.ebnf:1:30: the field has a variable width, and stands outside of the part at 1:7, whose own size is asked for, and which has the part that it is of; move it into that part, or take a fixed width`},
		{`s = a* @part(as) "x" @each ; a = "a" ;`, `g.ebnf:1:22: @each has 0 arguments; name the list, as in record @each(items)`},
		{`s = a* @part(as) "x" @each(bs) ; a = "a" ;`, `g.ebnf:1:22: rule "s" has no part "bs"; write @part(bs) behind an element, or name a rule that this rule refers to`},
		{`s = a "x" @each(a) ; a = "a" ;`, `g.ebnf:1:11: @each is of a repetition, and the part at 1:5 is none; label the repetition itself, as in item* @part(items)`},
		{`s = "x" @each(as) a* @part(as) ; a = "a" ;`, `g.ebnf:1:9: the list at 1:19 does not stand before this one, in one sequence with it; let the two follow each other, with no repetition or alternative around one of them alone`},
		{`s = a* @part(as) ( "x" @each(as) | "y" ) ; a = "a" ;`, `g.ebnf:1:24: the list at 1:5 does not stand before this one, in one sequence with it; let the two follow each other, with no repetition or alternative around one of them alone`},
		{`s = a* @part(as) "x" @each(as) ; a = "a"? ;`, `g.ebnf:1:5: the list has another one parallel to it, and its elements may be empty; let each element have a byte or more`},
		{`s = ( a* @part(as) ) @pad(4) "x" @each(as) ; a = "a" ;`, `g.ebnf:1:7: the part is filled up or has a length of variable width, and has one of the parallel lists at 1:7 and 1:30 alone; let it have both, or take a fixed width`},
		{`s = a* @part(as) dec @len(xs) ( "x" @each(as) ) @part(xs) ; a = "a" ;`, `g.ebnf:1:33: the part is filled up or has a length of variable width, and has one of the parallel lists at 1:5 and 1:33 alone; let it have both, or take a fixed width`},
		{`s = a* @part(as) u8 @len(xs) ( "x"{1,9} @each(as) ) @part(xs) ; a = "a" ;`, `g.ebnf:1:21: the part at 1:32 may have any number of bytes, and u8 holds at most 255; bound its repetitions, as in byte{0,200}, or take a wider encoding`},
		{`s = dec @len(a) @plus(-1) "a"* @part(a) ;`, `g.ebnf:1:9: the length may be less than 0; take another number for @plus`},
		{`s = dec @len(a) ( "a"* @part(a) ) @pad(4) ;`, `g.ebnf:1:9: the field has a variable width, and stands outside of the part at 1:19, whose own size is asked for, and which has the part that it is of; move it into that part, or take a fixed width`},
		{`s = ( dec @len(a) "b" ) @pad(4) "a"* @part(a) ;`, `g.ebnf:1:11: the field has a variable width, and stands in the part at 1:7, whose own size is asked for, without the part that it is of; move it out of that part, or take a fixed width`},
		{`s = dec @len(b) ( varint @len(a) "b" ) @part(b) "a"* @part(a) ;`, `g.ebnf:1:26: the field has a variable width, and stands in the part at 1:19, whose own size is asked for, without the part that it is of; move it out of that part, or take a fixed width`},
		{`s = ( dec @len(a) varint @len(a) ) @part(a) ;`, `g.ebnf:1:26: there are two lengths of variable width in the part that they are of; give one of them a fixed width`},
	} {
		_, ds, err := load.Source("g.ebnf", []byte(c.src), load.Options{})
		if err == nil {
			t.Errorf("%s is taken", c.src)
			continue
		}
		if got := "g.ebnf:" + strings.ReplaceAll(ds[0].String(), "g.ebnf:", ""); got != c.want {
			t.Errorf("%s\n%s", c.src, cmp.Diff(c.want, got))
		}
	}
}

// TestFieldsArePrinted: fields and classes of bytes are printed in a form that reads back.
func TestFieldsArePrinted(t *testing.T) {
	const src = `file = chunk+ ;
chunk = u32be @len(data) ( type data ) @part(body) u32be @crc32(body) ;
type = "IHDR" | "tEXt" ;
data = byte{0,40} | u16le u8 @range(1, 31) [^\x00-\x7f] @bytes [\x80-\x8f] @bytes* ;
head = ( "<" oct6 "\x00 " ) @sum(head2) @filler(" ") u8 @count(items) @plus(-1) @not u32be @offset(head2)
  ( HEX8 @crc("CRC-32/MEF", head2) byte{16} @md5(head2, items) byte{2} @copy(head2) "ab" @part(head2) ) item{0,9} @part(items) ;
item = i16be @len(item2) i8 ( "x" @part(item2) ) ( ( dec ":" ) @len(pads) "p"* @part(pads) ) @pad(4, "_") @part(more) @pad(8) ;
`
	g, ds, err := load.Source("g.ebnf", []byte(strings.Replace(src, "file = ", "file = head? ", 1)), load.Options{})
	if err != nil {
		t.Fatal(ds)
	}
	if !g.Binary {
		t.Error("the grammar is not binary")
	}
	text := load.Native(g)
	again, ds, err := load.Source("g.ebnf", []byte(text), load.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", ds, text)
	}
	if d := cmp.Diff(text, load.Native(again)); d != "" {
		t.Error(d)
	}
	for _, want := range []string{`u32be @len(data)`, `("<" oct6 "\x00 ") @sum(head2) @filler(" ")`, `i16be @len(item2)`, `HEX8 @crc("CRC-32/MEF", head2)`, `byte{16} @md5(head2, items)`, "byte{0,40}", `[\x80-\xff] @bytes [`, `[\x80-\x8f] @bytes*`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
}

// TestNumbersMakeRules shows the rules generated for numbers, as they are printed.
func TestNumbersMakeRules(t *testing.T) {
	g, ds, err := load.Source("g.ebnf", []byte(`s = head table @with(2) table ; @int(k, 2..3) table = row @with(k)* ; @int(k, 1..3) row = "x" @times(k) ; head = "h" ;`), load.Options{})
	if err != nil {
		t.Fatal(ds)
	}
	want := `s = head <table(2)> table ;
table = <k=2>: <row(2)>* | <k=3>: <row(3)>* ;
<table(2)> = <row(2)>* ;
<row(2)> = "x"{2} ;
<row(3)> = "x"{3} ;
head = "h" ;
`
	if d := cmp.Diff(want, load.Native(g)); d != "" {
		t.Error(d)
	}
}
