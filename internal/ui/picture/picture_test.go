package picture

import (
	"context"
	"flag"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a picture with its golden file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (go test -run %s -update, and look at it in a browser): -want +got:\n%s", path, t.Name(), d)
	}
}

// TestRailroadGolden draws each kind of expression; the golden files were checked in a browser.
func TestRailroadGolden(t *testing.T) {
	for name, src := range map[string]string{
		"choice.svg":   `s = "a" | "b" s | "" | [0-9a-f] ;`,
		"loop.svg":     `s = "a"? "b"* "c"+ "d"{2,5} ;`,
		"wrap.svg":     `s = "one long word" "another long word" "a third long word" "a fourth long word" "a fifth long word" ("x" | s) "the end" ;`,
		"unlike.svg":   `s = t ; @token t = [a-z]+ - ("if" | "else") ;`,
		"nothing.svg":  `s = "" ;`,
		"one-word.svg": `s = "<&>\"'\u202e" ;`,
	} {
		g := load.MustString(src)
		views := rules(g, map[int]string{1: "drowned: taken 1e-05 times a sentence"})
		svg := string(views[len(views)-1].Diagram)
		look(t, svg)
		golden(t, name, svg)
	}
}

// boxes counts the boxes of an expression drawn in full.
func boxes(e *grammar.Expr) int {
	switch {
	case e.IsEmpty() && e.Field == nil:
		return 0
	case e.Op == grammar.Ref && e.Rule != nil && e.Rule.Inline:
		return boxes(e.Rule.Body)
	case e.Op == grammar.Lit, e.Op == grammar.Class, e.Op == grammar.Ref:
		return 1
	}
	n := 0
	if e.Op == grammar.Diff {
		n++ // the frame
	}
	for _, k := range e.Children {
		n += boxes(k)
	}
	return n
}

func grammarPageOf(t *testing.T, g *grammar.Grammar, ds grammar.Diagnostics) string {
	t.Helper()
	var page strings.Builder
	contents, err := describe.ContentsOf(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteGrammar(t.Context(), &page, g, contents, ds); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// TestAllGrammars: the pages of all shipped grammars show every part of every rule, in pictures
// that fit on the page, and every name leads to its rule.
func TestAllGrammars(t *testing.T) {
	for _, name := range grammars.Names("texts", "formats") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := grammars.Must(name)
			d := look(t, grammarPageOf(t, g, nil))
			want, drawnRules := 0, 0
			for _, r := range g.Rules {
				if !r.Inline {
					body := r.Body
					if r.Written != nil {
						body = r.Written
					}
					want, drawnRules = want+boxes(body), drawnRules+1
				}
			}
			got := 0
			for _, class := range d.rects {
				if class != "dot" {
					got++
				}
			}
			if !d.has("Not counted") {
				drawnRules++ // the curve
			}
			if got != want || d.pictures != drawnRules {
				t.Errorf("%d boxes in %d pictures, want %d in %d", got, d.pictures, want, drawnRules)
			}
			if d.width > diagramWidth {
				t.Errorf("a picture is %g wide", d.width)
			}
			for _, to := range d.links {
				if !d.anchors[to] {
					t.Errorf("a name leads to %q, which is not there", to)
				}
			}
		})
	}
}

// TestMarks: recursion and drowned alternatives are marked, and nothing else.
func TestMarks(t *testing.T) {
	g := load.MustString(`s = list | word ; list = "[" s* "]" ; word = "yes" | "(" [a-z]{9} ")" ;`)
	views := rules(g, map[int]string{g.Rule("word").Body.FirstAlt: "drowned: rare"})
	for i, want := range []struct {
		name                 string
		recursive            bool
		again, plain, losses int
	}{{"s", true, 1, 1, 0}, {"list", true, 1, 0, 0}, {"word", false, 0, 0, 1}} {
		v := views[i]
		d := look(t, string(v.Diagram))
		again, plain := 0, 0
		for _, class := range d.rects {
			switch class {
			case "rec":
				again++
			case "rule":
				plain++
			}
		}
		losses := strings.Count(string(v.Diagram), `<path class="lost"`)
		if v.Name != want.name || v.Recursive != want.recursive || again != want.again || plain != want.plain || losses != want.losses {
			t.Errorf("%s: recursive %v, %d names lead back, %d do not, %d drowned lines; want %+v", v.Name, v.Recursive, again, plain, losses, want)
		}
		if d.has("drowned: rare") != (want.losses > 0) {
			t.Errorf("%s: %q", v.Name, d.texts)
		}
	}
}

