package load_test

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammar/load"
)

// TestPrint: what is written in any notation reads back, by that notation's name
// alone, to a grammar with as many sentences of each length.
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
