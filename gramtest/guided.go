package gramtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

// Guide draws sentences by a feedback loop. It makes new sentences from those that showed
// something new: labels of sentences ([Sentence.Label], [Sentence.Classify]) and edges of the
// program. Edges are seen if the test binary counts them:
//
//	go test -tags=gramfuzz_edges -gcflags='example.com/parser=-d=libfuzzer' -ldflags=-checklinkname=0
//
// There are four loops. "labels" keeps the smallest sentence for each label and expands it.
// "cover" keeps a pool of sentences and changes them by the operators that have paid off.
// "exemplars" keeps one sentence for each state of the program that it can tell apart. "none"
// draws without feedback. Sentences that take more edges, or take them more often, are used
// less often as a basis for others. No clock is involved: the same seed gives the same
// sentences.
//
// Of the options about drawing, [Bound], [Hooks], [Dict], [Valid] and [Damage] apply;
// with any share of damage texts are also changed byte by byte. [Idle] ends the loop.
// The next run does not find a sentence that ended the process, and [Isolate] is
// refused.
func Guide(name string) Option { return func(c *config) { c.guide = name } }

// Seeds gives [Guide] real texts: files, or folders of files, such as a
// corpus of go test. They are run first, and one that fails is a failure like others. Their
// subtrees are put into a quarter of the sentences that are drawn, and into examples. Names in them
// become names that are defined in the new place. Of a text that is no sentence the parts that are
// sentences are used: runs of its lines, and brackets. With [Valid] only sentences are run.
func Seeds(paths ...string) Option {
	return func(c *config) { c.seeds = append(c.seeds, paths...) }
}

// readSeeds returns the inputs of the seeds, and the trees of those and of their parts that are
// sentences.
func (r *runner) readSeeds(ctx context.Context) (ins []*guide.Input, trees []*derive.Tree, err error) {
	if len(r.c.seeds) == 0 {
		return nil, nil, nil
	}
	seeds, err := corpus.ReadSeeds(ctx, r.g, r.c.seeds, 0)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range seeds.Trees {
		ins = append(ins, guide.FromTree(t, "seed"))
	}
	if r.c.draw.Damage > 0 {
		for _, text := range seeds.Other {
			ins = append(ins, &guide.Input{Text: text, From: "seed"})
		}
	}
	r.tb.Logf("gramtest: %s from the seeds", words.Plural(len(seeds.Trees), "sentence"))
	return ins, seeds.Trees, nil
}

// guideError returns an error if a guide is combined with an incompatible option.
func (c *config) guideError() error {
	switch {
	case c.guide == "" && len(c.seeds) > 0:
		return errors.New("Seeds are for a Guide; add Guide(\"cover\")")
	case c.guide == "":
		return nil
	case !slices.Contains(guide.Names(), c.guide):
		return fmt.Errorf("there is no guide %q; there are %s", c.guide, strings.Join(guide.Names(), ", "))
	case c.isolate:
		return errors.New("Isolate cannot be had with Guide: what a guide draws depends on all that was run before")
	case c.guide == "exemplars" && c.draw.Damage == 0:
		return errors.New("guide exemplars asks about texts that are no sentences: it cannot be had with Valid")
	}
	return nil
}

// errOver ends a guided loop with a known outcome.
var errOver = errors.New("over")

// guideStep is the number of sentences that a guide draws between checks of the time.
const guideStep = 64

// guidedLoop is the guided counterpart of loop.
func (r *runner) guidedLoop(ctx context.Context, out *found) {
	seeds, trees, err := r.readSeeds(ctx)
	if err != nil {
		out.err = err
		return
	}
	src, err := r.sentences(trees)
	if err != nil {
		out.err = err
		return
	}
	test := r.guidedTest(src, out)
	if edges := gocov.OpenEdges(); edges != nil {
		test = guide.InProcess(edges, test)
	}
	loop, err := guide.New(r.c.guide, src, test, guide.Options{Seed: r.c.draw.Seed, Budget: guideStep})
	for i := 0; i < len(seeds) && err == nil && !r.stop.Load(); i++ {
		err = loop.Add(ctx, seeds[i])
	}
	last, lastNew := time.Now(), 0
	for err == nil && (r.c.time > 0 || r.stats.run < r.c.count) && !r.stop.Load() {
		err = loop.Step(ctx)
		if r.c.idle == 0 {
			continue
		}
		if n := loop.Stats().LastNew; n > lastNew {
			last, lastNew = time.Now(), n
		}
		if time.Since(last) >= r.c.idle {
			break
		}
	}
	if err != nil && !errors.Is(err, errOver) {
		out.err = err
	}
}

// sentences returns the source of a guide's sentences.
func (r *runner) sentences(seeds []*derive.Tree) (*guide.Sentences, error) {
	return guide.NewSentences(r.g, guide.SentenceOptions{
		Bound: r.c.bound, Hooks: r.c.draw.Hooks, Texts: r.c.draw.Damage > 0, Words: r.c.draw.Words, Seeds: seeds,
	})
}

// treeOf returns the tree of an input of a guide. The guide's goroutine may still run.
func (r *runner) treeOf(ctx context.Context, choices []int) (*derive.Tree, error) {
	src, err := r.sentences(nil)
	if err != nil {
		return nil, err
	}
	return src.Tree(ctx, choices)
}

// guidedTest returns a test that runs the property; errOver means that the loop ends. Texts
// that were not made from a sentence get the tree of the minimal sentence.
func (r *runner) guidedTest(src *guide.Sentences, out *found) guide.Test {
	t := &T{name: r.tb.Name()}
	s := &Sentence{stats: r.stats, t: t}
	index := uint64(0)
	return func(ctx context.Context, in *guide.Input) ([]guide.Label, error) {
		if r.c.time == 0 && r.stats.run >= r.c.count || r.stop.Load() {
			return nil, errOver
		}
		s.text = slices.Clone(in.Text)
		s.tree = func() (*derive.Tree, error) {
			if in.Tree != nil {
				return in.Tree.Clone(), nil
			}
			return src.Tree(ctx, in.Base)
		}
		s.index, s.damaged, s.labels = index, in.Tree == nil, s.labels[:0]
		out.input = &input{index: index, tree: in.Tree, text: s.text, damaged: s.damaged}
		if in.Draft || in.Tree == nil {
			out.input.tree, out.input.choices = nil, in.Origin()
		}
		out.index, out.text = index, s.text
		r.guided.Store(out.input)
		index++
		r.at.Store(index)
		left := r.stats.discarded
		if !r.try(t, s, out) {
			return nil, errOver
		}
		r.at.Store(0) // the guide's own work is no hang of the property
		var labels []guide.Label
		for _, l := range s.labels {
			labels = append(labels, guide.Named(l))
		}
		if r.stats.discarded > left {
			labels = append(labels, guide.Named("left out"))
		}
		return labels, nil
	}
}
