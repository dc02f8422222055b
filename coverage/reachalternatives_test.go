package coverage

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
)

func TestAlternatives(t *testing.T) {
	for _, name := range grammars.Names() {
		c, err := New(grammars.Must(name), Options{})
		if err != nil {
			t.Fatal(err)
		}
		trees, err := c.Alternatives(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if part := c.Report().Alternatives; part.Reached != part.Total {
			t.Errorf("%s: %d of %d alternatives are taken", name, part.Reached, part.Total)
		}
		again, err := c.Alternatives(context.Background())
		if err != nil || len(again) != 0 {
			t.Errorf("%s: %d more sentences (%v) where all is taken", name, len(again), err)
		}
		if len(trees) == 0 && c.Report().Alternatives.Total > 0 {
			t.Errorf("%s: no sentences", name)
		}
	}
}

// TestAlternativesAreFew checks that one sentence takes all alternatives reachable in a list,
// and that a bound splits it.
func TestAlternativesAreFew(t *testing.T) {
	for _, tt := range []struct {
		name    string
		maxSize int
		want    int
	}{{"json", 0, 1}, {"json", 9, 6}, {"expr", 0, 1}} {
		c, err := New(grammars.Must(tt.name), Options{MaxSize: tt.maxSize})
		if err != nil {
			t.Fatal(err)
		}
		trees, err := c.Alternatives(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, tree := range trees {
			if size := derive.Size(tree, c.graph.facts, grammar.Terminals); tt.maxSize > 0 && size > tt.maxSize {
				t.Errorf("%s: %q has %d terminals, at most %d are wanted", tt.name, tree.Text(), size, tt.maxSize)
			}
		}
		if part := c.Report().Alternatives; part.Reached != part.Total || len(trees) > tt.want {
			t.Errorf("%s: %d sentences for %d of %d alternatives, want %d", tt.name, len(trees), part.Reached, part.Total, tt.want)
		}
	}
}

// TestAlternativesOfTokens checks that tokens that cannot be adjacent separate only few
// alternatives from the others.
func TestAlternativesOfTokens(t *testing.T) {
	for _, tt := range []struct {
		name, src     string
		want, reached int
	}{
		{"a way that ends at a choice takes the alternative that leads to the others", `s : v? EOF ; v : 'x' | '[' v (',' v)* ']' | 'y' ;`, 1, 3},
		{"two letters are one", `s : (v ',')* EOF ; v : A | B A | A A | 'x' ; A : [a-z]+ ; B : '.' ;`, 1, 3},
		{"words with a dot between", `s : w EOF ; w : 'if' | 'in' | 'do' | 'to' | A | w ('.' | '-')? w ; A : [a-z]+ ;`, 1, 8},
		{"a word that begins a comment comes last", `s : 'b' t* ';' 'e' EOF ; t : 'rem' | A | '+' | '-' ; A : [a-z]+ ; C : 'rem' ~';'+ ';' -> skip ; W : ' ' -> skip ;`, 1, 4},
	} {
		g, _, err := load.Source("g.g4", []byte("grammar g; "+tt.src), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		coverAlternatives(t, tt.name, g, tt.want, tt.reached)
	}
}

// TestAlternativesOfOthers checks grammars in which few alternatives exclude each other: by
// their places (r), by modes of the lexer (xsd-regex), or by comments and quotes.
func TestAlternativesOfOthers(t *testing.T) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("GRAMFUZZ_DATA is not set")
	}
	for _, tt := range []struct {
		name, start   string
		want, reached int
	}{{"algol60", "program", 2, 198}, {"cql3", "root", 3, 265}, {"r", "prog", 1, 66}, {"xsd-regex", "root", 1, 38}} {
		g, _, err := load.File(filepath.Join(data, "grammars", "dev", tt.name), load.Options{Start: tt.start})
		if err != nil {
			t.Fatal(err)
		}
		coverAlternatives(t, tt.name, g, tt.want, tt.reached)
	}
}

// coverAlternatives checks that at most n sentences take at least so many alternatives.
func coverAlternatives(t *testing.T, name string, g *grammar.Grammar, n, alternatives int) {
	t.Helper()
	c, err := New(g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	trees, err := c.Alternatives(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if reached := c.Report().Alternatives.Reached; len(trees) > n || reached < alternatives {
		var texts []string
		for _, tree := range trees {
			texts = append(texts, tree.Text())
		}
		t.Errorf("%s: %.200q take %d alternatives, want %d in at most %d sentences", name, texts, reached, alternatives, n)
	}
}
