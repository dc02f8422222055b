package guide

import (
	"context"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

// InProcess returns a test that calls f and adds the coverage of this process to its labels:
// one label for each counter, with the count bucketed as by [Edge]. Coverage by other
// goroutines that run beside f is included.
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
