package guide

// example is an input of the pool.
type example struct {
	*kept
	worth float64 // what it found
	cost  float64 // of a run of it
	spent float64 // what the inputs made from it cost
	finds float64 // what was found from it

	shows []Label // what it was the first to show, nil when it was trimmed

	shelved bool // it was the newest, and something newer came
}

// energy is the weight by which examples are preferred: what was found from it for what was
// spent on it.
func (e *example) energy() float64 { return (e.finds + e.worth) / (e.cost + e.spent) }

// countWorth is the worth of another count of something known; something new is worth
// 1.
const countWorth = 1.0 / 8

// worth returns the worth of what the last run found.
func (l *cover) worth() float64 {
	switch {
	case l.found > 0:
		return 1
	case len(l.fresh) > 0:
		return countWorth
	}
	return 0
}

// work estimates the cost of making and running an input by its size; 1 is a small one.
func work(in *Input) float64 {
	size := len(in.Text)
	if in.Tree != nil {
		size += len(in.Tree.Nodes())
	}
	return 0.5 + float64(size)/256
}

// costs makes the costs that a test measured comparable: 1 is the median. The zero value has
// seen none.
type costs struct{ median float64 }

// mostCost bounds a cost. Those of single runs may be wrong, since the machine did something
// else meanwhile; they are used in sums.
const mostCost = 1000

// of returns the cost of an input that was run: as it was measured, else by its size.
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

// slow is the cost from which on an example is run a second time: the lesser cost is its own.
const slow = 4
