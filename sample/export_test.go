package sample

import "context"

// LittleMemory returns options with which compiled parts are discarded all the time.
func LittleMemory(o Options) Options {
	o.memory = 1 << 18
	return o
}

// Choices returns the choice sequence of sentence i.
func (c *Source) Choices(ctx context.Context, i uint64) ([]int, error) {
	var s Sentence
	err := c.Sentence(ctx, &s, i)
	return s.Choices, err
}

// SlowGaps returns how many tokens of a source were laid out by a joiner, not by tables.
func SlowGaps(c *Source) int {
	if l, ok := c.src.(*layoutSource); ok {
		return l.gaps.Slow
	}
	return 0
}
