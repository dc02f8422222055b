package reduce_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// undefined returns the first name of a program of assignments that is used
// before the end of the statement that defines it; "" for none.
func undefined(program string) string {
	defined := map[rune]bool{}
	for statement := range strings.SplitSeq(program, ";\n") {
		name, expr, ok := strings.Cut(statement, " = ")
		if !ok {
			continue
		}
		for _, r := range expr {
			if r >= 'a' && r <= 'z' && !defined[r] {
				return string(r)
			}
		}
		defined[rune(name[0])] = true
	}
	return ""
}

// TestDefBeforeUse checks that every candidate made from a tree uses names only where they are
// defined, and that the post's property has its least program.
func TestDefBeforeUse(t *testing.T) {
	g := grammars.Must("assign")
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var o derive.Options
	if o.Hooks, err = names.Hooks(&o); err != nil {
		t.Fatal(err)
	}
	bounded := derive.Options{MaxDepth: 12}
	if bounded.Hooks, err = names.Hooks(&bounded); err != nil {
		t.Fatal(err)
	}
	m := derive.NewMachine(g, bounded)
	sentences := 0
	for seed := uint64(1); sentences < 12; seed++ {
		rng := rand.New(rand.NewPCG(seed, 4))
		tree, err := m.Run(context.Background(), derive.ChooserFunc(func(d *derive.Decision) (int, error) {
			return d.Value(rng.IntN(d.N)), nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		if ok, _ := postPredicate(context.Background(), []byte(tree.Text())); !ok || strings.Count(tree.Text(), ";") < 3 {
			continue
		}
		sentences++
		for _, algorithm := range []string{"ddmin", "nop", "hypothesis", "hdd", "perses", "probdd", "auto"} {
			candidates := 0
			holds := func(ctx context.Context, text []byte) (bool, error) {
				candidates++
				if name := undefined(string(text)); name != "" {
					t.Errorf("%s: %q is used before it is defined in candidate %q", algorithm, name, text)
				}
				return postPredicate(ctx, text)
			}
			r, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, holds, reduce.Options{Algorithm: algorithm, Derive: o})
			if err != nil {
				t.Fatal(err)
			}
			checkResult(t, tree, r, postPredicate)
			if candidates < 2 {
				t.Errorf("%s tried nothing on %q", algorithm, tree.Text())
			}
			if algorithm == "auto" && string(r.Text) != "a = ((0));\n" {
				t.Errorf("%q to %q", tree.Text(), r.Text)
			}
		}
	}
}
