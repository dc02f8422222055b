package reduce_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// minima has small cases with the least sentence, in the order of [reduce.Compare], that has the
// property: a regular expression, or words that must all occur.
var minima = []struct {
	grammar string // the name of a shipped grammar, or its source
	has     string // a regular expression
	want    string
}{
	{"tree", `x`, "x"},
	{"tree", `\(xx\)`, "(xx)"},
	{"tree", `\(\(`, "((xx)x)"},
	{"tree", `\)\)`, "(x(xx))"},
	{"tree", `\)\(`, "((xx)(xx))"},
	{"tree", `\(x\(x\(`, "(x(x(xx)))"},
	{"tree", `\(\(.*\)\)`, "((x(xx))x)"},
	{"expr", `\(`, "(0)"},
	{"expr", ` \+ `, "0 + 0"},
	{"expr", ` \* `, "0 * 0"},
	{"expr", `- -`, "0 - -0"},
	{"expr", `\(\(`, "((0))"},
	{"expr", `\(-`, "(-0)"},
	{"expr", `/ \(`, "0 / (0)"},
	{"expr", `-\(`, "-(0)"},
	{"expr", `[7-9]`, "7"},
	{"expr", `[1-9][0-9]`, "10"},
	{"expr", `\+[^)]*\*`, "0 + 0 * 0"},
	{"json", `.`, "0"},
	{"json", `\[`, "[]"},
	{"json", `\{`, "{}"},
	{"json", `\[\[`, "[[]]"},
	{"json", `^\{.*\[`, `{"":[]}`},
	{"json", `true`, "true"},
	{"json", `^\[.*null.*true`, "[null,true]"},
	{"json", `^\[.*,.*\]$`, "[0,0]"},
	{"json", `^\[[^"]*,[^"]*,[^"]*\]$`, "[0,0,0]"},
	{"json", `^\[.*\{\}.*\[\]`, `[{},[]]`},
	{"lopsided", `[C-F]`, "C"},
	{"lopsided", `[^A]`, "B"},
	{`s = item+ ; item = "a" | "b" | "(" s ")" ;`, `b`, "b"},
	{`s = item+ ; item = "a" | "b" | "(" s ")" ;`, `a.*b`, "ab"},
	{`s = item+ ; item = "a" | "b" | "(" s ")" ;`, `\(.*b.*\)`, "(b)"},
	{`s = item{2,5} ; item = "a" | "b" | "(" s ")" ;`, `b.*b`, "bb"},
	{`s = item{2,5} ; item = "a" | "b" | "(" s ")" ;`, `\(`, "(aa)a"},
	{`s = h? t? u? ; h = "h" s ; t = "t" ; u = "u" s "v" ;`, `u`, "uv"},
	{`s = h? t? u? ; h = "h" s ; t = "t" ; u = "u" s "v" ;`, `t.*v`, "tuv"},
	{`s = w ("," w)* ; w = [a-d]{1,3} ;`, `,`, "a,a"},
	{`s = w ("," w)* ; w = [a-d]{1,3} ;`, `[b-d].*[cd]`, "bc"},
}

func grammarOf(t testing.TB, nameOrSource string) *grammar.Grammar {
	t.Helper()
	if strings.Contains(nameOrSource, "=") {
		return mustLoad(t, "small", nameOrSource)
	}
	return grammars.Must(nameOrSource)
}

// matching returns sentences of some size that match.
func matching(t testing.TB, g *grammar.Grammar, re *regexp.Regexp, n int) []*derive.Tree {
	t.Helper()
	m := derive.NewMachine(g, derive.Options{MaxDepth: 13, Repeat: 6, MaxNodes: 300})
	var trees []*derive.Tree
	for seed := uint64(1); len(trees) < n && seed < 20000; seed++ {
		rng := rand.New(rand.NewPCG(seed, 10))
		tree, err := m.Run(context.Background(), derive.ChooserFunc(func(d *derive.Decision) (int, error) {
			return d.Value(rng.IntN(d.N)), nil
		}))
		if err == nil && re.MatchString(tree.Text()) {
			trees = append(trees, tree)
		}
	}
	if len(trees) < n {
		t.Fatalf("only %d of %d sentences match %v", len(trees), n, re)
	}
	return trees
}

func TestMinima(t *testing.T) {
	for _, c := range minima {
		t.Run(c.want+" "+c.has, func(t *testing.T) {
			g := grammarOf(t, c.grammar)
			re := regexp.MustCompile(c.has)
			holds := func(_ context.Context, text []byte) (bool, error) { return re.Match(text), nil }
			for i, tree := range matching(t, g, re, 5) {
				o := reduce.Options{Certify: 300 * i}
				r, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, holds, o)
				if err != nil {
					t.Fatal(err)
				}
				checkResult(t, tree, r, holds)
				for _, p := range r.Stats.Passes {
					if p.Name == "certify" && p.Calls > o.Certify {
						t.Errorf("certify made %d calls, not %d", p.Calls, o.Certify)
					}
				}
				if string(r.Text) != c.want {
					t.Errorf("sentence %d, %q: got %q, want %q (%d calls)", i, tree.Text(), r.Text, c.want, r.Stats.Calls)
				}
			}
		})
	}
}

