package guide

import (
	"context"

	"github.com/gramfuzz/gramfuzz/internal/target/gocov"
)

// InProcess returns a test that calls f and adds what f reached in this process to
// its labels: one for each counter, the count bucketed as [Edge] does. What runs
// beside f on other goroutines counts as well.
func InProcess(c *gocov.Counters, f Test) Test {
	var labels []Label
	return func(ctx context.Context, in *Input) ([]Label, error) {
		if err := c.Reset(); err != nil {
			return nil, err
		}
		shown, err := f(ctx, in)
		if err != nil {
			return nil, err
		}
		labels, in.Cost = append(labels[:0], shown...), 1
		err = c.Each(func(counter int, hits uint8) {
			labels = append(labels, Edge(counter, hits))
			in.Cost += float64(hits)
		})
		return labels, err
	}
}
