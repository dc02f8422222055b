package parse_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/field"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

// fieldGrammars are small grammars with computed fields. Each has a function that decides
// whether a text over its alphabet is a sentence, independently of the grammar.
var fieldGrammars = []struct {
	name, src, alphabet string
	is                  func(s string) bool
}{
	{"length before", `s = u8 @len(body) body ; body = "a"{0,4} ;`, "a\x00\x01\x02\x03", func(s string) bool {
		return s != "" && int(s[0]) == len(s)-1 && strings.Trim(s[1:], "a") == ""
	}},
	{"length behind", `s = body u8 @len(body) ; body = "a"{0,4} ;`, "a\x00\x01\x02\x03", func(s string) bool {
		return s != "" && int(s[len(s)-1]) == len(s)-1 && strings.Trim(s[:len(s)-1], "a") == ""
	}},
	{"length of itself", `s = ( u8 @len(all) "a"{0,4} ) @part(all) ;`, "a\x00\x01\x02\x03", func(s string) bool {
		return s != "" && int(s[0]) == len(s) && strings.Trim(s[1:], "a") == ""
	}},
	{"two lengths", `s = u8 @len(x) x u8 @len(y) y ; x = [ab]{0,2} ; y = [ab]{0,5} ;`, "ab\x00\x01\x02", nil},
	{"digits", `s = dec2 @len(body) body ; body = [01]{0,9} ;`, "01234", func(s string) bool {
		if len(s) < 2 {
			return false
		}
		n, err := strconv.Atoi(s[:2])
		return err == nil && n == len(s)-2 && strings.Trim(s[2:], "01") == ""
	}},
	{"hexadecimal digits", `s = HEX1 @len(body) body ; body = [AB]{0,12} ;`, "AB012", nil},
	{"octal digits and a blank", `s = ( oct1 " " ) @len(body) body ; body = [01]{0,7} ;`, "01234 ", nil},
	{"count", `s = u8 @count(items) ( item{0,6} @part(items) ) "." ; item = "a" | "bb" ;`, "ab.\x00\x01\x02", nil},
	{"count behind", `s = item{0,9} @part(items) u16le @count(items) ; item = "a" | "bb" ;`, "ab\x00\x01\x02", nil},
	{"count of what may be empty", `s = u8 @count(items) ( item{0,3} @part(items) ) ; item = "a"? ;`, "a\x00\x01\x02\x03", nil},
	{"sum", `s = [\x01\x02] "\x03"* @part(x) u8 @sum(x) ;`, "\x01\x02\x03\x06", func(s string) bool {
		return len(s) >= 2 && (s[0] == 1 || s[0] == 2) && strings.Trim(s[1:len(s)-1], "\x03") == "" && s[len(s)-1] == byte(3*(len(s)-2))
	}},
	{"sum of itself", `s = ( "\x01"* u8 @sum(all) @filler("\x02") ) @part(all) ;`, "\x01\x02\x03\x04", func(s string) bool {
		return s != "" && strings.Trim(s[:len(s)-1], "\x01") == "" && int(s[len(s)-1]) == len(s)-1+2
	}},
	{"sums of parts that a field may belong to", `s = c{1,2} ; c = "x"* @part(p) dec1 @sum(p) ;`, "x0", nil},
	{"counts behind parts", `s = c{0,3} ; c = ( ( [a1]{0,3} ) @part(p) ) dec1 @len(p) ;`, "a012", nil},
	{"copies of neighbours", `s = c+ ; c = ( [ab]{1,2} @part(p) ) byte* @copy(p) ( "a"* @part(q) ) u8 @sum(q) ;`, "ab\x00", nil},
	{"sum of two parts", `s = "a"* @part(x) "b" "c"* @part(y) u8 @sum(x, y) ;`, "abc", nil},
	{"crc", `s = [ab]{1,3} @part(x) hex8 @crc32(x) ;`, "", nil},
	{"copy", `s = x "-" byte{2} @copy(x) ; x = [ab]{2} ;`, "ab-", func(s string) bool {
		return len(s) == 5 && strings.Trim(s[:2], "ab") == "" && s[2] == '-' && s[3:] == s[:2]
	}},
	{"offset", `s = ( u8 @offset(there, all) "a"{0,3} "b" @part(there) ) @part(all) ;`, "ab\x01\x02\x03", func(s string) bool {
		return len(s) >= 2 && int(s[0]) == len(s)-1 && s[1:] == strings.Repeat("a", len(s)-2)+"b"
	}},
	{"complement", `s = u8 @len(b) u8 @len(b) @not b ; b = "a"{0,2} ;`, "a\x00\x01\x02\xff\xfe\xfd", nil},
	{"more than the length", `s = u8 @len(b) @plus(2) b ; b = "a"{0,2} ;`, "a\x02\x03\x04", func(s string) bool {
		return s != "" && int(s[0]) == len(s)+1 && strings.Trim(s[1:], "a") == ""
	}},
	{"records", `s = r* ; r = u8 @len(d) d u8 @sum(d) ; d = [\x01\x02]{0,2} ;`, "\x00\x01\x02\x03\x04", nil},
	{"nested", `s = u32be @len(in) in ; in = "a" | s | in2 ; in2 = u8 @sum(x) ( "x" | "y" ) @part(x) ")" ;`, "", nil},
	{"bytes", `s = byte u8 @range(1,2) [\x80-\x81] @bytes ;`, "", func(s string) bool {
		return len(s) == 3 && (s[1] == 1 || s[1] == 2) && (s[2] == 0x80 || s[2] == 0x81)
	}},
	{"bits", `s = bits2 @value(1) bits3 @range(0, 2) bits3 @value(1) bits12 @value(769) bits4 @range(2, 3) "a"{0,2} ;`, "", func(s string) bool {
		return len(s) >= 3 && s[0]&0xc7 == 0x41 && s[0]>>3&7 < 3 && s[1] == 0x30 && s[2]&0xfe == 0x12 && strings.Trim(s[3:], "a") == ""
	}},
	{"numbers", `@int(k, 0..3) s = u8 @value(k) row @with(k) ( "." row @with(k) ){0,3} ; @int(k, 0..3) row = [ab] @times(k) ;`, "ab.\x00\x01\x02", func(s string) bool {
		if s == "" || s[0] > 3 || strings.Trim(s[1:], "ab.") != "" {
			return false
		}
		rows := strings.Split(s[1:], ".")
		for _, r := range rows {
			if len(r) != int(s[0]) {
				return false
			}
		}
		return len(rows) <= 4
	}},
	{"switch", `@int(kind, 0..2, 5) s = u8 @value(kind) u8 @len(body) ( ( "a"{0,3} | "b" | "c"{2} ) @switch(kind, 0, 1..2, else) ) @part(body) ;`, "abc\x00\x01\x02\x05", func(s string) bool {
		if len(s) < 2 || int(s[1]) != len(s)-2 {
			return false
		}
		switch s[0] {
		case 0:
			return len(s) <= 5 && strings.Trim(s[2:], "a") == ""
		case 1, 2:
			return s[2:] == "b"
		}
		return s[0] == 5 && s[2:] == "cc"
	}},
	{"numbers that fall", `s = t @with(2) byte @times(0, 1) ; @int(n, 0..2) t = ( "x" | "<" t @with(n-1) u8 @sum(r) r ">" ) @switch(n, 0, else) ; r = [\x01\x02]{0,1} ;`, "", nil},
	{"two numbers", `@int(w, 1..2) @int(h, 0, 2) s = u8 @value(w) u8 @value(h*10) row @with(w) @times(h) ; @int(w, 1..2) row = [ab] @times(w) ;`, "ab\x01\x02\x14\x00", func(s string) bool {
		return len(s) >= 2 && (s[0] == 1 || s[0] == 2) && (s[1] == 0 || s[1] == 20) && len(s) == 2+int(s[0])*int(s[1])/10 && strings.Trim(s[2:], "ab") == ""
	}},
	{"padding", `s = ( "a"{0,5} | "b" ) @pad(3, ".") "c"{0,2} ;`, "abc.", func(s string) bool {
		if len(s)-len(strings.TrimRight(s, "c")) > 2 {
			return false
		}
		s = strings.TrimRight(s, "c")
		body := strings.TrimRight(s, ".")
		return len(s)%3 == 0 && len(s)-len(body) < 3 && (body == "b" || len(body) <= 5 && strings.Trim(body, "a") == "")
	}},
	{"padding in records", `s = r* ; r = u8 @len(d) ( [ab]{0,5} @part(d) ) @pad(4) u8 @sum(d) ;`, "", nil},
	{"padding in padding", `s = ( "x" ( "a"{0,3} ) @pad(2, "-") u8 @len(all) ) @part(all) @pad(3, "=") "y" ;`, "xa-=y\x02\x04\x06", func(s string) bool {
		for n := range 4 {
			in := "x" + strings.Repeat("a", n) + strings.Repeat("-", n%2)
			in += string(rune(len(in) + 1))
			if s == in+strings.Repeat("=", (9-len(in))%3)+"y" {
				return true
			}
		}
		return false
	}},
	{"padding and a length around it", `s = u8 @len(all) ( ( "a"{0,6} ) @pad(4, ".") "b" ) @part(all) ;`, "ab.\x01\x05", nil},
	{"decimal length", `s = ( dec ":" ) @len(body) body ";" ; body = [01]{0,12} ;`, "01:;2", func(s string) bool {
		at := strings.IndexByte(s, ':')
		return at > 0 && strings.HasSuffix(s, ";") && s[:at] == strconv.Itoa(len(s)-at-2) && strings.Trim(s[at+1:len(s)-1], "01") == ""
	}},
	{"decimal length behind", `s = "a"{0,14} @part(body) dec @len(body) "."{0,2} ;`, "a.0123", nil},
	{"decimal length of itself", `s = ( "a"{0,12} dec @len(all) "b"? ) @part(all) ;`, "ab12345", func(s string) bool {
		digits := strings.TrimSuffix(strings.TrimLeft(s, "a"), "b")
		return digits == strconv.Itoa(len(s))
	}},
	{"groups of 7 bits", `s = varint @len(body) @plus(125) body vlq @len(body) @plus(16380) ; body = "a"{0,9} ;`, "", nil},
	{"integers of QUIC and zigzag", `s = quic @len(body) @plus(60) body zigzag @len(body) @plus(62) ; body = "a"{0,6} ;`, "", func(s string) bool {
		n := strings.Count(s, "a")
		want := map[bool]string{false: string(rune(60 + n)), true: "\x40" + string(rune(60+n))}[n >= 4] + strings.Repeat("a", n)
		return n <= 6 && s == want+map[bool]string{false: string(rune(2 * (62 + n))), true: string([]byte{byte(2*(62+n)) | 0x80, 1})}[n >= 2]
	}},
	{"a length within its part, and one of that", `s = varint @len(all) @plus(120) ( "a"{0,5} varint @len(all) @plus(124) ) @part(all) "b"? ;`, "", nil},
	{"ranges", `s = u16le @range(255, 513) i8 @range(-2..1) dec @range(9, 100) ;`, "", func(s string) bool {
		if len(s) < 4 {
			return false
		}
		n, m := int(s[0])+int(s[1])<<8, int8(s[2])
		d, err := strconv.Atoi(s[3:])
		return n >= 255 && n <= 513 && m >= -2 && m <= 1 && err == nil && d >= 9 && d <= 100 && strconv.Itoa(d) == s[3:]
	}},
	{"lengths in lengths", `s = dec @len(in) in ; in = "<" s ">" | [ab]{0,2} | "c"{8,11} ;`, "", nil},
	{"two lengths of one part", `s = dec @len(b) hex @len(b) "-" ( "a"{0,17} ) @part(b) ;`, "a-0123", nil},
	{"any number", `s = dec ;`, "", nil},
	{"copy of any length", `s = [ab]{0,2} @part(x) "-" byte* @copy(x) "c"? ;`, "ab-c", func(s string) bool {
		x, y, ok := strings.Cut(s, "-")
		return ok && len(x) <= 2 && strings.Trim(x, "ab") == "" && (y == x || y == x+"c")
	}},
	{"copy of any length before", `s = "a"? byte* @copy(x) "c"? ( "." x ) ; x = [ab]{0,2} ;`, "abc.", func(s string) bool {
		y, x, ok := strings.Cut(s, ".")
		y = strings.TrimSuffix(y, "c")
		return ok && len(x) <= 2 && strings.Trim(x, "ab") == "" && (y == x || y == "a"+x)
	}},
	{"copies and a length", `s = ( x u8 @len(in) ) @part(in) byte* @copy(x) dec @len(x) @plus(8) byte* @copy(x) ; x = "a"{0,3} ;`, "", nil},
	{"parallel list", `s = ( it{0,2} @part(items) ) "." ( u8 @offset(it, items) [xy]? byte* @copy(it) ) @each(items) @part(dir) u8 @len(dir) ; it = "a" | "bb" ;`, "", nil},
	{"parallel list with labels", `s = ( ( [ab]{1,2} ) @part(it) ){0,2} @part(items) "." ( u8 @sum(it) ) @each(items) u8 @count(items) ;`, "ab.\xc2\xc3\x01\x02", func(s string) bool {
		items, sums, ok := strings.Cut(s, ".")
		if !ok || len(items) > 4 || strings.Trim(items, "ab") != "" || sums == "" || int(sums[len(sums)-1]) != len(sums)-1 {
			return false
		}
		return len(sums) == 1 && items == "" || len(sums) == 2 && len(items) > 0 && len(items) < 3 && sums[0] == sum(items) ||
			len(sums) == 3 && slices.ContainsFunc([]int{1, 2}, func(n int) bool {
				return n < len(items) && len(items)-n <= 2 && sums[0] == sum(items[:n]) && sums[1] == sum(items[n:])
			})
	}},
	{"parallel lists in each other", `s = ( "a" | "<" s ){0,2} @part(items) ( "x" | "y" ) @each(items) ";" ;`, "a<xy;", nil},
	{"parallel lists of one", `s = ( it{1,3} @part(items) ) u8 @offset(it, items) @each(items) ( [xy] "-" ) @each(items) @part(dir) u8 @sum(dir) ; it = "a" | "bb" ;`, "", nil},
	{"parallel list of records", `s = u8 @len(items) ( it{0,2} @part(items) ) ( ( "1" | "22" ){0,2} @part(subs) u32le @offset(dir) @each(subs) ) @each(items) @part(dir) ; it = "a" "b"? ;`, "", nil},
	{"blocks", `s = ( "a"{0,6} ) @blocks(2) "\x00" "b"? ;`, "ab\x00\x01\x02", func(s string) bool {
		plain := ""
		for s = strings.TrimSuffix(s, "b"); len(s) > 1 && int(s[0]) < len(s) && s[0] > 0; s = s[1+s[0]:] {
			plain += s[1 : 1+s[0]]
		}
		return s == "\x00" && len(plain) <= 6 && strings.Trim(plain, "a") == ""
	}},
	{"blocks with parts in them", `s = u8 @count(rows) dec @len(all) ( ( u8 @offset(rows, in) "y"? u8 @sum(rows) "x"{0,3} @part(rows) ) @part(in) ) @blocks(3) @part(all) u8 @sum(rows) ;`, "", nil},
	{"blocks in blocks", `s = u8 @len(all) ( "y" ( u8 @sum(x) "a"{0,2} @part(x) ) @blocks(1) "\x00" ) @blocks(2) @part(all) ;`, "", nil},
	{"blocks in a parallel list", `s = it{0,2} @part(items) "." ( ( [xy]{0,2} ) @blocks(1) "\x00" u8 @sum(it) ) @each(items) ; it = "a" | "bb" ;`, "", nil},
	{"hexadecimal", `s = ( [ab]{0,3} @part(x) ) @hex "." u8 @sum(x) ;`, "", nil},
	{"base64", `s = ( [ab]{0,5} ) @base64 "." ( "c"{0,2} @part(x) dec @len(x) ) @base64 ;`, "", nil},
	{"base64 and a length", `s = dec @len(x) ( [ab]{0,5} ) @base64 @part(x) ;`, "", nil},
	{"ambiguous", `s = "a"{0,9} @part(x) "a"* u8 @len(x) ;`, "a\x00\x01\x02\x03", func(s string) bool {
		return s != "" && int(s[len(s)-1]) <= len(s)-1 && strings.Trim(s[:len(s)-1], "a") == ""
	}},
}

