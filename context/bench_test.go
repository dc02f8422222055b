package context_test

import (
	"math/rand/v2"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
)

// BenchmarkHooks walks over assignment programs without hooks, with the three hooks of the
// post, and with annotations, and reports the time per node.
func BenchmarkHooks(b *testing.B) {
	annotated := `program = assign ";" @commit(v) | assign ";" @commit(v) program ;
assign = var @define(v) "=" expr ;
expr = expr "+" expr | use | "0" ;
use = var @use(v) ;
var = [a-c] ;`
	for _, kind := range []string{"plain", "hooks", "annotations"} {
		b.Run(kind, func(b *testing.B) {
			src := plainAssign
			if kind == "annotations" {
				src = annotated
			}
			g := parse(b, "bench", src)
			o := derive.Options{MaxDepth: 14}
			var visible, pending []string
			hooks := []gctx.Hook{
				{Name: "defining", Rule: "var", In: "assign", Post: func(c *gctx.Call, text string) error {
					pending = append(pending, text)
					return nil
				}},
				{Name: "defined", Rule: "use", Pre: func(c *gctx.Call) (string, bool, error) {
					if len(visible) == 0 {
						return "00", true, nil
					}
					i, err := c.Choose(len(visible))
					return visible[i], true, err
				}},
				{Name: "sync", Rule: "assign", Post: func(c *gctx.Call, _ string) error {
					visible, pending = append(visible, pending...), pending[:0]
					c.OnUndo(func() { visible, pending = visible[:0], pending[:0] })
					return nil
				}},
			}
			var m *derive.Machine
			var err error
			switch kind {
			case "plain":
				m = derive.NewMachine(g, o)
			case "hooks":
				m, err = gctx.Attach(g, nil, o, hooks...)
			default:
				m, err = gctx.NewMachine(g, o)
			}
			if err != nil {
				b.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 2))
			nodes := 0
			for b.Loop() {
				t, err := m.Run(ctx, walker(rng))
				if err != nil {
					b.Fatal(err)
				}
				nodes += len(t.Nodes())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
		})
	}
}
