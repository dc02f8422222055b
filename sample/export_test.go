package sample

import "context"

// Choices returns the choice sequence of sentence i.
func (c *Source) Choices(ctx context.Context, i uint64) ([]int, error) {
	var s Sentence
	err := c.Sentence(ctx, &s, i)
	return s.Choices, err
}
