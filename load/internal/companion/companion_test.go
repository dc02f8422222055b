package companion

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/load/internal/abnf"
	"github.com/gramfuzz/gramfuzz/load/internal/iso"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// apply reads an ABNF grammar and applies its companion.
func apply(t *testing.T, src, more string) (*syntax.Grammar, grammar.Diagnostics) {
	t.Helper()
	g, ds := abnf.Parse("g.abnf", []byte(src))
	c, bad := Parse("g.abnf.gramfuzz", []byte(more))
	if bad.Err() != nil {
		return g, bad
	}
	return g, c.Apply(g, ds)
}

func TestApply(t *testing.T) {
	for _, tt := range []struct{ name, src, more, want string }{
		{"prose", "a = <any CHAR> / \"1\"", "<any CHAR> = [x-z] ;", "a = (| <any CHAR> \"1\")\n<any CHAR> = ['x'-'z']\n"},
		{"replace", "a = b\nb = \"1\"", "# c\nB = \"2\" | \"3\" ;", "a = b\nb = (| \"2\" \"3\")\n"},
		{"missing", "a = 1*OWS", "ows = \" \" ;", "a = ows{1,-1}\nows = \" \"\n"},
		{"drop", "a = \"1\"\nb = \"2\"", "%drop b", "a = \"1\"\n"},
		{"tokens", "a = num \"+\" num\nnum = dig *dig\ndig = %x30-39 / odd\nodd = \"_\"\nws = \" \"", "%token num\n%skip ws # layout",
			"a = (num \"+\" num)\ntoken num = (dig dig{0,-1})\nfragment dig = (| ['0'-'9'] odd)\nfragment odd = \"_\"\nskip ws = \" \"\n"},
		{"shared parts stay", "a = num dig\nnum = dig *dig\ndig = %x30-39", "%token NUM", "a = (num dig)\ntoken num = (dig dig{0,-1})\ndig = ['0'-'9']\n"},
		{"native marks", "a = b \"1\"", "@token b = c ; c = [a-z] ;\n@skip s = \" \" ;",
			"a = (b \"1\")\ntoken b = c\nfragment c = ['a'-'z']\nskip s = \" \"\n"},
		{"fragment and rule", "a = b\nb = c\nc = \"1\"", "%token b c\n%fragment c\n%rule b", "a = b\nb = c\nfragment c = \"1\"\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, ds := apply(t, tt.src, tt.more)
			if len(ds) > 0 {
				t.Fatal(ds)
			}
			if diff := cmp.Diff(tt.want, notationtest.Shape(g)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestProseOfOtherNotations(t *testing.T) {
	g, ds := iso.Parse("g", []byte("a = ? some letter ?, ? a  digit ?;"))
	c, bad := Parse("g.gramfuzz", []byte("<some letter> = [a-z] ;\n<? a digit ?> = [0-9] ;"))
	if bad.Err() != nil {
		t.Fatal(bad)
	}
	ds = c.Apply(g, ds)
	if len(ds) > 0 {
		t.Error(ds)
	}
	_, ds = notationtest.Freeze(g)
	if len(ds) > 0 {
		t.Error(ds)
	}
}

// TestProseSpaced checks that the number of blanks in prose does not matter.
func TestProseSpaced(t *testing.T) {
	g, ds := apply(t, "a = < any  letter > / <any letter> a", "<any letter> = [a-z] ;")
	if len(ds) > 0 {
		t.Error(ds)
	}
	want := "a = (| < any  letter > (< any  letter > a))\n< any  letter > = ['a'-'z']\n"
	if diff := cmp.Diff(want, notationtest.Shape(g)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestStartWeightsAnnotations(t *testing.T) {
	g, ds := apply(t, "a = \"1\"\nlet = name \"=\" name / <x y> / let\nname = \"n\"",
		"%start LET\n%weight let 3 0 1\n%annotate let:name#1 @define(var) @fresh\n%annotate let:name#2 @use(var, \"b\")\n%annotate let:<x y> @q\n%annotate let @scope(var)\n<x y> = \"2\" ;")
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	let := g.Rules[1]
	notes := map[string][]string{}
	collect := func(what string, as []grammar.Annotation) {
		for _, a := range as {
			notes[what] = append(notes[what], a.Name+" "+strings.Join(a.Args, "/")+" "+a.Pos.String())
		}
	}
	seq := let.Body.Children[0]
	collect("first", seq.Children[0].Annotations)
	collect("second", seq.Children[2].Annotations)
	collect("prose", let.Body.Children[1].Annotations)
	collect("rule", let.Annotations)
	want := map[string][]string{
		"first":  {"define var g.abnf.gramfuzz:3:22", "fresh  g.abnf.gramfuzz:3:35"},
		"second": {"use var/b g.abnf.gramfuzz:4:22"},
		"prose":  {"q  g.abnf.gramfuzz:5:21"},
		"rule":   {"scope var g.abnf.gramfuzz:6:15"},
	}
	if diff := cmp.Diff(want, notes); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff([]int{3, 0, 1}, let.Body.Weights); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if frozen, _ := notationtest.Freeze(g); frozen.Start.Name != let.Name {
		t.Errorf("start is %v", frozen.Start.Name)
	}
}

func TestErrors(t *testing.T) {
	const src = "a = b c b / \"1\"\nb = \"2\"\nc = \"3\" / \"4\""
	for _, tt := range []struct{ more, want string }{
		{"%start", "1:1: %start says too little; write %start NAME"},
		{"%start a b", "1:10: %start says too much; write %start NAME"},
		{"\n %start x", `2:9: the grammar has no rule "x"; name a rule of the grammar or of this file`},
		{"%tokens a", "1:1: unknown directive %tokens; the directives are %start, %token, %skip, %fragment, %rule, %drop, %lexing, %weight and %annotate"},
		{"%lexing maximal", `1:9: unknown lexing "maximal"; write %lexing context`},
		{"%token a x", `1:10: the grammar has no rule "x"; name a rule of the grammar or of this file`},
		{"%weight a 1", `1:9: rule "a" has 2 alternatives, but 1 weight is given; write one weight for each of at least two alternatives, in order`},
		{"%weight b 1 2", `1:9: rule "b" has 1 alternative, but 2 weights are given; write one weight for each of at least two alternatives, in order`},
		{"%weight a 1 -2", `1:13: "-2" is not a weight; write whole numbers from 0 to 1000000`},
		{"%weight a 0 0", `1:11: all weights of rule "a" are 0; give one alternative a weight above 0`},
		{"%annotate a:b", "1:1: %annotate has no annotation; write %annotate RULE:REF @define(var)"},
		{"%annotate b:c @x", `1:11: rule "b" does not refer to "c"; name a rule that it refers to`},
		{"%annotate a:b#3 @x", `1:11: rule "a" refers to "b" 2 times, so there is no #3; count from 1 in the order they are written`},
		{"%annotate a:b @(x)", "1:15: this is not an annotation; write it as @name or @name(a, b)"},
		{"%drop a @x", "1:9: %drop takes no annotation; write %annotate RULE:REF @define(var)"},
		{"%start <a", `1:8: "<" does not fit into a directive; write names, and those that are not plain words in < >`},
	} {
		_, ds := apply(t, src, tt.more)
		want := "g.abnf.gramfuzz:" + tt.want
		if got := ds.Error(); got != want {
			t.Errorf("%s: %s, want %s", tt.more, got, want)
		}
	}
}

func TestAllErrorsAtOnce(t *testing.T) {
	_, ds := Parse("f", []byte("%start\nx = ( ;\n%weird\n"))
	var lines []int
	for _, d := range ds {
		lines = append(lines, d.Pos.Line)
	}
	if diff := cmp.Diff([]int{1, 2, 3}, lines); diff != "" {
		t.Errorf("-want +got\n%s\n%v", diff, ds)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"%start a\n%token b c # x\n<x y> = [a-z] ;", "%annotate a:<b c>#2 @define(v, \"w\")", "%weight a 1 2\n%drop a", "%", "%skip <"} {
		f.Add([]byte(s))
	}
	blind.Fuzz(f, func(t *testing.T, data []byte) {
		c, ds := Parse("f", data)
		if ds.Err() != nil {
			return
		}
		g, ds := abnf.Parse("g.abnf", []byte("a = b *c / \"1\"\nb = <x y>\nc = \"3\" / \"4\""))
		if c.Apply(g, ds).Err() == nil {
			notationtest.Freeze(g)
		}
	})
}
