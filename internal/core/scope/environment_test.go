package scope

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/load"
)

// TestEnvNames checks that hooks see all names that a use may have: those of outer scopes and of the
// innermost one, a hidden one with its new type, and those that are not defined yet.
func TestEnvNames(t *testing.T) {
	g := load.MustString(`@forward(f) s = n @shadow(v, int) (n @shadow(v, ptr) n @use(v, ptr) n @use(f)) @scope(v) n @fresh(f) ; n = [abc] ;`)
	names, err := New(g, false, 3)
	if err != nil {
		t.Fatal(err)
	}
	env := names.NewEnv()
	var got []string
	note := func(when string) {
		for _, namespace := range []string{"v", "f"} {
			for name, of := range env.Names(namespace) {
				when += " " + name + ":" + of
			}
		}
		got = append(got, when)
	}
	seq := g.Start.Body
	block := seq.Children[1]
	env.Enter(names.At(seq))
	env.Take(names.At(seq.Children[0]), 0)
	note("outside")
	env.Enter(names.At(block))
	note("inside")
	env.Take(names.At(block.Children[0]), 0)
	note("hidden")
	env.Take(names.At(block.Children[2]), 0)
	note("early")
	env.Leave(names.At(block), nil)
	note("behind")
	want := []string{"outside a:int", "inside a:int", "hidden a:ptr", "early a:ptr a:", "behind a:int a:"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("names in play (-want +got):\n%s", d)
	}
}
