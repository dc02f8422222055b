package ebnf

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// TestPrintAnyGraph prints graphs that do not come from a file of this notation. They have odd names
// and bytes, labels, commands, and all kinds of nesting.
func TestPrintAnyGraph(t *testing.T) {
	for seed := range uint64(400) {
		g := randomGrammar(rand.New(rand.NewPCG(seed, 5)))
		text := printed(g)
		again, ds := Parse("f", []byte(text))
		if err := ds.Err(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if d := cmp.Diff(g.Rules, again.Rules, graph); d != "" {
			t.Fatalf("seed %d: -made +printed and read:\n%s\nprinted:\n%s", seed, d, text)
		}
	}
}

var oddTexts = []string{"a", "b-c", "two words", "<x>", `"`, `'`, `\`, "é", "\u2028", "%3", "@", "1", "-", "a.b", "(*", "#", "]", "^"}

func randomGrammar(rng *rand.Rand) *syntax.Grammar {
	pick := func() string { return oddTexts[rng.IntN(len(oddTexts))] }
	g := &syntax.Grammar{}
	for range 1 + rng.IntN(3) {
		r := &syntax.Rule{Name: pick(), Kind: grammar.Kind(rng.IntN(4)), Body: randomExpr(rng, 4)}
		if r.Kind.Lexical() && rng.IntN(3) == 0 {
			r.Mode = pick()
			r.Commands = []grammar.Command{{Name: "type", Arg: pick()}, {Name: "popMode"}}
			r.Annotations = []grammar.Annotation{{Name: "note", Args: []string{pick(), ""}}}
		}
		g.Rules = append(g.Rules, r)
	}
	return g
}

func randomExpr(rng *rand.Rand, depth int) *syntax.Expr {
	pick := func() string { return oddTexts[rng.IntN(len(oddTexts))] }
	var pos grammar.Pos
	children := func(n int) (out []*syntax.Expr) {
		for range n {
			out = append(out, randomExpr(rng, depth-1))
		}
		return out
	}
	op := rng.IntN(8)
	if depth == 0 {
		op = rng.IntN(4)
	}
	var e *syntax.Expr
	switch op {
	case 0:
		e = syntax.NewLit(pos, pick()+[]string{"", "\xff\x00\n", "\ufffd", "\U0001f600"}[rng.IntN(4)])
	case 1:
		e = syntax.NewClass(pos, rng.IntN(2) == 0)
		for range rng.IntN(4) {
			lo := rune(rng.IntN(0x300))
			e.Ranges = append(e.Ranges, grammar.Range{Lo: lo, Hi: lo + rune(rng.IntN(3))})
		}
	case 2:
		e = syntax.NewRef(pos, pick())
	case 3:
		e = syntax.NewSeq(pos)
	case 4:
		e = syntax.NewSeq(pos, children(2+rng.IntN(2))...)
	case 5:
		n := 2 + rng.IntN(2)
		e = syntax.NewChoice(pos, children(n)...)
		if rng.IntN(3) == 0 {
			for range n {
				e.Weights = append(e.Weights, rng.IntN(3))
			}
		}
		if rng.IntN(3) == 0 {
			e.Labels = make([]string, n)
			e.Labels[rng.IntN(n)] = pick()
		}
	case 6:
		least := rng.IntN(3)
		e = syntax.NewRep(pos, children(1)[0], least, []int{grammar.Unbounded, least, least + 1}[rng.IntN(3)])
		e.Lazy = rng.IntN(3) == 0
	default:
		pair := children(2)
		e = syntax.NewDiff(pos, pair[0], pair[1])
	}
	if rng.IntN(5) == 0 {
		e.Annotations = append(e.Annotations, grammar.Annotation{Name: "use", Args: []string{pick()}})
	}
	return e
}