// TestFixedPoint: no pass that was part of the run finds anything more.
func TestFixedPoint(t *testing.T) {
	for i, c := range minima {
		if i%5 != 0 {
			continue
		}
		g := grammarOf(t, c.grammar)
		re := regexp.MustCompile(c.has)
		holds := func(_ context.Context, text []byte) (bool, error) { return re.Match(text), nil }
		for _, tree := range matching(t, g, re, 2) {
			for _, algorithm := range reduce.Algorithms() {
				first, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, holds, reduce.Options{Algorithm: algorithm})
				if err != nil {
					t.Fatal(err)
				}
				checkResult(t, tree, first, holds)
				again, err := reduce.Run(context.Background(), reduce.Input{Tree: first.Tree, Text: textUnless(first)}, holds, reduce.Options{Algorithm: algorithm})
				if err != nil {
					t.Fatal(err)
				}
				if again.Stats.Accepted != 0 {
					t.Errorf("%s went on from %q to %q", algorithm, first.Text, again.Text)
				}
			}
		}
	}
}

// textUnless returns the result's text where it has no tree.
func textUnless(r *reduce.Result) []byte {
	if r.Tree == nil {
		return r.Text
	}
	return nil
}

// TestCertified compares certified results with the smallest that brute force finds.
func TestCertified(t *testing.T) {
	g := mustLoad(t, "small", `s = item+ ; item = "a" | "b" | "(" s ")" ;`)
	re := regexp.MustCompile(`b.*\(b`)
	holds := func(_ context.Context, text []byte) (bool, error) { return re.Match(text), nil }
	for _, tree := range matching(t, g, re, 5) {
		r, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, holds, reduce.Options{})
		if err != nil {
			t.Fatal(err)
		}
		// 2 texts of 1 byte, 4 of 2, 10 of 3 ((a) and (b) too); of 4: 8 that
		// begin with a bracket, 10 that begin with an a, b(a).
		want := reduce.Certificate{Claim: "smaller derivations", Rule: "s", Text: "b(b)", Tried: 35}
		if len(r.Stats.Certified) == 0 || r.Stats.Certified[len(r.Stats.Certified)-1] != want {
			t.Errorf("%q to %q: certified %v, want %v at the end", tree.Text(), r.Text, r.Stats.Certified, want)
		}
	}
}

// TestCertifiedBytes: what is certified for sentences by bytes is so for all strings of
// the characters of the grammar, as far as they can be listed and parsed.
func TestCertifiedBytes(t *testing.T) {
	ctx := context.Background()
	claims := 0
	for i, c := range minima {
		if i%2 != 0 || c.grammar == "json" { // which has too many characters
			continue
		}
		g, re := grammarOf(t, c.grammar), regexp.MustCompile(c.has)
		holds := func(_ context.Context, text []byte) (bool, error) { return re.Match(text), nil }
		p, err := parse.New(ctx, g, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tree := matching(t, g, re, 1)[0]
		r, err := reduce.Run(ctx, reduce.Input{Tree: tree}, holds, reduce.Options{Certify: 3000})
		if err != nil {
			t.Fatal(err)
		}
		for _, claim := range r.Stats.Certified {
			most := 0
			if n, _ := fmt.Sscanf(claim.Claim, "smaller sentences of at most %d bytes", &most); n != 1 {
				continue
			}
			claims++
			for text := range stringsOf(alphabetOf(tree.Text()), most, 20_000) {
				if re.MatchString(text) && reduce.Compare([]byte(text), nil, r.Text, nil) < 0 {
					if _, err := p.Parse(ctx, "text", text); err == nil {
						t.Errorf("%s %s: %v, but %q is smaller than %q", c.grammar, c.has, claim, text, r.Text)
					}
				}
			}
		}
	}
	if claims < 8 {
		t.Errorf("only %d claims", claims)
	}
}

// alphabetOf returns the characters of a text.
func alphabetOf(text string) string {
	cs := []byte(text)
	slices.Sort(cs)
	return string(slices.Compact(cs))
}

// stringsOf returns the strings of some characters up to a length, the first n of them.
func stringsOf(alphabet string, most, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for queue := []string{""}; len(queue) > 0 && n > 0; n-- {
			s := queue[0]
			queue = queue[1:]
			if !yield(s) {
				return
			}
			for i := 0; i < len(alphabet) && len(s) < most; i++ {
				queue = append(queue, s+alphabet[i:i+1])
			}
		}
	}
}

func ExampleRun() {
	g := grammars.Must("json")
	m := derive.NewMachine(g, derive.Options{MaxDepth: 12, Repeat: 4})
	rng := rand.New(rand.NewPCG(1, 2))
	holds := func(_ context.Context, text []byte) (bool, error) {
		return strings.Contains(string(text), "[") && strings.Contains(string(text), "null"), nil
	}
	for {
		tree, err := m.Run(context.Background(), derive.ChooserFunc(func(d *derive.Decision) (int, error) {
			return d.Value(rng.IntN(d.N)), nil
		}))
		if err != nil {
			panic(err)
		}
		r, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, holds, reduce.Options{})
		if err == nil {
			fmt.Println(string(r.Text))
			return
		}
	}
	// Output: [null]
}
