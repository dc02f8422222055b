package load_test

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

// TestPrint: the output in any notation reads back, by that notation's name alone, to a grammar
// with the same number of sentences of each length.
func TestPrint(t *testing.T) {
	const src = `
expr = term | expr "+" term ;
term = [a-c] | "(" expr ")" | "x"{2,3} ;
`
	numbers := func(g *grammar.Grammar) string {
		table, err := count.New(t.Context(), g, count.Sizes(0, 9, grammar.Bytes), count.Options{Measure: grammar.Exact})
		if err != nil {
			t.Fatal(err)
		}
		return table.Total().String()
	}
	g, _, err := load.Source("x.ebnf", []byte(src), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := numbers(g)
	for _, notation := range load.Printable() {
		text, ds, err := load.Print(g, notation)
		if err != nil || len(ds) > 0 {
			t.Errorf("%s: %v, %v", notation, ds, err)
			continue
		}
		again, _, err := load.Source("x", []byte(text), load.Options{Notation: notation})
		if err != nil {
			t.Errorf("%s: %v\n%s", notation, err, text)
			continue
		}
		if got := numbers(again); got != want {
			t.Errorf("%s: %s sentences, want %s:\n%s", notation, got, want, text)
		}
	}
	if _, _, err := load.Print(g, "nosuch"); err == nil {
		t.Error("no error for a notation that there is not")
	}
}

// TestPrintNative: features of other notations are listed as lost, and the output reads back.
func TestPrintNative(t *testing.T) {
	for _, tt := range []struct{ notation, src, lost string }{
		{"abnf", "a = OCTET %xC0-C3 / \"x\"", ""},
		{"abnf", "a = \"x\" / <some prose> / b / b \"y\"",
			"f:1:11: warning: what the undefined rule \"<some prose>\" means cannot be said; define it; written is a rule that derives no text\n" +
				"f:1:26: warning: what the undefined rule \"b\" means cannot be said; define it; written is a rule that derives no text"},
		{"w3c", "a ::= B 'x' /* ws: explicit */\n<?TOKENS?>\nB ::= 'b'+",
			"f:1:1: warning: that the parser's state tells tokens apart cannot be expressed in the native notation; check where tokens overlap: the first of the longest is taken\n" +
				"f:1:1: warning: that no layout stands between the parts of \"a\" cannot be expressed in the native notation; make it a token, if it is regular"},
	} {
		g, _, err := load.Source("f", []byte(tt.src), load.Options{Notation: tt.notation})
		if err != nil {
			t.Error(err)
			continue
		}
		text, ds, err := load.Print(g, "ebnf")
		if got := ds.Error(); err != nil || len(ds) > 0 && got != tt.lost || len(ds) == 0 && tt.lost != "" {
			t.Errorf("%s: %v, lost\n%s\nwant\n%s", tt.src, err, got, tt.lost)
		}
		back, _, err := load.Source("back.ebnf", []byte(text), load.Options{})
		if err != nil {
			t.Errorf("%v in\n%s", err, text)
			continue
		}
		notationtest.SameCounts(t, g, back, 5)
	}
}
