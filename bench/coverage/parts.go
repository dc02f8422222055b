package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/marks"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
)

// pathLength is the length of the counted paths, in symbols.
const pathLength = 5

// reached counts the parts of a grammar that occur in sentences, and the ordered pairs of parts
// that occur in one sentence. Parts inside tokens do not count.
type reached struct {
	place map[*grammar.Expr]int // numbers the parts from 0
	pairs []bool                // by the numbers of both parts
	hit   int                   // the number of pairs so far
	can   int                   // the number of possible pairs
	seen  []int                 // by part: the last sentence with it
	n     int                   // the number of sentences

	paths *coverage.Coverage
}

func newReached(g *grammar.Grammar) (*reached, error) {
	r := &reached{place: map[*grammar.Expr]int{}}
	for _, p := range marks.Parts(g) {
		if !p.Rule.Kind.Lexical() {
			r.place[p.Expr] = len(r.place)
		}
	}
	r.pairs, r.seen = make([]bool, len(r.place)*len(r.place)), make([]int, len(r.place))
	r.can = newPossible(g, r.place).count()
	var err error
	r.paths, err = coverage.New(g, coverage.Options{K: pathLength})
	if errors.Is(err, coverage.ErrTooManyPaths) {
		r.paths, err = coverage.New(g, coverage.Options{})
	}
	return r, err
}

// add counts a sentence.
func (r *reached) add(t *derive.Tree) {
	r.paths.Add(t)
	r.n++
	var before []int
	for _, e := range brute.Parts(t) {
		b, ok := r.place[e]
		if !ok {
			continue
		}
		for _, a := range before {
			if at := a*len(r.place) + b; !r.pairs[at] {
				r.pairs[at] = true
				r.hit++
			}
		}
		if r.seen[b] != r.n {
			r.seen[b] = r.n
			before = append(before, b)
		}
	}
}

// loadDev reads grammars of the folder GRAMFUZZ_DATA/grammars/dev. names has the names of their
// folders.
func loadDev(names string) (cols []column, err error) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		return nil, errors.New("GRAMFUZZ_DATA is not set; it names the folder with the grammars")
	}
	list, err := os.ReadFile(filepath.Join(data, "grammars", "dev.tsv"))
	if err != nil {
		return nil, err
	}
	starts := map[string]string{}
	for line := range strings.Lines(string(list)) {
		f := strings.Split(line, "\t")
		starts[f[1]] = f[2]
	}
	for name := range strings.SplitSeq(names, ",") {
		g, _, err := load.File(filepath.Join(data, "grammars", "dev", name), load.Options{Start: starts[name]})
		if err != nil {
			return nil, err
		}
		cols = append(cols, column{name: name, g: g})
	}
	return cols, nil
}

// partTables prints, for every configuration, the percentages of alternatives, pairs of parts and
// paths that sentences reach. It draws per sentences for each part, or n in all if per is 0.
func partTables(ctx context.Context, cols []column, rows []config, n, per int, seed uint64, stdout, stderr io.Writer) error {
	type key struct {
		g    *grammar.Grammar
		name string
	}
	all := map[key]*reached{}
	draw := func(c column, row config) (*reached, error) {
		k := key{c.g, row.name}
		if all[k] != nil {
			return all[k], nil
		}
		r, err := newReached(c.g)
		if err != nil {
			return nil, err
		}
		src, err := row.open(ctx, c.g, seed)
		if err != nil {
			return nil, err
		}
		number := n
		if per > 0 {
			number = per * len(r.place)
		}
		length := 0
		for i := range uint64(number) {
			t, err := src.Tree(ctx, i)
			if err != nil {
				return nil, err
			}
			length += len(t.Text())
			r.add(t)
		}
		fmt.Fprintf(stderr, "%s, %s: %d sentences of %d bytes on average\n", row.name, c.name, number, length/max(number, 1))
		all[k] = r
		return r, nil
	}
	for _, what := range []struct {
		name  string
		count func(*reached) (some, all int)
	}{
		{"alternatives", func(r *reached) (int, int) { p := r.paths.Report().Alternatives; return p.Reached, p.Total }},
		{"pairs of parts", func(r *reached) (int, int) { return r.hit, r.can }},
		{fmt.Sprint(pathLength, "-paths"), func(r *reached) (int, int) { p := r.paths.Report().Paths; return p.Reached, p.Total }},
	} {
		err := table(cols, rows, what.name, what.name, stdout, stderr, func(c column, row config) (int, int, error) {
			r, err := draw(c, row)
			if err != nil {
				return 0, 0, err
			}
			some, all := what.count(r)
			return some, all, nil
		})
		if err != nil {
			return err
		}
		fmt.Fprintln(stdout)
	}
	return nil
}
