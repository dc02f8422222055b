package stream_test

import (
	"path/filepath"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/stream"
)

// TestWalksLaidOutAsTrees checks that walks with random weights are laid out the same with and
// without a tree, replaced unreadable walks included.
func TestWalksLaidOutAsTrees(t *testing.T) {
	for name, source := range map[string]string{
		"Joins.g4":  "grammar Joins;\ns : ('let' ID '=' e ';')+ ;\ne : e ('+' | '-' | '/') e | ('-' | '--') e | ID | INT | 'not' e ;\nID : [a-z]+ ;\nINT : [0-9]+ ;\nLINE : '//' ~[\\n]* '\\n' -> channel(HIDDEN) ;\nWS : [ \\t\\n]+ -> skip ;",
		"Refuse.g4": "grammar Refuse;\ns : (A | B | C)+ ;\nA : 'a'+ ;\nB : 'b' ;\nC : 'ab' ;",
		"python":    "",
	} {
		g, _, err := load.Source(name, []byte(source), load.Options{})
		if source == "" {
			g, _, err = load.File(filepath.Join("..", "parse", "testdata", "lines", "python.ebnf"), load.Options{})
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, layout := range []derive.LayoutPolicy{derive.Tight, derive.Spaced, derive.Random} {
			s := mustOpen(t, g, stream.Plan{Seed: 3, Strategy: stream.RandomWeights, Layout: layout.String()})
			texts, trees := s.Source(), s.Source()
			for i := range uint64(300) {
				tree, err := trees.Tree(t.Context(), i)
				text, err2 := texts.Append(t.Context(), nil, i)
				if err != nil || err2 != nil {
					if err == nil || err2 == nil || err.Error() != err2.Error() {
						t.Fatalf("%s, %v, sentence %d: %v; as a tree %v", name, layout, i, err2, err)
					}
					continue
				}
				if string(text) != tree.Text() {
					t.Fatalf("%s, %v, sentence %d: %q; as a tree %q", name, layout, i, text, tree.Text())
				}
			}
		}
	}
}
