package guide

import "context"

// trimFailures is the number of failed tests in a row after which trimming an input ends; a
// short input is trimmed completely.
const trimFailures = 64

// trimShare is the greatest share of the cost of all inputs spent on trimming, beyond the first
// trimFree units. While nearly every input shows something new, other work pays more.
const (
	trimShare = 0.1
	trimFree  = 500
)

// trim makes an example smaller, once, as long as it shows all labels that it was the first to
// show and the trimming budget allows it.
func (l *cover) trim(ctx context.Context, e *example) error {
	if e.shows == nil || l.trimmedEnough() {
		return nil
	}
	labels := e.shows
	e.shows = nil
	in, err := l.open(ctx, e.kept)
	if err != nil {
		return err
	}
	next := l.src.shrink(in)
	for failed := 0; failed < min(trimFailures, 4*len(in.Text)) && !l.trimmedEnough(); failed++ {
		small, err := next(ctx)
		if small == nil || err != nil {
			return err
		}
		small.From, small.All = "trim", true
		shown, err := l.run(ctx, small)
		if err != nil {
			return err
		}
		cost := l.costs.of(small)
		l.allCost += cost
		l.trimCost += cost
		switch {
		case l.shownAll(shown, labels):
			labels = append(labels, l.fresh...)
			e.kept, e.cost = l.keep(small), min(e.cost, cost)
			in, next, failed = small, l.src.shrink(small), 0
		case len(l.fresh) > 0:
			l.operator("trim").Examples++
			l.join(small, l.worth(), cost)
		}
	}
	return nil
}

func (l *cover) trimmedEnough() bool { return l.trimCost > trimShare*l.allCost+trimFree }

// shownAll reports whether shown contains all of labels.
func (l *cover) shownAll(shown, labels []Label) bool {
	l.set.Clear()
	for _, s := range shown {
		l.set.Add(s)
	}
	for _, label := range labels {
		if fresh, _ := l.set.Add(label); fresh {
			return false
		}
	}
	return true
}
