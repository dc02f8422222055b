package sample_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
)

// joining is a grammar in which nearly all tokens join: words, operators, and slashes, two of
// which would begin a comment.
const joining = `
grammar Joining;
s : 'let' ID '=' e ';' | s 'if' e 'then' s ;
e : e ('+' | '-' | '/') e | ('-' | '--') e | ID | INT | 'not' e ;
ID : [a-z]+ ;
INT : [0-9]+ ('.' [0-9]+)? ;
LINE : '//' ~[\n]* '\n' -> channel(HIDDEN) ;
WS : [ \t\n]+ -> skip ;
`

// islands has modes: an opening quote must be followed by a text.
const islands = `
lexer grammar L;
OPEN : '<' -> pushMode(IN) ;
WORD : [a-z]+ ;
WS : ' ' -> skip ;
mode IN;
CLOSE : '>' -> popMode ;
TEXT : [a-z]+ ;
`

func antlr(t *testing.T, src string) *grammar.Grammar {
	t.Helper()
	g, _, err := load.Source("Joining.g4", []byte(src), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestLayoutDoors checks that the text is the same from every method, that it parses to the
// tree drawn, and that its choices replay to that tree.
func TestLayoutDoors(t *testing.T) {
	t.Run("joining", func(t *testing.T) { doors(t, antlr(t, joining)) })
	t.Run("lines", func(t *testing.T) {
		g, _, err := load.File(filepath.Join("..", "parse", "testdata", "lines", "python.ebnf"), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		doors(t, g)
	})
}

func doors(t *testing.T, g *grammar.Grammar) {
	ctx := context.Background()
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, policy := range []derive.LayoutPolicy{derive.Tight, derive.Spaced, derive.Random} {
		for _, strategy := range []sample.Strategy{sample.Uniform, sample.Walk} {
			s, err := sample.New(ctx, g, sample.Options{Bound: count.Sizes(5, 30, grammar.Terminals), Layout: policy, Strategy: strategy, Seed: 7})
			if err != nil {
				t.Fatal(err)
			}
			layout, err := derive.NewLayout(g, policy)
			if err != nil {
				t.Fatal(err)
			}
			m := derive.NewMachine(g, derive.Options{Layout: layout})
			src, again := s.Source(), s.Source()
			for i := range uint64(100) {
				tree, err := src.Tree(ctx, i)
				if err != nil {
					t.Fatal(err)
				}
				text, err := again.Text(ctx, i)
				if err != nil || text != tree.Text() {
					t.Fatalf("%v %v: Text %q, %v; Tree %q", policy, strategy, text, err, tree.Text())
				}
				choices, err := again.Choices(ctx, i)
				if err != nil {
					t.Fatal(err)
				}
				replayed, err := m.Run(ctx, derive.Strict(choices))
				if err != nil {
					t.Fatal(err)
				}
				if replayed.Text() != text || cmp.Diff(replayed.Choices(), choices) != "" {
					t.Fatalf("%v: %q replays to %q", policy, text, replayed.Text())
				}
				forest, err := p.Parse(ctx, "", text)
				if err != nil {
					t.Fatalf("%v: %q: %v", policy, text, err)
				}
				if has, err := hasTree(ctx, forest, tree); err != nil || !has {
					t.Fatalf("%v: %q: its tree is not among those of its text (%v)", policy, text, err)
				}
			}
		}
	}
}

// hasTree reports whether a forest has a tree, compared by leaves and their layout: the
// grammar is ambiguous, but the order of its tokens is not.
func hasTree(ctx context.Context, f *parse.Forest, want *derive.Tree) (bool, error) {
	got, err := f.Tree(ctx)
	if err != nil {
		return false, err
	}
	return cmp.Diff(leaves(want), leaves(got)) == "", nil
}

func leaves(t *derive.Tree) (out []string) {
	for i := range t.Nodes() {
		if t.Gaps() != nil && t.Gaps()[i] != "" {
			out = append(out, "gap "+t.Gaps()[i])
		}
		if text := t.Nodes()[i].AppendText(nil); len(text) > 0 {
			out = append(out, string(text))
		}
	}
	return out
}

// TestLayoutShiftsNothing checks that the derivation of sentence i does not depend on its
// layout, and that its choices come first.
func TestLayoutShiftsNothing(t *testing.T) {
	ctx := context.Background()
	g := antlr(t, joining)
	var want []int
	gaps := 0
	for _, policy := range []derive.LayoutPolicy{derive.Tight, derive.Spaced, derive.Random} {
		s, err := sample.New(ctx, g, sample.Options{Layout: policy, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		src := s.Source()
		var all []int
		for i := range uint64(20) {
			tree, err := src.Tree(ctx, i)
			if err != nil {
				t.Fatal(err)
			}
			end := tree.Nodes()[0].To
			gaps += len(tree.Choices()) - end
			if policy != derive.Random && end != len(tree.Choices()) {
				t.Errorf("%v: %d choices for %d of the derivation", policy, len(tree.Choices()), end)
			}
			all = append(all, tree.Choices()[:end]...)
		}
		if policy == derive.Tight {
			want = all
		} else if d := cmp.Diff(want, all); d != "" {
			t.Errorf("%v (-tight +%v):\n%s", policy, policy, d)
		}
	}
	if gaps == 0 {
		t.Error("random layout made no choices")
	}
}

// TestIdleLayout checks that where nothing joins, compiled drawing gives the same texts as
// laying out.
func TestIdleLayout(t *testing.T) {
	ctx := context.Background()
	g := grammars.Must("json")
	layout, err := derive.NewLayout(g, derive.Tight)
	if err != nil || layout != nil {
		t.Fatalf("layout of json: %v, %v; want none", layout, err)
	}
	s, err := sample.New(ctx, g, sample.Options{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	src := s.Source()
	for i := range uint64(200) {
		tree, err := src.Tree(ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		laid, err := layout.Tree(tree, nil)
		if err != nil || laid.Text() != tree.Text() {
			t.Fatalf("%q is laid out as %q, %v", tree.Text(), laid.Text(), err)
		}
	}
	if j, _ := derive.NewLayout(antlr(t, joining), derive.Tight); j == nil {
		t.Error("a grammar in which tokens join has no layout")
	}
}

// TestUnreadable checks that derivations that no lexer reads are redrawn, and that the error
// says so if there is no other.
func TestUnreadable(t *testing.T) {
	ctx := context.Background()
	parser := func(rule string) *grammar.Grammar {
		dir := t.TempDir()
		for name, src := range map[string]string{"L.g4": islands, "P.g4": "parser grammar P;\noptions { tokenVocab = L; }\n" + rule} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		g, _, err := load.File(filepath.Join(dir, "P.g4"), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	g := parser("s : (OPEN | WORD | TEXT | CLOSE)+ ;\n")
	s, err := sample.New(ctx, g, sample.Options{Bound: count.Size(6, grammar.Terminals), Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src := s.Source()
	for i := range uint64(50) {
		text, err := src.Text(ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Parse(ctx, "", text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}

	s, err = sample.New(ctx, parser("s : WORD CLOSE ;\n"), sample.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var join *lex.JoinError
	if _, err := s.Source().Text(ctx, 4); !errors.As(err, &join) || !strings.HasPrefix(err.Error(), "sentence 4: ") {
		t.Errorf("got error %v, want one of sentence 4 about tokens that join", err)
	}
}

// TestDistinctLayout checks that distinct sentences are laid out too, and replay.
func TestDistinctLayout(t *testing.T) {
	ctx := context.Background()
	g := antlr(t, joining)
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, policy := range []derive.LayoutPolicy{derive.Tight, derive.Random} {
		d, err := sample.New(ctx, g, sample.Options{Bound: count.Size(7, grammar.Terminals), Layout: policy, Seed: 2, Distinct: true})
		if err != nil {
			t.Fatal(err)
		}
		layout, err := derive.NewLayout(g, policy)
		if err != nil {
			t.Fatal(err)
		}
		m := derive.NewMachine(g, derive.Options{Layout: layout})
		src := d.Source()
		for i := range uint64(30) {
			text, err := src.Text(ctx, i)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Parse(ctx, "", text); err != nil {
				t.Errorf("%v: %q: %v", policy, text, err)
			}
			tree, err := src.Tree(ctx, i)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := m.Run(ctx, derive.Strict(tree.Choices())); err != nil || again.Text() != text {
				t.Errorf("%v: the choices of %q replay to %q, %v", policy, text, again.Text(), err)
			}
		}
	}
}
