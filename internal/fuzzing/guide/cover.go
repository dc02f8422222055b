package guide

import (
	"context"
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/base/seen"
)

// cover is the loop of coverage-guided property testing without its greedy trap. An input that
// shows a new label joins a pool and never leaves it. Examples are drawn by energy and changed
// by operators. The energy of an example is its finds divided by its cost ([example.energy]),
// so fast examples with fast descendants are preferred. A new edge or name is worth more than
// another count of a known one, since a deeper nest always gives another count.
//
// Operators make the inputs; one of them draws from scratch. Half of the time an operator is drawn
// in proportion to its finds per unit of work, else in inverse proportion to its cost. An example
// is trimmed before it is changed, as long as it keeps all its new labels.
type cover struct {
	*base
	pool []*example
	ops  []*scoredOperator

	texts *seen.Texts
	costs costs

	set LabelSet // reused by trim

	allCost, trimCost float64 // of all inputs and of those of trim

	from *example // the example drawn last
	left int      // draws that return it again

	newest  *example   // its small steps come first, in a share that grows with their yield
	shelved []*example // earlier newest examples with steps left
}

// scoredOperator is an operator with its tests, their cost and their finds. The numbers decay, so an
// operator without recent finds is drawn less often.
type scoredOperator struct {
	operator
	even               float64 // its part of the draws that give equal costs
	tests, work, found float64
}

// decay is the factor applied to work and finds after each test of the operator.
const decay = 0.999

// priorFound and priorWork are the assumed finds and work of an untried operator.
const priorFound, priorWork = 1, 50

// evenShare is the share of draws that give all operators the same cost, all of those on texts
// together that of one: most of their results are no sentences.
const evenShare = 0.5

func newCover(b *base) Loop {
	l := &cover{base: b, texts: seen.NewTexts()}
	ops := b.src.operators()
	if b.o.Compare != nil && b.src.o.Parse != nil {
		ops = append(ops, operator{name: compareOp})
	}
	texts := 0
	for _, op := range append(ops, operator{name: "step"}) {
		l.ops = append(l.ops, &scoredOperator{operator: op, even: 1})
		if op.text {
			texts++
		}
	}
	for _, op := range l.ops {
		if op.text {
			op.even = 1 / float64(texts)
		}
	}
	return l
}

func (l *cover) Step(ctx context.Context) error {
	if err := l.begin(ctx, l.Add); err != nil {
		return err
	}
	misses := 0
	for end := l.tests + l.o.Budget; l.tests < end; {
		in, from, op, err := l.make(ctx, misses)
		if err != nil {
			return err
		}
		if in == nil {
			misses++
			continue
		}
		if !l.texts.Add(in.Text) && misses < patience {
			misses++
			l.charge(op, from, work(in), 0)
			continue
		}
		misses = 0
		worth, cost, err := l.try(ctx, in)
		if err != nil {
			return err
		}
		l.charge(op, from, cost, worth)
	}
	return nil
}

// charge adds a cost and a worth to an operator and to the example that it changed. Small steps
// of the newest example are not charged to it, since they come first in any case.
func (l *cover) charge(op *scoredOperator, from *example, cost, worth float64) {
	op.tests, op.work, op.found = op.tests*decay+1, op.work*decay+cost, op.found*decay+worth
	l.allCost += cost
	if from == nil {
		return
	}
	from.finds += worth
	if op.make != nil || from != l.newest {
		from.spent += cost
	}
}

// make makes an input; nil if the drawn operator does not apply. After many misses it draws an
// input from scratch.
func (l *cover) make(ctx context.Context, misses int) (*Input, *example, *scoredOperator, error) {
	random, op := l.ops[0], l.ops[0]
	if len(l.pool) > 0 && misses < patience {
		if l.newest != nil && l.rng.Float64() < l.stepShare() {
			step := l.ops[len(l.ops)-1]
			from := l.newest
			in, err := l.step(ctx, from)
			if in != nil || err != nil {
				return in, from, step, err
			}
			l.newest = nil // no steps are left
			if n := len(l.shelved); n > 0 {
				l.newest, l.shelved = l.shelved[n-1], l.shelved[:n-1]
				l.newest.shelved = true
			}
		}
		op = l.operatorDrawn()
	}
	if op == random {
		in, err := op.make(ctx, l.rng, nil, nil)
		return in, nil, op, err
	}
	from := l.drawn()
	if err := l.trim(ctx, from); err != nil {
		return nil, nil, op, err
	}
	other := l.pool[l.rng.IntN(len(l.pool))].in
	if op.two && len(l.queue) > 0 {
		other = l.queue[l.rng.IntN(len(l.queue))].in // its tree is there
	}
	var in *Input
	var err error
	switch {
	case op.make != nil:
		if in, err = l.open(ctx, from.kept); err == nil {
			in, err = op.make(ctx, l.rng, in, other)
		}
	case op.name == compareOp:
		in, err = l.compare(ctx, op, from)
	default:
		in, err = l.step(ctx, from)
	}
	if in != nil && op.text {
		in, err = l.stack(ctx, in, other)
	}
	return in, from, op, err
}

