package context_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"strings"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/load"
)

// The ComplexFuzzer of the post "Reducing generators": three user-written functions keep a
// grammar of assignments from using a name before the end of the statement that defines it.
func ExampleAttach() {
	g, _, err := load.Source("assignments.ebnf", []byte(`
assignments = assign | assign ";\n" assignments ;
assign = var " = " expr end ;
expr = expr " + " expr | expr " - " expr | "(" expr ")" | value | digit ;
value = var ;
var = [a-z] ;
digit = "0" | "1" ;
end = "" ;
`), load.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var vars, defining []string
	definingVar := gctx.Hook{Name: "defining", Rule: "var", In: "assign", Post: func(c *gctx.Call, text string) error {
		defining = append(defining, text)
		c.OnUndo(func() { defining = nil })
		return nil
	}}
	definedVar := gctx.Hook{Name: "defined", Rule: "value", Pre: func(c *gctx.Call) (string, bool, error) {
		if len(vars) == 0 {
			return "00", true, nil
		}
		i, err := c.Choose(len(vars))
		if err != nil {
			return "", false, err
		}
		return vars[i], true, nil
	}}
	sync := gctx.Hook{Name: "sync", Rule: "end", Post: func(c *gctx.Call, _ string) error {
		vars, defining = append(vars, defining...), nil
		c.OnUndo(func() { vars = nil })
		return nil
	}}
	m, err := gctx.Attach(g, nil, derive.Options{MaxDepth: 12}, definingVar, definedVar, sync)
	if err != nil {
		log.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(6, 0))
	walk := derive.ChooserFunc(func(d *derive.Decision) (int, error) { return d.Value(rng.IntN(d.N)), nil })
	early, shown := 0, false
	for range 5000 {
		tree, err := m.Run(context.Background(), walk)
		if err != nil {
			log.Fatal(err)
		}
		if text := tree.Text(); !shown && strings.Count(text, "\n") == 2 && len(text) < 80 && strings.Contains(text, "(") {
			fmt.Println(text)
			shown = true
		}
		known := map[string]bool{}
		for _, line := range strings.Split(tree.Text(), "\n") {
			name, expr, _ := strings.Cut(line, " = ")
			for _, word := range strings.FieldsFunc(expr, func(r rune) bool { return r < 'a' || r > 'z' }) {
				if !known[word] {
					early++
				}
			}
			known[name] = true
		}
	}
	fmt.Println("used too early:", early)
	// Output:
	// x = 00 + 0 - (00) - 00 - 0;
	// y = x;
	// k = y
	// used too early: 0
}
