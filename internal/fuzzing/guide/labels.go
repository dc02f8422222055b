package guide

import (
	"context"

	"github.com/gramfuzz/gramfuzz/internal/base/seen"
)

// labels is the loop of "Fuzzing examples from the ground up" (MacIver): it keeps the smallest
// example for each label. An input that shows a new label, or is smaller than the example of
// one, is shrunk at once. A shrink that changes any example takes its place, until none does.
// Then a label is picked at random, and its example is expanded until something changes.
type labels struct {
	*base
	texts *seen.Texts
	best  map[Label]*kept
	order []Label       // labels of best in order of arrival
	uses  map[*kept]int // number of labels for which an input is the best

	next candidates // current candidates; nil: pick a label
}

func newLabels(b *base) Loop {
	b.all = true
	return &labels{base: b, texts: seen.NewTexts(), best: map[Label]*kept{}, uses: map[*kept]int{}}
}

// patience is the number of known candidates in a row that are skipped before one is run
// anyway. It prevents an endless loop on a source of few inputs.
const patience = 64

func (l *labels) Step(ctx context.Context) error {
	if err := l.begin(ctx, l.Add); err != nil {
		return err
	}
	passed := 0
	for end := l.tests + l.o.Budget; l.tests < end; {
		before := l.tests
		in, err := l.candidate(ctx, passed >= patience)
		if err == nil && in != nil {
			err = l.consider(ctx, in, passed >= patience)
		}
		if err != nil {
			return err
		}
		passed++
		if l.tests > before {
			passed = 0
		}
	}
	return nil
}

// candidate returns the next candidate. At the end of a list it returns nil or, with force, a
// sentence drawn from scratch.
func (l *labels) candidate(ctx context.Context, force bool) (*Input, error) {
	if l.next == nil {
		if err := l.pick(ctx); err != nil {
			return nil, err
		}
	}
	in, err := l.next(ctx)
	if in != nil || err != nil {
		return in, err
	}
	l.next = nil
	if force {
		return l.src.Random(ctx, l.rng)
	}
	return nil, nil
}

// pick begins to expand the example of a random label, or a sentence drawn from scratch if
// there are no labels.
func (l *labels) pick(ctx context.Context) error {
	var in *Input
	var err error
	if len(l.order) > 0 {
		in, err = l.open(ctx, l.best[l.order[l.rng.IntN(len(l.order))]])
	} else {
		in, err = l.src.Random(ctx, l.rng)
	}
	if err != nil {
		return err
	}
	l.next = l.src.expand(l.rng, in)
	return nil
}

// consider runs a new input and records it for each label of which it is the best example. If
// there are any, its shrinks are the next candidates.
func (l *labels) consider(ctx context.Context, in *Input, again bool) error {
	if !l.texts.Add(in.Text) && !again {
		return nil
	}
	shown, err := l.run(ctx, in)
	if err != nil || !l.src.keeps(in) {
		return err
	}
	var now *kept
	for _, label := range shown {
		old := l.best[label]
		if old != nil && !simpler(in, old.in) { // without choices, old.in precedes an equal text
			continue
		}
		if old == nil {
			l.order = append(l.order, label)
		} else {
			l.uses[old]--
			if l.uses[old] == 0 {
				delete(l.uses, old)
			}
		}
		if now == nil {
			now = l.keep(in)
		}
		l.best[label] = now
		l.uses[now]++
	}
	if now != nil {
		l.operator(in.From).Examples++
		l.next = l.src.shrink(in)
	}
	return nil
}

// Add runs an input from elsewhere; its shrinks are tried in later steps.
func (l *labels) Add(ctx context.Context, in *Input) error {
	l.begun = true
	return l.consider(ctx, completed(in), true)
}

func (l *labels) Stats() Stats { return l.stats(len(l.uses)) }

func (l *labels) Examples() []*Input {
	var ins []*Input
	listed := map[*kept]bool{}
	for _, label := range l.order {
		if k := l.best[label]; !listed[k] {
			listed[k] = true
			ins = append(ins, k.in)
		}
	}
	return ins
}