// hostile is text that controls terminals, ends elements, and reverses the direction of
// writing.
var hostile = blind.Hostile() + "</text></svg><script>alert(1)</script><!-- ]]> & \x1b[2J\x00\x07\x7f\u202e\u2066\u200b\u2028 \" onload='x'\xff\xfe"

// TestHostile: hostile text in a grammar, a message or a sentence does not break pages and
// pictures. look checks the conditions.
func TestHostile(t *testing.T) {
	g := load.MustString(fmt.Sprintf("s = %q | %q s @define(x) | [<>&\\u202e\\x1b\\x00] | t ; t = \"plain\" ;", "</script><script>\x1b[2J", "\u202e\u2066\x00\x7f]]>"))
	g.Name = hostile
	for _, e := range g.Exprs {
		if e.Op == grammar.Lit {
			e.Text += hostile
		}
	}
	for _, r := range g.Rules { // no notation allows such names, but a page must not depend on that
		r.Name += hostile
	}
	for _, e := range g.Exprs {
		if e.Op == grammar.Ref {
			e.Name = e.Rule.Name
		}
		e.Pos.File = hostile
	}
	ds := grammar.Diagnostics{{Message: hostile, Hint: hostile, Pos: grammar.Pos{File: hostile, Line: 1, Col: 1}, Rule: hostile}}
	d := look(t, grammarPageOf(t, g, ds))
	for _, want := range []string{`<script>alert(1)</script>`, `\x1b[2J`, `\u202e`, "s</text></svg>"} {
		if !d.has(want) {
			t.Errorf("the page of the grammar does not show %q", want)
		}
	}
	src := drawer(t, g, sample.Options{Seed: 1, Bound: count.Sizes(1, 4, grammar.Terminals)})
	d = look(t, samplingPageOf(t, g, sample.Options{Bound: count.Sizes(1, 4, grammar.Terminals)}, src, 10))
	if !d.has("<script>") {
		t.Error("the page of a prediction does not show the alternatives")
	}
	for i := range uint64(20) {
		tree, err := src.Tree(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if _, err := WriteTree(&b, tree); err != nil {
			t.Fatal(err)
		}
		look(t, b.String())
	}
}

func drawer(t *testing.T, g *grammar.Grammar, o sample.Options) describe.Source {
	t.Helper()
	s, err := sample.New(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	return s.Source()
}

func samplingPageOf(t *testing.T, g *grammar.Grammar, o sample.Options, src describe.Source, n int) string {
	t.Helper()
	var page strings.Builder
	x, err := describe.Predict(t.Context(), g, o, "uniform", src, n)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteSampling(t.Context(), &page, x, src); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// TestSampling: the page of a prediction has the shares, which its text does not repeat, and
// lengths.
func TestSampling(t *testing.T) {
	g := load.MustString(`value = "true" | "false" | "(" [a-z]{0,4} ")" ;`)
	o := sample.Options{Bound: count.Depth(1)}
	d := look(t, samplingPageOf(t, g, o, drawer(t, g, o), 1000))
	for _, want := range []string{"475257 derivations", "drowned: 2 of 3 alternatives", `"true"`, "2.1e-06", "100.000 %", "0.000 %", "lengths in bytes", "of 2000 sentences drawn"} {
		if !d.has(want) {
			t.Errorf("the page lacks %q: %q", want, d.texts)
		}
	}
	if drowned := strings.Count(strings.Join(d.texts, "|"), "|drowned|"); drowned != 2 {
		t.Errorf("%d alternatives are marked as drowned", drowned)
	}
	if d.has("2.1e-06  \"true\"") {
		t.Error("the page repeats the list of the text")
	}
	names := []string{"json", "lambda", "zip"}
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		names = grammars.Names("texts", "formats")
	}
	for _, name := range names {
		g, o := grammars.Must(name), sample.Options{Strategy: sample.Walk}
		look(t, samplingPageOf(t, g, o, drawer(t, g, o), 1000))
	}
}

// TestLengths: each sentence is counted in one bar, at its length.
func TestLengths(t *testing.T) {
	for _, test := range []struct {
		of     []int
		labels int
		first  string
	}{{[]int{7, 7, 7}, 1, "7"}, {[]int{0, 27}, 28, "0"}, {[]int{0, 28}, 15, "0–1"}, {[]int{3, 1_000_000_000}, 28, "3–35714288"}} {
		b := lengths(test.of)
		sum := 0.0
		for _, v := range b.Series[0].Values {
			sum += v
		}
		if len(b.Labels) != test.labels || b.Labels[0] != test.first || sum < .999 || sum > 1.001 || b.Series[0].Values[len(b.Labels)-1] == 0 {
			t.Errorf("%v: %q, %v", test.of, b.Labels, b.Series[0].Values)
		}
	}
}

// TestLargeGrammars: grammars of the greatest size and nesting that can be loaded give pages of
// a bounded size with a note of the omissions.
func TestLargeGrammars(t *testing.T) {
	words := make([]string, 5_000)
	for i := range words {
		words[i] = fmt.Sprintf(`"w%d"`, i)
	}
	for name, src := range map[string]string{
		"wide":  "s = " + strings.Join(words, " | ") + " ;",
		"long":  "s = " + strings.Join(words, " ") + " ;",
		"deep":  "s = " + strings.Repeat(`("a" | "b" (`, 200) + `"x"` + strings.Repeat(`)? )+`, 200) + " ;",
		"text":  `s = "` + strings.Repeat("x", 200_000) + `" ;`,
		"class": "s = [" + strings.Repeat(`\u4e00-\u4eff`, 1000) + "] ;",
	} {
		g := load.MustString(src)
		views := rules(g, nil)
		svg := string(views[0].Diagram)
		d := look(t, svg)
		if len(svg) > 3_000_000 || d.width > diagramWidth+deepest*150 {
			t.Errorf("%s: %d bytes, %g wide", name, len(svg), d.width)
		}
		if name != "text" && name != "class" && !d.has("not drawn, since the diagram is too large") {
			t.Errorf("%s: nothing is said of what is missing", name)
		}
	}
	g := load.MustString("s = r0 ; " + func() string {
		var b strings.Builder
		for i := range 50 {
			fmt.Fprintf(&b, "r%d = %s r%d | \"x\" ;\n", i, strings.Join(words[:700], " "), (i+1)%50)
		}
		return b.String()
	}())
	size := 0
	for _, v := range rules(g, nil) {
		size += len(v.Diagram)
	}
	if size > 20_000_000 {
		t.Errorf("a page of %d bytes", size)
	}
}

func replay(t *testing.T, g *grammar.Grammar, choices []int) *derive.Tree {
	t.Helper()
	tree, err := derive.NewMachine(g, derive.Options{}).Run(t.Context(), derive.Replay(choices))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestTreeGolden(t *testing.T) {
	var b strings.Builder
	if _, err := WriteTree(&b, replay(t, grammars.Must("json"), []int{5, 1, 1, 3})); err != nil {
		t.Fatal(err)
	}
	look(t, b.String())
	golden(t, "tree.svg", b.String())
}

// TestTrees: small trees are drawn in full, large ones in part; omitted nodes are counted.
func TestTrees(t *testing.T) {
	g := load.MustString(`s = "(" s ")" | "x"* ;`)
	ones := slices.Repeat([]int{1}, 100_000)
	for _, test := range []struct {
		name    string
		choices []int
		text    int // length of the text
		hides   bool
	}{
		{"empty", []int{1, 0}, 0, false},
		{"small", []int{0, 0, 1, 1, 1, 0}, 6, false},
		{"wide", append(slices.Clone(ones), 0), 99_999, true},
		{"deep", append(make([]int, 50_000), 1, 0), 100_000, true},
	} {
		tree := replay(t, g, test.choices)
		if n := len(tree.Text()); n != test.text {
			t.Fatalf("%s: a text of %d bytes", test.name, n)
		}
		all := 0
		describe.Nodes(tree, func(describe.Node) { all++ })
		var b strings.Builder
		hidden, err := WriteTree(&b, tree)
		if err != nil {
			t.Fatal(err)
		}
		d := look(t, b.String())
		shown := 0
		for _, class := range d.rects {
			if class != "fold" {
				shown++
			}
		}
		if shown+hidden != all || hidden > 0 != test.hides || shown > mostNodes || b.Len() > 400_000 {
			t.Errorf("%s: %d nodes drawn, %d hidden, of %d, in %d bytes", test.name, shown, hidden, all, b.Len())
		}
		if test.hides && !d.has(fmt.Sprintf("%d nodes not drawn; parse --tree prints all", hidden)) {
			t.Errorf("%s: %q", test.name, d.texts[:3])
		}
	}
	for _, name := range grammars.Names("texts", "formats") {
		g := grammars.Must(name)
		s := drawer(t, g, sample.Options{Seed: 7, Strategy: sample.Walk})
		for i := range uint64(3) {
			tree, err := s.Tree(context.Background(), i)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if _, err := WriteTree(&b, tree); err != nil {
				t.Fatal(err)
			}
			look(t, b.String())
		}
	}
}

// TestGrowth: a curve stays inside its picture for all kinds of numbers.
func TestGrowth(t *testing.T) {
	huge := new(big.Int).Exp(big.NewInt(10), big.NewInt(5000), nil)
	for _, counts := range [][]*big.Int{
		{big.NewInt(0)}, {big.NewInt(1)}, {big.NewInt(1), big.NewInt(0), big.NewInt(10)}, {big.NewInt(7), huge},
	} {
		var b strings.Builder
		s := growth(count.Sizes(3, 2+len(counts), grammar.Terminals), counts)
		if err := s.WriteTo(&b, growthWidth, growthHeight, "t", true); err != nil {
			t.Fatal(err)
		}
		d := look(t, b.String())
		points := 0
		for i, n := range counts {
			if n.Sign() > 0 {
				points++
				if !d.has(fmt.Sprintf("size %d: %s", 3+i, map[bool]string{true: "1.00·10^5000", false: n.String()}[n == huge])) {
					t.Errorf("%v: %q", counts, d.texts)
				}
			}
		}
		if len(d.rects) != points {
			t.Errorf("%v: %d points, want %d", counts, len(d.rects), points)
		}
	}
	if got := log10(huge); got < 4999.999 || got > 5000.001 {
		t.Errorf("log10(10^5000) = %g", got)
	}
}

// TestRealGrammars: real grammars fit on a page without folding.
func TestRealGrammars(t *testing.T) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("set GRAMFUZZ_DATA to the data folder to draw grammars of others")
	}
	dirs, err := filepath.Glob(filepath.Join(data, "grammars", "dev", "*"))
	if err != nil {
		t.Fatal(err)
	}
	drawn := 0
	for _, dir := range dirs {
		g, _, err := load.File(dir, load.Options{})
		if err != nil {
			continue // a folder of several grammars
		}
		drawn++
		for _, v := range rules(g, nil) {
			if d := look(t, string(v.Diagram)); d.width > diagramWidth || slices.Contains(d.rects, "fold") {
				t.Errorf("%s, rule %s: %g wide, or folded", filepath.Base(dir), v.Name, d.width)
			}
		}
	}
	if drawn < 20 {
		t.Errorf("only %d grammars loaded", drawn)
	}
}
