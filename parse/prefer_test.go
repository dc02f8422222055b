package parse_test

import (
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

// bracketed writes a tree with brackets around the text of each rule named b….
func bracketed(t *derive.Tree) string {
	out := ""
	var write func(i int) int
	write = func(i int) int {
		n := &t.Nodes()[i]
		around := n.Expr.Op == grammar.Ref && n.Expr.Name[0] == 'b'
		if n.Expr.Op == grammar.Lit {
			out += n.Expr.Text
		}
		if around {
			out += "("
		}
		end := i + 1
		for ; end < int(n.End); end = write(end) {
		}
		if around {
			out += ")"
		}
		return end
	}
	write(0)
	return out
}

// TestPreferences checks that brackets follow the annotations.
func TestPreferences(t *testing.T) {
	const (
		sums  = `e = binary | "1" ; binary = ( e "-" e ) @prec(1, left) | ( e "*" e ) @prec(2, left) | ( e "^" e ) @prec(3, right) | ( "!" e ) @prec(2) ;`
		named = `e = minus | ba | bm | "1" ; minus = bu ; bu = ( "-" e ) @prec(3) ; ba = ( e "-" e ) @prec(1, left) ; bm = ( e "*" e ) @prec(2, left) ;`
		other = `s = bif | bother ; bif = ( "i" s ( "e" s )? ) ASSOC ; bother = "x" ;`
		bonus = `s = ba | bb ; ba = ( x y ) @prefer(1) ; bb = ( x y ) @prefer(2) ; x = "x" ; y = "y" ;`
	)
	for _, c := range []struct{ src, text, want string }{
		{sums, "1-1-1", "((1-1)-1)"},
		{sums, "1-1-1-1", "(((1-1)-1)-1)"},
		{sums, "1^1^1", "(1^(1^1))"},
		{sums, "1-1*1-1", "((1-(1*1))-1)"},
		{sums, "1*1^1*1", "((1*(1^1))*1)"},
		{sums, "!1-1", "((!1)-1)"},
		{sums, "!1^1", "(!(1^1))"},
		{named, "1-1*1-1", "((1-(1*1))-1)"},
		{named, "-1*1-1", "(((-1)*1)-1)"},
	} {
		check(t, c.src, c.text, c.want)
	}
	refused := `s = x "." "t" | e ";" ; x = e ; e = ( "new" )@prec(1) | ( e "." n )@prec(2) | ( e "*" e )@prec(1, left) | "1" ; n = "n" ;`
	check(t, refused, "1*1.n;", "1*1.n;")
	if p := parser(t, refused, parse.Options{}); p != nil {
		if _, err := p.Parse(t.Context(), "text", "1*1.t"); err != nil {
			t.Error(err)
		}
	}
	if _, err := parser(t, refused, parse.Options{Settled: true}).Parse(t.Context(), "text", "1*1.t"); err == nil {
		t.Error("what precedences leave no tree is read")
	}
	check(t, replaced(other, "@prec(0, right)"), "iixex", "(i(i(x)e(x)))")
	if _, err := parser(t, replaced(other, "@prec(0, left)"), parse.Options{Settled: true}).Parse(t.Context(), "text", "iixex"); err == nil {
		t.Error("an else is read that no if is left for")
	}
	check(t, bonus, "xy", "(xy)")
}

// TestSettledParts checks that precedences settle conflicts as in tree-sitter's generator:
// between ways through choices, and by the precedence of parts of rules.
func TestSettledParts(t *testing.T) {
	for _, c := range []struct {
		src, text string
		refused   bool
	}{
		// No conflict: both alternatives of ("a" | "b") read on.
		{`s = ( ( "a" | "b" ) "x" "1" )@prec(1, left) | ( "a" "x" "2" )@prec(1, left) ;`, "ax2", false},
		{`s = ( "n"* "a"? "x" "1" )@prec(1, left) | ( "a" "x" "2" )@prec(1, left) ;`, "ax2", false},
		// An element that is not at the end of its rule ends with its last symbol.
		{`s = t "d" "e" | ( "a" "b" "c" )@prec(1) "d" ; t = "a" "b" "c" ;`, "abcde", false},
		{`s = t "d" "e" | ( "a" "b" "c" "d" )@prec(1) ; t = "a" "b" "c" ;`, "abcde", true},
		{`s = t "d" "e" | ( "a" ( "b" "c" )@prec(0) "d" )@prec(1) ; t = "a" "b" "c" ;`, "abcde", true},
		{`s = t "d" "e" | ( "a" "b" ( "c" "d" )@prec(0) )@prec(1) ; t = "a" "b" "c" ;`, "abcde", false},
		// Where the optional part is absent, the element before is still not at the end.
		{`s = t "d" "e" | u "d" ; t = "a" "b" "c" ; u = ( "a" "b" "c" )@prec(1) "x"? ;`, "abcde", false},
		{`s = t "d" "e" | u "d" ; t = "a" "b" "c" ; u = ( "a" "b" "c" )@prec(1) ;`, "abcde", true},
		// The associativity of an outer element holds within one that has none.
		{`e = ( e ( "-" e )@prec(1) )@prec(0, left) | "1" ;`, "1-1-1", false},
		{`s = e "-" "2" | e ; e = ( e ( "-" e )@prec(0) )@prec(0, right) | "1" ;`, "1-1-2", true},
		// A sentence by characters whose tokens are other ones.
		{`s = ( "a" TEXT )@prec(1, left) | "a" "b" ; @token TEXT = [a-c]+ "." ; @token MORE = "ab" ;`, "ab.", true},
		// A dynamic precedence leaves the level as it is.
		{`s = t "d" "e" | ( "a" ( "b" "c" )@prefer(1) "d" )@prec(1) ; t = "a" "b" "c" ;`, "abcde", true},
		{`s = t "d" "e" | ( "a" "b" ( "c" "d" )@prefer(1) )@prec(1) ; t = "a" "b" "c" ;`, "abcde", true},
	} {
		if _, err := parser(t, c.src, parse.Options{}).Parse(t.Context(), "text", c.text); err != nil {
			t.Error(err)
		}
		if _, err := parser(t, c.src, parse.Options{Settled: true}).Parse(t.Context(), "text", c.text); (err != nil) != c.refused {
			t.Errorf("%s: %v, refused %v", c.src, err, c.refused)
		}
	}
}

// TestFlatSize checks that a grammar with too many ways through its choices is refused.
func TestFlatSize(t *testing.T) {
	g, err := load.String(`s = ( ` + strings.Repeat(`( "a" | "b" )? `, 50) + `"c" )@prec(1) ;`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parse.New(t.Context(), g, parse.Options{Settled: true}); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Error(err)
	}
}

func replaced(src, assoc string) string {
	for i := 0; i+5 <= len(src); i++ {
		if src[i:i+5] == "ASSOC" {
			return src[:i] + assoc + src[i+5:]
		}
	}
	return src
}

func check(t *testing.T, src, text, want string) {
	t.Helper()
	for _, settled := range []bool{false, true} {
		f, err := parser(t, src, parse.Options{Settled: settled}).Parse(t.Context(), "text", text)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := f.Tree(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := bracketed(tree); got != want {
			t.Errorf("%s: %s, want %s, settled %v", text, got, want, settled)
		}
	}
}

func parser(t *testing.T, src string, o parse.Options) *parse.Parser {
	t.Helper()
	g, err := load.String(src)
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.New(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
