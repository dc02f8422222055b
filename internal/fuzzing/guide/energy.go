package guide

// example is an input of the pool.
type example struct {
	*kept
	worth float64 // value of its finds
	cost  float64 // of one run
	spent float64 // cost of the inputs made from it
	finds float64 // finds of the inputs made from it

	shows []Label // labels that it was the first to show; nil once it was trimmed

	shelved bool // it was the newest example once
}

// energy is the weight of an example in draws: its finds divided by its cost.
func (e *example) energy() float64 { return (e.finds + e.worth) / (e.cost + e.spent) }

// countWorth is the worth of a new count of a known edge or name. A new edge or name is worth
// 1.
const countWorth = 1.0 / 8

// worth returns the worth of the last run.
func (l *cover) worth() float64 {
	switch {
	case l.found > 0:
		return 1
	case len(l.fresh) > 0:
		return countWorth
	}
	return 0
}

// work estimates the cost of making and running an input by its size; a small input costs 1.
func work(in *Input) float64 {
	size := len(in.Text)
	if in.Tree != nil {
		size += len(in.Tree.Nodes())
	}
	return 0.5 + float64(size)/256
}

// costs scales measured costs so that the median is 1. The zero value has seen no cost.
type costs struct{ median float64 }

// mostCost bounds a cost. A single measurement may be far too high when the machine was busy,
// and costs are summed.
const mostCost = 1000

// of returns the cost of an input that was run: the measured one, or else an estimate by size.
func (c *costs) of(in *Input) float64 {
	if in.Cost <= 0 {
		return work(in)
	}
	const step = 1.02 // the median goes up as often as down
	switch {
	case c.median == 0:
		c.median = in.Cost
	case in.Cost > c.median:
		c.median *= step
	default:
		c.median /= step
	}
	return min(max(in.Cost/c.median, 0.25), mostCost)
}

// slow is the least cost at which an example is run a second time; it keeps the lower cost.
const slow = 4
