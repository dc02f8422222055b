package campaign

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/corpus"
	"github.com/gramfuzz/gramfuzz/internal/guide"
	"github.com/gramfuzz/gramfuzz/parse"
)

// Mutator makes sentences from sentences, for fuzzers that keep texts. It belongs to one
// goroutine.
type Mutator struct {
	src    *guide.Sentences
	parser *parse.Parser // nil if no parser can be made for the grammar
	rng    *rand.Rand
	trees  map[string]*guide.Input // of recently seen texts
}

// maxTrees is the number of parsed texts that a Mutator remembers.
const maxTrees = 4096

// NewMutator returns a mutator for the sentences of g. If no parser can be made for the grammar,
// all its sentences are drawn from scratch.
func NewMutator(ctx context.Context, g *grammar.Grammar, seed uint64) (*Mutator, error) {
	src, err := guide.NewSentences(g, guide.SentenceOptions{})
	if err != nil {
		return nil, err
	}
	m := &Mutator{src: src, rng: rand.New(rand.NewPCG(seed, seed^0x6d757461746f72)), trees: map[string]*guide.Input{}}
	if p, err := parse.New(ctx, g, parse.Options{}); err == nil {
		m.parser = p
	}
	return m, ctx.Err()
}

// freshShare is the inverse of the share of mutants that are drawn from scratch.
const freshShare = 16

// mutantTries is the number of attempts to make a mutant that is short enough.
const mutantTries = 8

// Mutate returns a sentence of at most most bytes made from text, perhaps with parts of other;
// nil if none that short is found. It ignores texts that are no sentences.
func (m *Mutator) Mutate(ctx context.Context, text, other []byte, most int) ([]byte, error) {
	in, with := m.read(ctx, text), m.read(ctx, other)
	for range mutantTries {
		var out *guide.Input
		var err error
		if in.Tree == nil || m.rng.IntN(freshShare) == 0 {
			out, err = m.src.Random(ctx, m.rng)
		} else {
			if with.Tree == nil {
				with = in
			}
			out, err = m.src.Mutate(ctx, m.rng, in, with)
		}
		if err != nil {
			return nil, err
		}
		if len(out.Text) <= most {
			out.Own()
			m.remember(out)
			return out.Text, nil
		}
	}
	return nil, nil
}

// read parses a text, unless it is remembered.
func (m *Mutator) read(ctx context.Context, text []byte) *guide.Input {
	if in := m.trees[string(text)]; in != nil {
		return in
	}
	in := &guide.Input{Text: text}
	if m.parser != nil && len(text) > 0 {
		limited, cancel := context.WithTimeout(ctx, parseTime)
		defer cancel()
		if f, err := m.parser.Parse(limited, "text", string(text)); err == nil {
			if t, err := f.Tree(limited); err == nil {
				in = guide.FromTree(t, "queue")
			}
		}
	}
	m.remember(in)
	return in
}

// remember keeps the tree of a text; when there are too many, it drops all.
func (m *Mutator) remember(in *guide.Input) {
	if len(m.trees) >= maxTrees {
		clear(m.trees)
	}
	m.trees[string(in.Text)] = in
}

// maxFile bounds the length of a file of WriteFiles, in bytes.
const maxFile = 1 << 20

// WriteFiles writes n files, fuzz-0 and so on, to a folder, as ClusterFuzz demands. Each is made
// from two of the texts, chosen by seed.
func (m *Mutator) WriteFiles(ctx context.Context, dir string, n int, texts []Seed, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		made, err := m.Mutate(ctx, texts[rng.IntN(len(texts))].Text, texts[rng.IntN(len(texts))].Text, maxFile)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, fmt.Sprintf("fuzz-%d", i))
		if err := corpus.WriteFile(path, made); err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
	}
	return nil
}
