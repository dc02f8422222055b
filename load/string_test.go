package load_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/load"
)

func ExampleString() {
	g, err := load.String(`sum = num ("+" num)* ; num = [0-9]+ ;`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Start.Name, len(g.Rules))

	_, err = load.String(`sum = num ;`)
	fmt.Println(err)
	// Output:
	// sum 2
	// 1:7: rule "num" is not defined; did you mean "sum"?
}

// This example reads a grammar in one notation and writes it in another.
func ExamplePrint() {
	g := load.MustString(`list = "[" item+ "]" ; item = [a-c] | list ;`)
	text, lost, err := load.Print(g, "abnf")
	fmt.Println(text, lost, err)
	// Output:
	// list = "[" 1*item "]"
	// item = %x61-63 / list
	//   <nil>
}

// Warnings and notes are returned beside the grammar; an error is returned instead of it.
func ExampleSource() {
	g, found, err := load.Source("sum.ebnf", []byte(`sum = sum "+" num | num ; num = [0-9] ; old = "x" ;`), load.Options{})
	fmt.Println(g.Name, err)
	for _, d := range found {
		fmt.Println(d)
	}
	// Output:
	// sum <nil>
	// sum.ebnf:1:1: note: rule "sum" is left-recursive (sum → sum); nothing to do: left recursion is no trouble here
	// sum.ebnf:1:41: warning: rule "old" cannot be reached from "sum"; refer to it, or remove it
}

func ExampleFormat() {
	out, _ := load.Format("a.ebnf", []byte("a:=  'x'|b ;  # first\nb = ( 'y' ) ;"))
	fmt.Println(string(out))
	// Output:
	// a = 'x' | b ; # first
	// b = ('y') ;
}

// TestMustString: an invalid grammar panics with its errors.
func TestMustString(t *testing.T) {
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, `1:5: rule "b" is not defined`) {
			t.Errorf("panicked with %s", got)
		}
	}()
	load.MustString(`a = b ;`)
}
