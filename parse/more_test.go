package parse_test

import (
	"context"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

// TestStrayBytes checks literals with bytes that are not UTF-8. Texts are then read by bytes,
// and a character may come from a class or from stray bytes that spell it.
func TestStrayBytes(t *testing.T) {
	ctx := context.Background()
	p := must(t, read(t, `s = [é-€😀a]+ | "\xc3" [a-z] | "\xc3" "\xa9" | "\xff" [^a] ;`))
	for _, c := range []struct {
		text string
		want int64 // trees
	}{
		{"é", 2}, {"éé", 1}, {"€", 1}, {"a😀", 1}, {"\u07ff\u0800\u0fff", 1}, {"\xc3b", 1}, {"\xff\U0010ffff", 1}, {"\xff\x00", 1},
		{"\xc3", 0}, {"\xa9", 0}, {"\xffa", 0}, {"\u20ad", 0}, {"è", 0}, {"\xff\xed\xa0\x80", 0}, {"", 0},
	} {
		f, err := p.Parse(ctx, "t", c.text)
		if err != nil {
			if c.want > 0 {
				t.Errorf("%q: %v", c.text, err)
			}
			continue
		}
		if n, err := f.Count(ctx); err != nil || n.Int64() != c.want {
			t.Errorf("%q: %v trees, %v; want %d", c.text, n, err, c.want)
		}
		for tree, err := range f.All(ctx) {
			if err != nil || tree.Text() != c.text {
				t.Errorf("%q: %q, %v", c.text, tree.Text(), err)
			}
		}
	}
}

// TestRanksAgree checks that the parsed tree has the rank of the generated tree.
func TestRanksAgree(t *testing.T) {
	ctx := context.Background()
	for _, name := range []string{"json", "expr", "tree", "lopsided"} {
		g := grammars.Must(name)
		p := must(t, g)
		b := count.Depth(g.Facts(nil, grammar.Structure).Depth(g.Root, grammar.Any) + 4)
		table, err := count.New(ctx, g, b, count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		step := new(big.Int).Div(table.Total(), big.NewInt(50))
		step.Add(step, big.NewInt(1))
		for i := new(big.Int); i.Cmp(table.Total()) < 0; i.Add(i, step) {
			tree, err := table.Unrank(i)
			if err != nil {
				t.Fatal(err)
			}
			f, err := p.Parse(ctx, "t", tree.Text())
			if err != nil {
				t.Fatal(err)
			}
			if n, err := f.Count(ctx); err != nil || n.Cmp(big.NewInt(1)) != 0 {
				t.Errorf("%s: %q has %v trees, %v", name, tree.Text(), n, err)
			}
			back, err := f.Tree(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if rank, err := table.Rank(back); err != nil || rank.Cmp(i) != 0 {
				t.Errorf("%s: %q was made by rank %v, is parsed to %v, %v", name, tree.Text(), i, rank, err)
			}
		}
	}
}

// TestExamples checks grammars of many languages with example inputs: every example parses,
// and its tree renders the text again, layout included. Without GRAMFUZZ_LONG it takes every tenth
// language.
func TestExamples(t *testing.T) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("needs the data folder (GRAMFUZZ_DATA)")
	}
	every, least := 10, 10
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		every, least = 1, 200
	}
	list, err := os.ReadFile(filepath.Join(data, "grammars", "dev.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	parsed := 0
	for i, line := range strings.Split(strings.TrimSpace(string(list)), "\n")[1:] {
		if i%every != 0 {
			continue
		}
		fields := strings.Split(line, "\t")
		dir := filepath.Join(data, "grammars", "dev", fields[1])
		t.Run(fields[1], func(t *testing.T) {
			g, _, err := load.File(dir, load.Options{Start: fields[2]})
			if err != nil {
				t.Fatal(err)
			}
			p := must(t, g)
			files, _ := filepath.Glob(filepath.Join(dir, "examples", "*"))
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil || len(text) > 100_000 {
					continue
				}
				sentence(t, ctx, p, filepath.Base(file), string(text))
				parsed++
			}
		})
	}
	t.Logf("%d examples", parsed)
	if parsed < least {
		t.Errorf("only %d examples were found", parsed)
	}
}

func sentence(t *testing.T, ctx context.Context, p *parse.Parser, name, text string) {
	t.Helper()
	f, err := p.Parse(ctx, name, text)
	if err != nil {
		t.Error(err)
		return
	}
	tree, err := f.Tree(ctx)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if tree.Text() != text {
		t.Errorf("%s: the tree says another text", name)
	}
}
