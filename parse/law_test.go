package parse_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/internal/testing/jsontext"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
)

// TestRoundTripLaw parses 1,000 uniform sentences of every shipped grammar, with the least
// layout and with random layout. Each tree renders its text byte for byte, the drawn tree is
// among the trees exactly once, and ranks agree.
func TestRoundTripLaw(t *testing.T) {
	for _, name := range grammars.Names() {
		for _, layout := range []derive.LayoutPolicy{derive.Tight, derive.Random} {
			g := grammars.Must(name)
			if layout == derive.Random && !lex.HasTokens(g) {
				continue
			}
			t.Run(name+"/"+layout.String(), func(t *testing.T) {
				t.Parallel()
				l := newLaw(t, g, layout)
				sentences := 1000
				if testing.Short() {
					sentences = 50
				}
				for i := range uint64(sentences) {
					tree, err := l.source.Tree(ctx, i)
					if err != nil {
						t.Fatal(err)
					}
					l.holds(t, tree)
				}
			})
		}
	}
}

var ctx = context.Background()

// law is the state of the round-trip law for one grammar.
type law struct {
	source *sample.Source
	table  *count.Table
	names  *gctx.Names
	p      *parse.Parser
}

func newLaw(t *testing.T, g *grammar.Grammar, layout derive.LayoutPolicy) *law {
	t.Helper()
	s, err := sample.New(ctx, g, sample.Options{Seed: 11, Layout: layout})
	if err != nil {
		t.Fatal(err)
	}
	l := &law{source: s.Source(), p: must(t, g)}
	if l.table, err = count.New(ctx, g, s.Bound(), count.Options{}); err != nil {
		t.Fatal(err)
	}
	l.names = l.table.Names()
	return l
}

// holds checks the law for one tree.
func (l *law) holds(t *testing.T, tree *derive.Tree) {
	t.Helper()
	text := tree.Text()
	f, err := l.p.Parse(ctx, "sentence", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	n, err := f.Count(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if n.Cmp(big.NewInt(100)) > 0 { // too many to search; the drawn tree has to be one
		if first, err := f.Obeying(ctx, l.names); err != nil || first.Text() != text {
			t.Fatalf("%v, want a tree of %q", err, text)
		}
		return
	}
	found := 0
	for other, err := range f.All(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if other.Text() != text {
			t.Fatalf("-want +got\n-%q\n+%q", text, other.Text())
		}
		named, err := l.names.Convert(other)
		if err != nil {
			continue // a name stands in a forbidden place
		}
		if slices.Equal(plain(tree), plain(named)) {
			found++
			l.ranks(t, tree, named)
		}
	}
	if found != 1 {
		t.Fatalf("the tree of %q is %d times among those of its text", text, found)
	}
}

func (l *law) ranks(t *testing.T, tree, parsed *derive.Tree) {
	t.Helper()
	want, err := l.table.Rank(tree)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := l.table.Rank(parsed); err != nil || got.Cmp(want) != 0 {
		t.Fatalf("%q was drawn as %v and parsed as %v, %v", tree.Text(), want, got, err)
	}
}

// plain returns the choices of the derivation, without those of layout.
func plain(t *derive.Tree) []int {
	return t.Choices()[:t.Nodes()[0].To]
}

// TestOutline checks that an outline is the canonical tree with a text in place of the inside
// of each token.
func TestOutline(t *testing.T) {
	checkOutline(t, must(t, grammars.Must("json")), jsontext.Make(20_000))
	checkOutline(t, must(t, grammars.Must("json")), " [ 1 ,\n\t\"a b\" ] ")
	for _, name := range grammars.Names() {
		l := newLaw(t, grammars.Must(name), derive.Random)
		for i := range uint64(10) {
			tree, err := l.source.Tree(ctx, i)
			if err != nil {
				t.Fatal(err)
			}
			checkOutline(t, l.p, tree.Text())
		}
	}
}

func checkOutline(t *testing.T, p *parse.Parser, text string) {
	t.Helper()
	f, err := p.Parse(ctx, "t", text)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := f.Tree(ctx)
	if err != nil {
		t.Fatal(err)
	}
	outline, err := f.Outline(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if outline.Text() != text {
		t.Errorf("-want +got\n-%q\n+%q", text, outline.Text())
	}
	if diff := cmp.Diff(strings.Join(outlined(tree), "\n"), strings.Join(outlined(outline), "\n")); diff != "" {
		t.Errorf("%q: -tree +outline\n%s", text, diff)
	}
	if len(outline.Choices()) > 0 {
		t.Errorf("%q: the outline has choices", text)
	}
}

// outlined lists the nodes of a tree down to its tokens: their kinds, sizes and texts.
func outlined(t *derive.Tree) []string {
	var out, open []string
	var ends []int
	for i := 0; i < len(t.Nodes()); i++ {
		for len(ends) > 0 && ends[len(ends)-1] <= i {
			ends, open = ends[:len(ends)-1], open[:len(open)-1]
		}
		n := &t.Nodes()[i]
		line := strings.Join(open, "") + n.Expr.Op.String() + " " + n.Expr.Name
		if n.Expr.Op == grammar.Ref && n.Expr.Rule.Kind.Lexical() && !n.Expr.Rule.Inline {
			out = append(out, line+" "+t.SubText(i))
			i = n.End - 1
			continue
		}
		if n.Expr.Op == grammar.Choice || n.Expr.Op == grammar.Rep || n.Expr.Op == grammar.Class {
			line += " " + big.NewInt(int64(n.Val)).String()
		}
		out = append(out, line)
		ends, open = append(ends, n.End), append(open, ".")
	}
	return out
}

// TestTreeMemory checks that a text whose tree would not fit is refused before the tree is
// built.
func TestTreeMemory(t *testing.T) {
	limit := int64(7<<20) + 1<<20*int64(^uint(0)>>63) // some numbers take half as much with 32 bits
	p, err := parse.New(ctx, grammars.Must("json"), parse.Options{MaxMemory: limit})
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.Parse(ctx, "t", jsontext.Make(300_000))
	if err != nil {
		t.Fatal(err)
	}
	for what, make := range map[string]func(context.Context) (*derive.Tree, error){"tree": f.Tree, "outline": f.Outline} {
		if _, err := make(ctx); !errors.Is(err, parse.ErrMemory) || !strings.Contains(err.Error(), fmt.Sprint(limit>>20, " MiB")) {
			t.Errorf("%s: %v, want ErrMemory", what, err)
		}
	}
}
