package grammar_test

import (
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/load"
)

func TestShape(t *testing.T) {
	tests := []struct {
		src       string
		recursive string
		finite    bool
	}{
		{`a = "x" | b ; b = "y" ;`, "", true},
		{`a = "x" | "(" a ")" ;`, "a", false},
		{`a = b | "x" ; b = "(" c ")" ; c = a "," | "z" ;`, "a b c", false},
		{`a = "x"* ;`, "", false},
		{`a = "x"{0,9} ;`, "", true},
		{`a = ""* "x" ;`, "", true},
		{`a = "x" | dead ; dead = dead "y" ;`, "", true},
		{`a = "x" ; other = "y" | other "y" ;`, "", true},
		{`a = T ; @token T = [0-9]+ ;`, "", false},
	}
	for _, test := range tests {
		g, err := load.String(test.src)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range g.Recursive() {
			names = append(names, r.Name)
		}
		if got := strings.Join(names, " "); got != test.recursive || g.Finite() != test.finite {
			t.Errorf("%s: recursive %q, finite %v; want %q, %v", test.src, got, g.Finite(), test.recursive, test.finite)
		}
	}
}
