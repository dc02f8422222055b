package context_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	gparse "github.com/gramfuzz/gramfuzz/parse"
)

// A hook replaces digits by numbers from 10 to 99. Its draws are part of the choice sequence,
// so a replay makes the same text.
func ExampleHook() {
	g := grammars.Must("assign")
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		log.Fatal(err)
	}
	numbers := gctx.Hook{Name: "numbers", Rule: "digit", Pre: func(c *gctx.Call) (string, bool, error) {
		v, err := c.Choose(90)
		return fmt.Sprint(10 + v), true, err
	}}
	m, err := gctx.Attach(g, names, derive.Options{}, numbers)
	if err != nil {
		log.Fatal(err)
	}
	tree, err := m.Run(context.Background(), derive.Replay([]int{1, 2, 4, 32, 0, 3, 0, 0}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(tree.Text())
	// Output:
	// c = 42;
	// d = c + c + c;
}

// A hook sees the types of names: it prints all that are visible, each by the verb of its type.
func ExampleCall_Names() {
	g := load.MustString(`program = ( text | number )* "printf(" rest ")" ;
text = "char *" [a-z] @fresh(v, text) "; " ;
number = "int " [a-z] @fresh(v, number) "; " ;
rest = "" ;`)
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		log.Fatal(err)
	}
	all := gctx.Hook{Name: "all", Rule: "rest", Pre: func(c *gctx.Call) (string, bool, error) {
		format, args := "", ""
		for name, of := range c.Names("v") {
			format += map[string]string{"text": "%s", "number": "%d"}[of]
			args += ", " + name
		}
		return fmt.Sprintf("%q%s", format, args), true, nil
	}}
	m, err := gctx.Attach(g, names, derive.Options{}, all)
	if err != nil {
		log.Fatal(err)
	}
	tree, err := m.Run(context.Background(), derive.Replay([]int{3, 0, 3, 1, 1, 1, 0}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(tree.Text())
	// Output: char *d; int b; printf("%s%d", d, b)
}

// A machine that obeys the annotations uses no name before its definition.
func ExampleNewMachine() {
	m, err := gctx.NewMachine(grammars.Must("assign"), derive.Options{})
	if err != nil {
		log.Fatal(err)
	}
	tree, err := m.Run(context.Background(), derive.Replay([]int{1, 2, 4, 1, 0, 3, 0, 0}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(tree.Text())
	// Output:
	// c = 1;
	// d = c + c + c;
}

// A parser ignores names; Check finds the first wrong one.
func ExampleNames_Check() {
	g := grammars.Must("assign")
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		log.Fatal(err)
	}
	p, err := gparse.New(context.Background(), g, gparse.Options{})
	if err != nil {
		log.Fatal(err)
	}
	forest, err := p.Parse(context.Background(), "program", "a = 0;\nb = c;\n")
	if err != nil {
		log.Fatal(err)
	}
	tree, err := forest.Tree(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	wrong := new(gctx.NameError)
	if err := names.Check(tree); errors.As(err, &wrong) {
		fmt.Println(err)
		fmt.Println(wrong.Name, wrong.Line)
	}
	// Output:
	// 2:5: "c" is used before it is defined (namespace var)
	// c 2
}
