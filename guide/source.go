package guide

import (
	"context"
	"math/rand/v2"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/lex"
	"github.com/gramfuzz/gramfuzz/schedule"
)

// Source makes inputs: sentences of a grammar ([NewSentences]) or plain bytes
// ([NewBytes]). A Source belongs to one loop.
type Source interface {
	// Random draws an input by itself.
	Random(ctx context.Context, rng *rand.Rand) (*Input, error)
}

// SentenceOptions say which sentences of a grammar a [Sentences] makes. The zero
// value is valid.
type SentenceOptions struct {
	Bound  count.Bound         // of sentences drawn by themselves; the zero value is that of package schedule
	Lanes  []schedule.Lane     // how those are drawn; nil is schedule.Default
	Names  gctx.Options        // how the names of an annotated grammar are taken
	Layout lex.Policy          // what stands between tokens of sentences made from others
	Hooks  func() derive.Hooks // the user's own; nil: those of the annotations

	// MaxBytes bounds the text of what is made from others; 0 is 64 KiB.
	MaxBytes int
}

// Sentences is the source of the sentences of a grammar.
type Sentences struct {
	g     *grammar.Grammar
	o     SentenceOptions
	sched *schedule.Sampler // nil until the first draw
	src   *schedule.Source
	next  uint64
}

const defaultMaxBytes = 64 << 10

// NewSentences returns the source of the sentences of g.
func NewSentences(g *grammar.Grammar, o SentenceOptions) (*Sentences, error) {
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultMaxBytes
	}
	return &Sentences{g: g, o: o}, nil
}

// Grammar returns the grammar.
func (s *Sentences) Grammar() *grammar.Grammar { return s.g }

// Random draws a sentence as package schedule does, undamaged.
func (s *Sentences) Random(ctx context.Context, rng *rand.Rand) (*Input, error) {
	if s.src == nil {
		sched, err := schedule.New(ctx, s.g, schedule.Options{
			Seed: rng.Uint64(), Bound: s.o.Bound, Lanes: s.o.Lanes, Brief: true, Hooks: s.o.Hooks,
		})
		if err != nil {
			return nil, err
		}
		s.sched, s.src = sched, sched.Source()
	}
	t, err := s.src.Tree(ctx, s.next)
	if err != nil {
		return nil, err
	}
	s.next++
	return FromTree(t, "random"), nil
}

// Bytes is the source of all byte strings: a grammar of one line.
type Bytes struct{ max int }

// NewBytes returns the source of the byte strings of at most max bytes; 0 is
// 64 KiB.
func NewBytes(max int) *Bytes {
	if max == 0 {
		max = defaultMaxBytes
	}
	return &Bytes{max}
}

// Random draws a length of at most 1,024, short ones more often, and as many
// bytes.
func (s *Bytes) Random(ctx context.Context, rng *rand.Rand) (*Input, error) {
	n := min(s.max, rng.IntN(1<<rng.IntN(11)+1))
	return &Input{Text: randomBytes(rng, n), From: "random"}, nil
}

func randomBytes(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}
