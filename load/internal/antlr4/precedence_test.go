package antlr4

import (
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/ebnf"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

// TestPrecedences checks the annotations of alternatives, written as "LEVEL ASSOCIATIVITY", and
// that they are written and read again without a loss.
func TestPrecedences(t *testing.T) {
	for _, tt := range []struct{ rule, want string }{
		{`e : e '*' e | e '+' e | 'x' ;`, "3 left, 2 left, -"},
		{`e : <assoc=right> e '^' e | 'x' | '-' e | e '!' | l=e '?' e ':' r=e # Cond ;`, "5 right, -, 3, 2, 1 left"},
		{`e : < assoc = right > e '^' e | e '(' e ')' {act();} | 'x' ;`, "3 right, 2, -"},
		{`e : e '^'<assoc=right> e | e {p()}? '+' e {act();} | 'x' ;`, "3 left, 2 left, -"},
		{`e : e e | 'x' ;`, "2 left, -"},
		{`e : '-' e | 'x' ;`, "-, -"},
		{`e : e ('+' e)* '!' | '-' e | 'x' ;`, "3, 2, -"},
		{`e : e ('+' e)+ | 'x' ;`, "2, -"},
		{`e : f '+' e | 'x' ; f : 'y' ;`, "-, -"},
	} {
		g := must(t, "grammar T; "+tt.rule)
		var got []string
		for _, k := range g.Rules[0].Body.Children {
			at := "-"
			for _, a := range k.Annotations {
				at = strings.Join(a.Args, " ")
			}
			got = append(got, at)
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.rule, s, tt.want)
		}
		text, lost := printed(g)
		if len(lost) > 0 || strings.Count(text, "<assoc=right>") != strings.Count(tt.want, "right") {
			t.Errorf("%s: %v\n%s", tt.rule, lost, text)
		}
	}
}

// TestPrintPrecedences checks that precedences that the order of alternatives does not say are
// reported.
func TestPrintPrecedences(t *testing.T) {
	for _, tt := range []struct {
		rule string
		lost bool
	}{
		{`e = (e "*" e) @prec(7, left) | (e "^" e) @prec(3, right) | "x" ;`, false},
		{`e = (e "+" e) @prec(1, left) | (e "*" e) @prec(2, left) | "x" ;`, true},
		{`e = (e "+" e) @prec(1) | "x" ;`, true},
		{`e = (e "+" e) @prec(1, left) | ("x" "y") @prec(2) ;`, true},
		{`e = (e "+" e) @prec(2, left) | e "*" e | "x" ;`, true},
		{`e = (e "+" e) @prec(2, left) | "x" @prefer(1) ;`, true},
	} {
		g, ds := ebnf.Parse("T.ebnf", []byte(tt.rule))
		frozen, more := notationtest.Freeze(g)
		if err := append(ds, more...).Err(); err != nil {
			t.Fatal(err)
		}
		text, lost := Print(frozen)
		has := len(lost) == 1 && lost[0].Code == "annotations" && lost[0].Severity == grammar.Warning
		if has != tt.lost {
			t.Errorf("%s: %v\n%s", tt.rule, lost, text)
		}
	}
}
