package campaign

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/pace"
	"github.com/gramfuzz/gramfuzz/parse"
)

// Mutator makes sentences from sentences, for fuzzers that keep texts. It damages a share of them. It
// belongs to one goroutine.
type Mutator struct {
	src    *guide.Sentences
	damage float64       // the share
	parser *parse.Parser // nil if no parser can be made for the grammar
	rng    *rand.Rand
	trees  map[string]*guide.Input // of texts that were asked for
	recent guide.Recent            // also of mutants, most of which nobody asks for

	slow         *pace.Slow
	alternatives []int // of the last mutant
}

// maxTrees is the number of trees that a Mutator remembers, and maxRecent that of choices.
const (
	maxTrees  = 4096
	maxRecent = 1 << 16
)

// MutatorOptions steer a [Mutator]. The zero value is valid.
type MutatorOptions struct {
	Seed   uint64   // of the random decisions
	Damage float64  // the share of mutants that are damaged, so that most of them are no sentences
	Words  []string // the dictionary of damage; nil is that of package mutate
}

// NewMutator returns a mutator for the sentences of g. If no parser can be made for the grammar,
// all its sentences are drawn from scratch.
func NewMutator(ctx context.Context, g *grammar.Grammar, o MutatorOptions) (*Mutator, error) {
	src, err := guide.NewSentences(g, guide.SentenceOptions{Texts: o.Damage > 0, Words: o.Words})
	if err != nil {
		return nil, err
	}
	m := &Mutator{src: src, damage: o.Damage, rng: rand.New(rand.NewPCG(o.Seed, o.Seed^0x6d757461746f72)), trees: map[string]*guide.Input{}, recent: guide.Recent{Max: maxRecent}, slow: pace.NewSlow(g)}
	if p, err := parse.New(ctx, g, parse.Options{}); err == nil {
		m.parser = p
	}
	return m, ctx.Err()
}

// freshShare is the inverse of the share of mutants that are drawn from scratch.
const freshShare = 16

// mutantTries is the number of attempts to make a mutant that is short enough.
const mutantTries = 8

// Mutate returns a mutant of at most most bytes, nil if none that short is found. It is a sentence
// made from text, perhaps with parts of other, or a damaged one. If text is no sentence, the mutant is
// drawn from scratch, or is text with more damage. It is valid until the next call.
func (m *Mutator) Mutate(ctx context.Context, text, other []byte, most int) ([]byte, error) {
	in, err := m.read(ctx, text)
	if err != nil {
		return nil, err
	}
	with, err := m.read(ctx, other)
	if err != nil {
		return nil, err
	}
	if with.Tree == nil {
		with = in
	}
	for try := range mutantTries {
		out, err := m.mutant(ctx, in, with)
		if err != nil {
			return nil, err
		}
		if len(out.Text) > most {
			continue
		}
		m.alternatives = m.alternatives[:0]
		if out.Tree == nil {
			return out.Text, nil
		}
		m.alternatives = pace.AppendAlternatives(m.alternatives, out.Tree)
		if try+1 < mutantTries && m.slow.Skip(m.alternatives) {
			continue
		}
		m.recent.Add(out)
		return out.Text, nil
	}
	return nil, nil
}

// mutant makes one mutant of any length.
func (m *Mutator) mutant(ctx context.Context, in, with *guide.Input) (out *guide.Input, err error) {
	damaged := m.damage > 0 && m.rng.Float64() < m.damage
	switch {
	case damaged && in.Tree == nil && len(in.Text) > 0:
		out = in
	case in.Tree == nil || m.rng.IntN(freshShare) == 0:
		out, err = m.src.Random(ctx, m.rng)
	default:
		out, err = m.src.Mutate(ctx, m.rng, in, with)
	}
	if err != nil || !damaged {
		return out, err
	}
	if worse, err := m.src.Damage(ctx, m.rng, out, with); worse != nil || err != nil {
		return worse, err
	}
	return out, nil
}

// leastTimeout is the least timeout that AFL++ sets by itself.
const leastTimeout = 20 * time.Millisecond

// Took tells how long a program ran on the last mutant. Mutants that are likely to time out, such as
// endless loops, are mostly left out then.
func (m *Mutator) Took(d time.Duration) {
	m.slow.Ran(m.alternatives, d, d >= leastTimeout && m.slow.IsSlow(d))
}

// read returns the tree of a text: one that is remembered, or else one that is parsed.
func (m *Mutator) read(ctx context.Context, text []byte) (*guide.Input, error) {
	if in := m.trees[string(text)]; in != nil {
		return in, nil
	}
	t, err := m.tree(ctx, text)
	if err != nil {
		return nil, err
	}
	var in *guide.Input
	if t == nil {
		in = &guide.Input{Text: bytes.Clone(text)}
	} else {
		in = guide.FromTree(t, "queue")
		m.recent.Add(in)
	}
	if len(m.trees) >= maxTrees {
		clear(m.trees)
	}
	m.trees[string(text)] = in
	return in, nil
}

// tree makes the tree of a text, nil if it has none.
func (m *Mutator) tree(ctx context.Context, text []byte) (*derive.Tree, error) {
	if choices := m.recent.Choices(text); choices != nil {
		if t, err := m.src.Tree(ctx, choices); t != nil || err != nil {
			return t, err
		}
	}
	if m.parser == nil || len(text) == 0 {
		return nil, nil
	}
	limited, cancel := context.WithTimeout(ctx, parseTime)
	defer cancel()
	f, err := m.parser.Parse(limited, "text", string(text))
	if err != nil {
		return nil, ctx.Err()
	}
	t, err := f.Tree(limited)
	if err != nil {
		return nil, ctx.Err()
	}
	return t, nil
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
