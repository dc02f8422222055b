package bind_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/bind"
	"github.com/gramfuzz/gramfuzz/load/internal/ebnf"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

// TestRecursion checks that rules that lead to themselves are marked, also through differences and
// in unreachable rules.
func TestRecursion(t *testing.T) {
	for src, want := range map[string]string{
		`a = "x" b ; b = "y" ;`: "",
		`a = "x" a? ;`:          "a",
		`a = b ; b = c "x" | "y" ; c = a | d ; d = "z" ;`:    "a b c",
		`a = "x" ; @token T = [a-z] - U ; @token U = T "y";`: "T U",
		`a = a a b nowhere ; b = "y" ;`:                      "a",
	} {
		read, _ := ebnf.Parse("f", []byte(src))
		b, ds := bind.Bind(read)
		var got []string
		for _, r := range b.Rules {
			if r.Recursive {
				got = append(got, r.Name)
			}
		}
		if strings.Join(got, " ") != want || len(ds) > 0 {
			t.Errorf("%s: recursive %q, want %q; %v", src, got, want, ds)
		}
	}
}

// TestTwice checks that references mean the first of two rules with the same name, and
// that both rules are checked.
func TestTwice(t *testing.T) {
	read, _ := ebnf.Parse("f", []byte(`s = a ; a = "x" ; a = nowhere ;`))
	g, ds := notationtest.Freeze(read)
	if g.Start.Body.Rule != g.Rules[1] || len(ds) != 2 || ds[0].Code != "duplicate-rule" || ds[1].Code != "undefined-rule" {
		t.Errorf("a is %v, found %v", g.Start.Body.Rule.Pos, ds)
	}
}

// TestChecks checks grammars with unresolved tokens. The expected diagnostics stand beside their
// lines.
func TestChecks(t *testing.T) {
	read := func(name string, src []byte) grammar.Diagnostics {
		read, ds := ebnf.Parse(name, src)
		if ds.Err() != nil {
			return ds
		}
		_, ds = notationtest.Freeze(read)
		return ds
	}
	notationtest.Beside(t, "testdata/check/*.ebnf", read, func(d grammar.Diagnostic) string {
		return fmt.Sprintf("%v: %s", d.Severity, d.Message)
	})
}