// mostStacked is the greatest number of changes made to one text in a row. Each is followed by
// another with probability 1/4.
const mostStacked = 4

// stack applies further changes to a text, or none.
func (l *cover) stack(ctx context.Context, in, other *Input) (*Input, error) {
	for n := 1; n < mostStacked && l.rng.IntN(4) == 0; {
		op := l.ops[l.rng.IntN(len(l.ops))]
		if !op.text {
			continue
		}
		n++
		out, err := op.make(ctx, l.rng, in, other)
		if err != nil {
			return nil, err
		}
		if out != nil {
			out.From, in = in.From, out
		}
	}
	return in, nil
}

// step makes the next small step from an example; nil if none is left. Each step is made once,
// so the effect of every single change is seen.
func (l *cover) step(ctx context.Context, from *example) (*Input, error) {
	in, err := l.open(ctx, from.kept)
	if err != nil {
		return nil, err
	}
	if from.steps == nil {
		from.steps = l.src.expand(l.rng, in)
	}
	return from.steps(ctx)
}

// operatorDrawn draws an operator in proportion to its earnings, or to how cheap its inputs are.
func (l *cover) operatorDrawn() *scoredOperator {
	weight := (*scoredOperator).earns
	if l.rng.Float64() < evenShare {
		weight = func(op *scoredOperator) float64 { return op.even / op.meanCost() }
	}
	return l.ops[pick(l.rng, len(l.ops), func(i int) float64 { return weight(l.ops[i]) })]
}

// meanCost returns the mean cost of an operator's inputs. An untried operator has that of others.
func (e *scoredOperator) meanCost() float64 { return (e.work + priorWork) / (e.tests + priorWork) }

// earns returns the finds of an operator per unit of work.
func (e *scoredOperator) earns() float64 { return (e.found + priorFound) / (e.work + priorWork) }

// mostSteps is the greatest share of inputs that are small steps from the newest example.
const mostSteps = 0.8

// mostShelved bounds the shelved examples.
const mostShelved = 8

// stepShare returns the share of small steps from the newest example. It is smaller where small
// steps earn less than the best operator.
func (l *cover) stepShare() float64 {
	most := 0.0
	for _, op := range l.ops {
		most = max(most, op.earns())
	}
	share := mostSteps * l.ops[len(l.ops)-1].earns() / most
	if l.newest.shelved {
		share /= 4
	}
	return share / max(1, l.newest.cost)
}

// tournament is the number of examples that are compared when one is drawn.
const tournament = 16

// stays is the number of inputs made in a row from an example that was drawn. To rebuild its tree
// can take longer than to change it.
const stays = 4

// drawn draws a few examples and returns the one with the most energy, several times in a row.
func (l *cover) drawn() *example {
	l.left--
	if l.left > 0 {
		return l.from
	}
	var best *example
	for range tournament {
		if e := l.pool[l.rng.IntN(len(l.pool))]; best == nil || e.energy() > best.energy() {
			best = e
		}
	}
	l.from, l.left = best, stays
	return best
}

// try runs an input and adds it to the pool if it has any worth. It returns its worth and cost.
func (l *cover) try(ctx context.Context, in *Input) (worth, cost float64, err error) {
	if _, err := l.run(ctx, in); err != nil {
		return 0, 0, err
	}
	cost = l.costs.of(in)
	if len(l.fresh) == 0 || !l.src.keeps(in) {
		return 0, cost, nil
	}
	worth = l.worth()
	l.operator(in.From).Examples++
	if l.newest != nil {
		if len(l.shelved) == mostShelved {
			l.shelved = slices.Delete(l.shelved, 0, 1)
		}
		l.shelved = append(l.shelved, l.newest)
	}
	e := l.join(in, worth, cost)
	e.shows = slices.Clone(l.fresh)
	if cost >= slow && in.Cost > 0 {
		if _, err := l.run(ctx, in); err != nil {
			return 0, 0, err
		}
		e.cost = min(cost, l.costs.of(in))
	}
	l.newest = e
	return worth, cost, l.trim(ctx, e)
}

// join adds an input to the pool.
func (l *cover) join(in *Input, worth, cost float64) *example {
	e := &example{kept: l.keep(in), worth: worth, cost: cost}
	l.pool = append(l.pool, e)
	return e
}

func (l *cover) Add(ctx context.Context, in *Input) error {
	_, _, err := l.try(ctx, completed(in))
	return err
}

func (l *cover) Stats() Stats { return l.stats(len(l.pool)) }

func (l *cover) Examples() []*Input {
	ins := make([]*Input, len(l.pool))
	for i, e := range l.pool {
		ins[i] = e.in
	}
	return ins
}
