package describe_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
	"github.com/gramfuzz/gramfuzz/load"
)

// TestUnsatisfied checks the warnings about annotations that nothing can satisfy.
func TestUnsatisfied(t *testing.T) {
	const visible, bound = " can be visible here, so this is in no sentence; define one before it, in the same scope or around it", "g.ebnf:1:7: warning: no text of \"t\" is bound before this; bind one with @bind before it"
	for src, want := range map[string]string{
		`s = "u" n @use(f) "d" n @fresh(f) ;`:                                                    `g.ebnf:1:11: warning: no name in namespace "f"` + visible,
		`s = "x" | t ; t = ("d" n @fresh(f)) @scope(f) n @use(f) ;`:                              `g.ebnf:1:49: warning: no name in namespace "f"` + visible,
		`s = "x" | n @use(f) s | n @fresh(f) s ;`:                                                "",
		`s = "x" | n @use(f) s | s n @fresh(f) ;`:                                                `g.ebnf:1:13: warning: no name in namespace "f"` + visible,
		`s = ("d" n @fresh(f, int) | n @use(f, ptr))* n @fresh(f, ptr) ;`:                        `g.ebnf:1:31: warning: no name of type ptr in namespace "f"` + visible,
		`s = ("d" n @fresh(f, int) | n @use(f, ptr, int))* n @fresh(f, ptr) ;`:                   "",
		`s = ("x" | n @use(f, int, ptr) n @fresh(f, int)) n @use(f, int) | n @fresh(f, ptr) s ;`: "",
		`s = a* ; a = n @define(f) n @use(f) ;`:                                                  "",
		`s = a* ; a = (n @define(f) n @use(f)) @commit(f) ;`:                                     `g.ebnf:1:30: warning: no name in namespace "f"` + visible,
		`s = n @same(t) n @bind(t) | n @bind(t) n @same(t) ;`:                                    bound,
		`@forward(f) s = n @use(f) n @fresh(f) ;`:                                                "",
		`@forward(f) s = n @use(f) (n @fresh(f)) @scope(f) ;`:                                    `g.ebnf:1:1: warning: a name of namespace "f" is used here and cannot be defined in this scope, so this is in no sentence; let the scope have its definition`,
	} {
		g, _, err := load.Source("g.ebnf", []byte(src+` n = [a-z] ;`), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if ds := describe.Unsatisfied(g); len(ds) > 0 {
			got = ds[0].String()
		}
		if got != want {
			t.Errorf("%s\n%s", src, cmp.Diff(want, got))
		}
	}
	for _, name := range []string{"assign", "lambda", "c", "goprog", "sqlite"} {
		if ds := describe.Unsatisfied(grammars.Must(name)); len(ds) > 0 {
			t.Errorf("%s: %v", name, ds)
		}
	}
}

// TestUnsatisfiedAgainstBruteForce checks that no element with a warning is in a sentence, of small
// languages in which one definition is changed.
func TestUnsatisfiedAgainstBruteForce(t *testing.T) {
	warned := 0
	for name, src := range brute.Annotated {
		var changed []string
		for _, at := range regexp.MustCompile(`\w+ @(define|fresh)\((\w+)[^)]*\)`).FindAllStringSubmatchIndex(src, -1) {
			changed = append(changed, src[:at[2]]+"use"+src[at[3]:], // the definition is a use
				src[:at[0]]+"("+src[at[0]:at[1]]+") @scope("+src[at[4]:at[5]]+")"+src[at[1]:]) // it is seen nowhere
		}
		for _, src := range changed {
			g, _, err := load.Source(name+".ebnf", []byte(src), load.Options{})
			if err != nil {
				t.Fatal(err)
			}
			ds := describe.Unsatisfied(g)
			warned += len(ds)
			if len(ds) == 0 {
				continue
			}
			places := map[grammar.Pos]bool{}
			for _, d := range ds {
				places[d.Pos] = true
			}
			l := &brute.Lister{Facts: g.Facts(nil, grammar.Exact), Limit: 5, Most: 5000}
			m := derive.NewMachine(g, derive.Options{})
			for _, d := range l.List(g.Root, 30) {
				tree, err := m.Run(t.Context(), derive.Strict(d.Choices))
				if err != nil {
					t.Fatal(err)
				}
				if brute.Obeys(tree, nil) != nil {
					continue
				}
				for _, n := range tree.Nodes() {
					if slices.ContainsFunc(n.Expr.Annotations, func(a grammar.Annotation) bool { return a.Name == "use" && places[a.Pos] }) {
						t.Fatalf("%s: %v, but %q is a sentence", g.Name, ds, tree.Text())
					}
				}
			}
		}
	}
	if warned < 10 {
		t.Errorf("only %d warnings", warned)
	}
}