// sum adds the bytes of a text.
func sum(s string) (n byte) {
	for i := range len(s) {
		n += s[i]
	}
	return n
}

// fieldGrammar loads one grammar and its parser.
func fieldGrammar(t testing.TB, src string) (*grammar.Grammar, *parse.Parser) {
	t.Helper()
	g, err := load.String(src)
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.New(context.Background(), g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g, p
}

// TestFieldsAgainstBruteForce counts, numbers, renders and parses back every sentence of a few
// bytes.
func TestFieldsAgainstBruteForce(t *testing.T) {
	ctx := context.Background()
	for _, c := range fieldGrammars {
		g, p := fieldGrammar(t, c.src)
		const most = 7
		limit := most
		if c.name == "crc" {
			limit = 11
		}
		table, err := count.New(ctx, g, count.Sizes(0, limit, grammar.Bytes), count.Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		l := &brute.Lister{Facts: g.Facts(nil, grammar.Exact), Limit: limit, Unit: grammar.Bytes, Most: 1_000_000}
		all := l.List(g.Root, 50)
		if l.Overflow || len(all) == 0 || table.Total().Cmp(big.NewInt(int64(len(all)))) != 0 {
			t.Errorf("%s: %v derivations are counted, there are %d", c.name, table.Total(), len(all))
		}
		texts, sizes := map[string]int{}, make([]int64, limit+1)
		step := max(1, len(all)/500)
		for i := 0; i < len(all); i += step {
			rank := big.NewInt(int64(i))
			tree, err := table.Unrank(rank)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if back, err := table.Rank(tree); err != nil || back.Cmp(rank) != 0 {
				t.Errorf("%s: the derivation of rank %d has rank %v, %v", c.name, i, back, err)
			}
			text := tree.Text()
			texts[text]++
			if len(text) > limit {
				t.Fatalf("%s: %q has %d bytes", c.name, text, len(text))
			}
			sizes[len(text)]++
			if c.is != nil && !c.is(text) {
				t.Errorf("%s: %q is none of its texts", c.name, text)
			}
			f, err := p.Parse(ctx, "text", text)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if fixed, err := p.Repair(ctx, "text", text); err != nil || fixed.Text() != text {
				t.Errorf("%s: the sentence %q is repaired to %v, %v", c.name, text, fixed, err)
			}
			for at := range text {
				bad := text[:at] + text[len(text)-1:] + text[at+1:]
				if fixed, err := p.Repair(ctx, "text", bad); err == nil {
					if _, err := p.Parse(ctx, "text", fixed.Text()); err != nil {
						t.Errorf("%s: %q is repaired to %q, which is no sentence: %v", c.name, bad, fixed.Text(), err)
					}
				}
			}
			found := false
			for other, err := range f.All(ctx) {
				if err != nil || other.Text() != text {
					t.Errorf("%s: a tree of %q has the text %q, %v", c.name, text, other.Text(), err)
				}
				found = found || cmp.Equal(other.Choices(), tree.Choices())
			}
			if !found {
				t.Errorf("%s: the tree of %q is not among those that it has", c.name, text)
			}
		}
		for n, want := range sizes {
			if step > 1 || want == 0 {
				continue
			}
			one, err := count.New(ctx, g, count.Size(n, grammar.Bytes), count.Options{})
			if err != nil || one.Total().Int64() != want {
				t.Errorf("%s: there are %d derivations of %d bytes, %v", c.name, want, n, err)
			}
		}
	}
}

// TestRanges lists the numbers of a range in every encoding. Each is one derivation.
func TestRanges(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		enc    string
		lo, hi int64
	}{
		{"u8", 1, 31}, {"byte", 0, 255}, {"i8", -128, -3}, {"i8", -3, 100}, {"u16be", 1, 65535}, {"u16le", 250, 1030}, {"i16be", -300, 300}, {"i24le", -70000, -65000},
		{"u32be", 65530, 65540}, {"u64le", 1<<40 - 2, 1<<40 + 2}, {"dec3", 7, 123}, {"oct4", 63, 65}, {"hex4", 9, 300}, {"HEX2", 10, 17},
		{"dec", 0, 1000}, {"hex", 9, 300}, {"oct", 7, 65}, {"varint", 120, 16400}, {"vlq", 120, 16400}, {"zigzag", -8200, 8200}, {"zigzag", -70, -60}, {"quic", 60, 16400},
	} {
		src := fmt.Sprintf("s = %s @range(%d, %d) ;", c.enc, c.lo, c.hi)
		g, _ := fieldGrammar(t, src)
		table, err := count.New(ctx, g, count.Sizes(0, 20, grammar.Bytes), count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := table.Total().Int64(); got != c.hi-c.lo+1 {
			t.Errorf("%s has %d numbers", src, got)
		}
		enc, _ := field.Named(strings.Replace(c.enc, "byte", "u8", 1))
		had := map[string]bool{}
		for i := range table.Total().Int64() {
			tree, err := table.Unrank(big.NewInt(i))
			if err != nil {
				t.Fatal(err)
			}
			had[tree.Text()] = true
		}
		for v := c.lo; v <= c.hi; v++ {
			if text, ok := enc.Text(v); !ok || !had[text] {
				t.Errorf("%s has no %d, which is %q", src, v, text)
			}
		}
	}
}

// TestFieldsAcceptNothingElse compares the parser with an independent test on all short texts.
func TestFieldsAcceptNothingElse(t *testing.T) {
	ctx := context.Background()
	for _, c := range fieldGrammars {
		if c.is == nil || c.alphabet == "" {
			continue
		}
		_, p := fieldGrammar(t, c.src)
		var try func(s string)
		accepted := 0
		try = func(s string) {
			_, err := p.Parse(ctx, "text", s)
			if err == nil {
				accepted++
			}
			if (err == nil) != c.is(s) {
				t.Errorf("%s: %q: the parser says %v, and it is a sentence: %v", c.name, s, err, c.is(s))
			}
			if len(s) < 5 {
				for i := range len(c.alphabet) {
					try(s + c.alphabet[i:i+1])
				}
			}
		}
		try("")
		if accepted == 0 {
			t.Errorf("%s: no text is accepted", c.name)
		}
	}
}

// TestNestedSums computes the fields of nested records by hand.
func TestNestedSums(t *testing.T) {
	g, p := fieldGrammar(t, `file = chunk+ ; chunk = u32be @len(data) ( type data ) @part(body) u32be @crc32(body) ;
type = "LIST" | "leaf" ; data = chunk{0,2} | "\x00"{3} ;`)
	table, err := count.New(context.Background(), g, count.Sizes(0, 60, grammar.Bytes), count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	var check func(s string) bool // s consists of any number of chunks
	check = func(s string) bool {
		for s != "" {
			if len(s) < 12 {
				return false
			}
			n := int(binary.BigEndian.Uint32([]byte(s)))
			if n+12 > len(s) || crc32.ChecksumIEEE([]byte(s[4:8+n])) != binary.BigEndian.Uint32([]byte(s[8+n:])) {
				return false
			}
			if data := s[8 : 8+n]; data != "\x00\x00\x00" && !check(data) {
				return false
			}
			s = s[12+n:]
			checked++
		}
		return true
	}
	for i := range int(table.Total().Int64()) {
		tree, err := table.Unrank(big.NewInt(int64(i)))
		if err != nil {
			t.Fatal(err)
		}
		if !check(tree.Text()) {
			t.Fatalf("%q is not made of chunks", tree.Text())
		}
		if _, err := p.Parse(context.Background(), "text", tree.Text()); err != nil {
			t.Fatal(err)
		}
	}
	if checked < 100 {
		t.Errorf("only %d chunks were looked at", checked)
	}
}

// TestLeftRecursionIsRefused checks that the message names the rule that begins with itself.
func TestLeftRecursionIsRefused(t *testing.T) {
	g, err := load.String(`s = s byte | "x" u8 @len(s2) "y" @part(s2) ;`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parse.New(context.Background(), g, parse.Options{}); err == nil || !strings.Contains(err.Error(), `rule "s" begins with itself`) {
		t.Errorf("the error is %v", err)
	}
}
