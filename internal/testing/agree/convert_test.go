package agree

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/big"
	"slices"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
	"github.com/gramfuzz/gramfuzz/internal/ui/picture"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// sizes returns the numbers of derivations by size in bytes, nil where they cannot be counted.
func sizes(ctx context.Context, g *grammar.Grammar) (counts []*big.Int, err error) {
	for n := range 7 {
		table, err := count.New(ctx, g, count.Size(n, grammar.Bytes), count.Options{Measure: grammar.Exact})
		switch {
		case errors.As(err, new(*count.EmptyError)):
			counts = append(counts, new(big.Int))
		case err != nil:
			return nil, err
		default:
			counts = append(counts, table.Total())
		}
	}
	return counts, nil
}

// converted: a grammar that was written in a notation has the same counts when it is read, or a
// warning said that something is lost.
func converted(ctx context.Context, s *subject) {
	want, err := sizes(ctx, s.g)
	if err != nil {
		s.refuse(err)
		return
	}
	for _, notation := range load.Printable() {
		s.asked[s.law]++
		text, lost, err := load.Print(s.g, notation)
		if err != nil {
			s.fail("%s: %v", notation, err)
		}
		if len(lost) > 0 || notation == "grammar.js" {
			continue
		}
		g, _, err := load.Source("g", []byte(text), load.Options{Notation: notation})
		if err != nil {
			s.fail("%s: nothing is said to be lost, but it does not load: %v\n%s", notation, err, text)
		}
		got, err := sizes(ctx, g)
		if err != nil {
			s.fail("%s: nothing is said to be lost, but it is not counted: %v\n%s", notation, err, text)
		}
		if !slices.EqualFunc(got, want, func(a, b *big.Int) bool { return a.Cmp(b) == 0 }) {
			s.fail("%s: nothing is said to be lost; counted %v before, %v after\n%s", notation, want, got, text)
		}
	}
}

// recorded: a sentence comes back from its record, by its plan and by its choices, and a stream
// gives the same bytes on several goroutines.
func recorded(ctx context.Context, s *subject) {
	for _, plan := range []*stream.Plan{{Strategy: "walk", Seed: s.number}, {Strategy: stream.Mixed, Seed: s.number}, {Strategy: "broad", Damage: 0.5}, {Layout: "random"}} {
		s.asked[s.law]++
		st, err := plan.Open(ctx, s.g, stream.Options{})
		if err != nil {
			s.refuse(err)
			continue
		}
		var texts [][]byte
		for i := range uint64(4) {
			text, err := st.Source().Append(ctx, nil, i)
			if err != nil {
				s.refuse(err)
				break
			}
			texts = append(texts, text)
			line, err := st.Records().Append(ctx, nil, i)
			if err != nil {
				s.fail("%s: sentence %d has no record: %v", plan.Strategy, i, err)
			}
			s.replays(ctx, plan, i, text, line)
		}
		var out bytes.Buffer
		n, err := stream.InOrder(ctx, 3, uint64(len(texts)), func() func(context.Context, []byte, uint64) ([]byte, error) { return st.Source().Append },
			func(b []byte, _ int) error { out.Write(b); return nil })
		if err != nil || int(n) != len(texts) || !bytes.Equal(out.Bytes(), bytes.Join(texts, nil)) {
			s.fail("%s: on three goroutines %d sentences are %q, %v; on one %q", plan.Strategy, n, out.Bytes(), err, texts)
		}
	}
}

func (s *subject) replays(ctx context.Context, plan *stream.Plan, i uint64, text, line []byte) {
	rec, err := derive.ParseRecord(line)
	if err != nil {
		s.fail("%s: the record %s: %v", plan.Strategy, line, err)
	}
	again, number, err := stream.PlanOf(rec)
	if err != nil {
		s.fail("%s: no plan of %s: %v", plan.Strategy, line, err)
	}
	st, err := again.Open(ctx, s.g, stream.Options{})
	if err != nil {
		s.fail("%s: the plan of %s does not open: %v", plan.Strategy, line, err)
	}
	if got, err := st.Source().Append(ctx, nil, number); err != nil || !bytes.Equal(got, text) || !bytes.Equal(got, []byte(rec.Text)) {
		s.fail("%s: sentence %d is %q, its record has %q, its plan gives %q, %v", plan.Strategy, i, text, rec.Text, got, err)
	}
}

// told: what is told about a grammar has no panic, and the numbers of tables.
func told(ctx context.Context, s *subject) {
	s.asked[s.law]++
	contents, err := describe.ContentsOf(ctx, s.g)
	if err != nil {
		s.refuse(err)
		return
	}
	if err := contents.WriteText(io.Discard); err != nil {
		s.fail("contents: %v", err)
	}
	b := count.Bound{Depth: 4, Repeat: 2}
	x, err := sample.Explain(ctx, s.g, sample.Options{Bound: b, Measure: grammar.Exact}, 20, nil)
	table, none := count.New(ctx, s.g, b, count.Options{Measure: grammar.Exact})
	switch {
	case err == nil && none == nil && x.Total != nil && x.Total.Cmp(table.Total()) != 0:
		s.fail("explain counts %v, the table %v", x.Total, table.Total())
	case err == nil && errors.As(none, new(*count.EmptyError)):
		s.fail("explain says nothing of a bound without a sentence: %v", none)
	case err != nil:
		s.refuse(err)
	}
	if err := picture.WriteGrammar(ctx, io.Discard, s.g, contents, nil); err != nil {
		s.fail("picture: %v", err)
	}
	c, err := coverage.New(s.g, coverage.Options{K: 2})
	if err != nil || none != nil {
		return
	}
	for i := range min(table.Total().Int64(), 20) {
		tree, err := table.Unrank(big.NewInt(i))
		if err != nil {
			s.fail("unrank %d: %v", i, err)
		}
		c.Add(tree)
		if _, err := picture.WriteTree(io.Discard, tree); err != nil {
			s.fail("picture of %q: %v", tree.Text(), err)
		}
	}
	if err := describe.Coverage(io.Discard, c.Report(), true); err != nil {
		s.fail("coverage: %v", err)
	}

	if s.g.WithWeights(c.Weights(false)) == nil {
		s.fail("no grammar with learned weights")
	}
}
