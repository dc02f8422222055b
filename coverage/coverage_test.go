package coverage

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

func read(t testing.TB, src string) *grammar.Grammar {
	t.Helper()
	g, err := load.String(src)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestReport(t *testing.T) {
	g := read(t, `e = e "+" d | d | "(" e ")" ; d = [0-9] | "x" ; dead = "y" ;`)
	c, err := New(g, Options{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	// e(e(d("x")) "+" d([0-9]))
	tree, err := derive.NewMachine(g, derive.Options{}).Run(context.Background(), derive.Strict([]int{0, 1, 1, 0, 3}))
	if err != nil {
		t.Fatal(err)
	}
	c.Add(tree)
	r := c.Report()
	type row struct {
		Name  string
		Count uint64
	}
	rows := func(p Part) (out []row) {
		for _, it := range p.Items {
			out = append(out, row{it.Name, it.Count})
		}
		return out
	}
	want := map[string][]row{
		"rules":        {{"e", 2}, {"d", 2}},
		"alternatives": {{`e "+" d`, 1}, {"d", 1}, {`"(" e ")"`, 0}, {"[0-9]", 1}, {`"x"`, 1}},
		"terminals":    {{`"+"`, 1}, {`"("`, 0}, {`")"`, 0}, {"[0-9]", 1}, {`"x"`, 1}},
		"paths":        {{"e > e", 1}, {`e > "+"`, 1}, {"e > d", 2}, {`e > "("`, 0}, {`e > ")"`, 0}, {"d > [0-9]", 1}, {`d > "x"`, 1}},
	}
	got := map[string][]row{"rules": rows(r.Rules), "alternatives": rows(r.Alternatives), "terminals": rows(r.Terminals), "paths": rows(r.Paths)}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if r.Paths.Reached != 5 || r.Paths.Total != 7 || r.Trees != 1 {
		t.Errorf("%d of %d paths, %d trees", r.Paths.Reached, r.Paths.Total, r.Trees)
	}
}

// TestPathsOfRandomGrammars checks on random grammars that every path of a derivation is among
// the paths computed for the grammar, and that a cover reaches all of these.
func TestPathsOfRandomGrammars(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	paths, missed := 0, 0
	for range 300 {
		g := brute.Random(rng)
		for k := 1; k <= 3; k++ {
			res, err := Cover(context.Background(), g, k, Options{})
			if err != nil {
				t.Fatal(err)
			}
			paths += res.Paths
			missed += len(res.Missed)
			c, err := New(g, Options{K: k})
			if err != nil {
				t.Fatal(err)
			}
			for _, tree := range res.Trees {
				c.Add(tree)
			}
			if r := c.Report(); r.Paths.Total-r.Paths.Reached != len(res.Missed) {
				t.Fatalf("k=%d: %d of %d paths, %d missed\n%s", k, r.Paths.Reached, r.Paths.Total, len(res.Missed), load.Native(g))
			}
			if len(res.Missed) > 0 {
				t.Logf("k=%d: missed %v\n%s", k, res.Missed, load.Native(g))
			}
			known(t, g, k)
		}
	}
	t.Logf("%d paths, %d missed", paths, missed)
	if missed > 0 || paths < 2000 {
		t.Errorf("%d of %d paths missed", missed, paths)
	}
}

// known walks at random and checks that all paths met were computed.
func known(t *testing.T, g *grammar.Grammar, k int) {
	t.Helper()
	c, err := New(g, Options{K: k})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(23, uint64(k)))
	m := derive.NewMachine(g, derive.Options{MaxDepth: c.graph.facts.Depth(g.Root, grammar.Any) + 4, Repeat: 2})
	met := uint64(0)
	for range 20 {
		tree, err := m.Run(context.Background(), derive.ChooserFunc(func(d *derive.Decision) (int, error) {
			return d.Value(rng.IntN(d.N)), nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		c.Add(tree)
		var depth []int
		for i := range tree.Nodes() {
			for len(depth) > 0 && depth[len(depth)-1] <= i {
				depth = depth[:len(depth)-1]
			}
			if _, ok := c.graph.symbol(tree.Nodes()[i].Expr); ok {
				depth = append(depth, tree.Nodes()[i].End)
				if len(depth) >= k {
					met++
				}
			}
		}
	}
	sum := uint64(0)
	for _, n := range c.hits {
		sum += n
	}
	if sum != met {
		t.Fatalf("k=%d: %d places of paths, %d of them foreseen\n%s", k, met, sum, load.Native(g))
	}
}

// TestCoverShipped checks that every shipped grammar is covered by far fewer sentences than
// paths.
func TestCoverShipped(t *testing.T) {
	for _, name := range grammars.Names() {
		g := grammars.Must(name)
		for k := 1; k <= 3; k++ {
			res, err := Cover(context.Background(), g, k, Options{})
			if err != nil {
				t.Errorf("%s, k=%d: %v", name, k, err)
				continue
			}
			if len(res.Missed) > 0 || len(res.Trees) > res.Paths {
				t.Errorf("%s, k=%d: %d sentences for %d paths, missed %v", name, k, len(res.Trees), res.Paths, res.Missed)
			}
		}
	}
}

func TestTooManyPaths(t *testing.T) {
	_, err := New(grammars.Must("json"), Options{K: 40, MaxPaths: 1000})
	if !errors.Is(err, ErrTooManyPaths) || !strings.Contains(err.Error(), "length 40,") {
		t.Errorf("%v", err)
	}
}

func TestLearn(t *testing.T) {
	src := `s = a+ ; a = "x" | "y" | "z" ; b = "p" | "q" ;`
	g := read(t, src)
	c, err := New(g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := derive.NewMachine(g, derive.Options{}).Run(context.Background(), derive.Strict([]int{0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 0}))
	if err != nil || tree.Text() != "xxyxxy" {
		t.Fatal(tree, err)
	}
	c.Add(tree)
	learned := g.WithWeights(c.Weights(false))
	if before, src := load.Native(g), load.Native(read(t, src)); before != src {
		t.Errorf("learning changed the grammar:\n%s", before)
	}
	if got := load.Native(learned); !strings.Contains(got, `"x" %2 | "y" %1 | "z" %0`) && !strings.Contains(got, `"x" %2 | "y" | "z" %0`) {
		t.Errorf("as seen:\n%s", got)
	}
	for id, ws := range c.Weights(true) {
		if d := cmp.Diff([]int{130, 217, 652}, ws); d != "" {
			t.Errorf("inverted, choice %d: -want +got\n%s", id, d)
		}
	}
}

// TestHTML checks that the page holds the grammar, escaped and coloured by use, and no link.
func TestHTML(t *testing.T) {
	g := read(t, `s = a | "<b>" ; a = "x"+ ;`)
	c, err := New(g, Options{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := derive.NewMachine(g, derive.Options{}).Run(context.Background(), derive.Strict([]int{0, 1, 0}))
	if err != nil {
		t.Fatal(err)
	}
	c.Add(tree)
	var b strings.Builder
	if err := HTML(&b, c); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<b class="u5" title="once">s</b>`, `<span class="never" title="never">&#34;&lt;b&gt;&#34;</span>`,
		`<span class="u5" title="2 times">&#34;x&#34;</span>`, `<li>s &gt; &#34;&lt;b&gt;&#34;</li>`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in the page\n%s", want, b.String())
		}
	}
	for _, no := range []string{"http:", "https:", "<script", "src="} {
		if strings.Contains(b.String(), no) {
			t.Errorf("%s in the page", no)
		}
	}
}

// TestSharedInlineRules checks that inline rules that share each other are visited once: 60
// levels of two references each have 2^60 ways down.
func TestSharedInlineRules(t *testing.T) {
	const levels = 60
	src := "s = h0 ;"
	for i := range levels - 1 {
		src += fmt.Sprintf(` h%d = h%d | "a" h%[2]d ;`, i, i+1)
	}
	g := read(t, src+fmt.Sprintf(` h%d = "b" ;`, levels-1))
	for _, r := range g.Rules[1:] {
		r.Inline = true
	}
	c, err := New(g, Options{Measure: grammar.Exact})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(c.graph.alternatives()), 2*(levels-1); got != want {
		t.Errorf("%d alternatives, want %d", got, want)
	}
}

// TestOutline checks that the outline of a text, which ends at its tokens, reaches as much as
// its tree.
func TestOutline(t *testing.T) {
	json, expr := grammars.Must("json"), grammars.Must("expr")
	tokens, _, err := load.Source("g.g4", []byte("grammar g; s : (A | B B)* EOF ; A : ('a' | 'A' N?)+ ; B : 'b' ; fragment N : [0-9] ; WS : ' ' -> skip ;"), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		g    *grammar.Grammar
		text string
	}{{json, `{"a":[1,2.5e3,"\n"],"b":null}`}, {expr, "1 + 2 * (3 - 45)"}, {tokens, "aA1 b b A"}} {
		p, err := parse.New(t.Context(), c.g, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		forest, err := p.Parse(t.Context(), "t", c.text)
		if err != nil {
			t.Fatal(err)
		}
		reports := map[bool]*Report{}
		for _, outline := range []bool{false, true} {
			cov, err := New(c.g, Options{K: 2})
			if err != nil {
				t.Fatal(err)
			}
			tree, err := forest.Tree(t.Context())
			if outline {
				tree, err = forest.Outline(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			cov.Add(tree)
			reports[outline] = cov.Report()
		}
		if d := cmp.Diff(reports[false], reports[true]); d != "" || reports[true].Alternatives.Reached == 0 {
			t.Errorf("%s: -tree +outline\n%s", c.text, d)
		}
	}
}

// TestCoverUnreadable checks that a path that no lexer reads is missed, even if random
// sentences do not end.
func TestCoverUnreadable(t *testing.T) {
	src := "grammar g; s : e EOF ; e : A B | e e e e | e '+' e e e | r0 ; A : 'a'+ ; B : 'a'* 'b' ;"
	for i := range 12 {
		src += fmt.Sprintf(" r%d : 'x' | r%d ;", i, i+1)
	}
	g, _, err := load.Source("g.g4", []byte(src+" r12 : 'y' ;"), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := Cover(t.Context(), g, 1, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"B", "A"}, set.Missed); d != "" || len(set.Trees) == 0 {
		t.Errorf("missed: -want +got\n%s", d)
	}
}

// TestHTMLHostile checks that unprintable names are shown by their escapes.
func TestHTMLHostile(t *testing.T) {
	g := load.MustString(`s = "\x1b[2J</script>" s | t ; t = [\u202e<] ;`)
	g.Name = blind.Hostile()
	for _, r := range g.Rules {
		r.Name += "\x1b\u202e<script>"
	}
	for _, e := range g.Exprs {
		if e.Op == grammar.Ref {
			e.Name = e.Rule.Name
		}
	}
	c, err := New(g, Options{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := HTML(&b, c); err != nil {
		t.Fatal(err)
	}
	if page := b.String(); blind.Raw(page) != "" || strings.Contains(page, "<script") || !strings.Contains(page, `t\x1b\u202e&lt;script&gt;`) {
		t.Errorf("raw text in:\n%s", page)
	}
}
