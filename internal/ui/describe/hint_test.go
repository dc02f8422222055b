package describe

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

func TestMissed(t *testing.T) {
	for _, test := range []struct {
		name   string
		o      sample.Options
		n      int
		missed bool
	}{
		{"go", sample.Options{}, 1000, true},
		{"json", sample.Options{}, 10_000, false},
		{"go", sample.Options{Strategy: sample.Walk}, 1000, false},
		{"go", sample.Options{Bound: count.Depth(40)}, 1000, false}, // too large to be computed
	} {
		missed, all := MissedParts(t.Context(), grammars.Must(test.name), test.o, test.n)
		if missed > 0 != test.missed || missed > all {
			t.Errorf("%s, %+v: %d of %d missed, want some: %v", test.name, test.o, missed, all, test.missed)
		}
	}
}

func TestSpelled(t *testing.T) {
	const rest = `program = decl+ ; decl = "int " name " = " expr ";" ; expr = int | name | name "+" name ; name = [a-c] ; `
	for _, test := range []struct{ src, want string }{
		{rest + `int = [1-9] digits ; digits = "" | [0-9] digits ;`, "int"},
		{rest + `int = [1-9] [0-9]* ;`, "int"},
		{rest + `int = digit | int digit ; digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" ;`, "int"},
		{rest + `@token int = [1-9] digits ; @fragment digits = "" | [0-9] digits ;`, ""},
		{rest + `int = [0-9] ;`, ""},
		{rest + `int = [01]+ ;`, ""},                          // two characters drown little
		{`s = [a-z]* ;`, ""},                                  // the start is no token
		{`s = e ";" ; e = [0-9] | e "+" e | "(" e ")" ;`, ""}, // an operator between two
		{`s = ("a" | word)* ; word = [0-9]{9} ;`, ""},         // one length only
	} {
		rules, share := Spelled(t.Context(), load.MustString(test.src))
		got := ""
		if share > 0.5 {
			got = rules[0].Name
		}
		if got != test.want || share > 1 {
			t.Errorf("%s: %q with %.2f, want %q", test.src, got, share, test.want)
		}
	}
}

func TestNote(t *testing.T) {
	g := load.MustString("s = (\"let \" name)* ;\nname = [a-z]+ ;")
	d, ok := UniformNote(t.Context(), g)
	want := `2:1: note: 93 % of the terminals of uniform sentences are characters of rule "name", which leave little for the rest; put @token before its name, and each counts as one terminal`
	if !ok || d.String() != want {
		t.Errorf("%v, want %s", d, want)
	}
	if d, ok := UniformNote(t.Context(), grammars.Must("json")); ok {
		t.Error(d)
	}
}
