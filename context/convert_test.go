package context_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	textparse "github.com/gramfuzz/gramfuzz/parse"
)

// TestConvert checks that a tree of the grammar without its names converts if and only if it
// obeys the annotations. The result is the tree of its own choices.
func TestConvert(t *testing.T) {
	for name, src := range brute.Annotated {
		g := parse(t, name, src)
		names, err := gctx.New(g, gctx.Options{})
		if err != nil {
			t.Fatal(err)
		}
		plain := derive.NewMachine(g, derive.Options{MaxDepth: 5, Repeat: 3})
		named := machine(t, g, gctx.Options{}, derive.Options{})
		rng := rand.New(rand.NewPCG(5, 6))
		converted, refused := 0, 0
		for i := 0; i < long(1000, 3000) || converted < 20 && i < 10_000; i++ {
			tree, err := plain.Run(ctx, walker(rng))
			if err != nil {
				t.Fatal(err)
			}
			want := brute.Obeys(tree, nil)
			got, err := names.Convert(tree)
			check := names.Check(tree) // allows more names that are used early
			if check == nil && errors.Is(want, brute.ErrEarly) {
				check = want
			}
			if (want == nil) != (err == nil) || (want == nil) != (check == nil) {
				t.Fatalf("%s: %q: %v, %v, want %v", name, tree.Text(), err, check, want)
			}
			if err != nil {
				refused++
				continue
			}
			converted++
			again, err := named.Run(ctx, derive.Strict(got.Choices()))
			if err != nil {
				t.Fatalf("%s: %q: %v: %v", name, tree.Text(), got.Choices(), err)
			}
			if diff := cmp.Diff(nodes(again), nodes(got)); diff != "" || got.Text() != tree.Text() {
				t.Fatalf("%s: %q (-want +got)\n%s", name, tree.Text(), diff)
			}
		}
		if converted < 20 || refused < 20 {
			t.Errorf("%s: %d converted, %d refused", name, converted, refused)
		}
	}
}

// nodes returns the properties by which trees are compared.
func nodes(t *derive.Tree) (out []any) {
	for _, n := range t.Nodes() {
		out = append(out, []any{n.Expr.ID, n.Val, n.End, n.From, n.To, n.Name, n.Text})
	}
	return out
}

// TestNameError checks that the error gives the name and its place.
func TestNameError(t *testing.T) {
	g := grammars.Must("assign")
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// a = 0;\nb = b;\n
	tree, err := derive.NewMachine(g, derive.Options{}).Run(ctx, derive.Strict([]int{1, 0, 4, 0, 0, 1, 3, 1}))
	if err != nil {
		t.Fatal(err)
	}
	err = names.Check(tree)
	if bad := new(gctx.NameError); !errors.As(err, &bad) || bad.Error() != `2:5: "b" is used before it is defined (namespace var)` {
		t.Errorf("%q: %v", tree.Text(), err)
	}
}

// TestUndefined checks that a name which may be used before it is defined must be defined in the same
// scope, and that the error has the place of its first use.
func TestUndefined(t *testing.T) {
	g, _, err := load.Source("g.ebnf", []byte(`@forward(f) s = item* ;
item = "d" n @fresh(f) | "u" n @use(f) | ("{" item* "}") @scope(other) @scope(f) | "\n" ;
n = [a-z]+ ;`), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := textparse.New(ctx, g, textparse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"ux{uxdy}dx":         "",
		"{uxdx}ux\ndx":       "",
		"uxdy":               `1:2: "x" is used and not defined in its scope (namespace f)`,
		"dx{uy\nuy}dy":       `1:5: "y" is used and not defined in its scope (namespace f)`,
		"{uxdx}\n{dy}uxuydx": `2:8: "y" is used and not defined in its scope (namespace f)`,
		"ux{dx}dx":           `1:5: "x" is defined again (namespace f)`,
		"ulongdlong":         "",
	} {
		forest, err := p.Parse(ctx, "text", text)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := forest.Tree(ctx)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := names.Check(tree); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s", text, cmp.Diff(want, got))
		}
	}
}
