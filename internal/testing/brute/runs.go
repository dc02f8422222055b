package brute

import (
	"context"
	"fmt"
	"iter"

	"github.com/gramfuzz/gramfuzz/derive"
)

// Runs yields the derivations of a machine by trying every value of every decision, in lexicographic
// order: none where the machine fails before the first decision, since nothing is within its bound. A
// later failure is yielded as an error, with the values that led to it, and ends the list.
func Runs(ctx context.Context, m *derive.Machine) iter.Seq2[*derive.Tree, error] {
	return func(yield func(*derive.Tree, error) bool) {
		var path, sizes []int // the i-th value, and the number of values to choose from
		for {
			at := 0
			tree, err := m.Run(ctx, derive.ChooserFunc(func(d *derive.Decision) (int, error) {
				if at == len(path) {
					path, sizes = append(path, 0), append(sizes, d.N)
				}
				at++
				return d.Value(path[at-1]), nil
			}))
			if err != nil {
				if len(path) > 0 {
					yield(nil, fmt.Errorf("the machine fails after %v: %w", path, err))
				}
				return
			}
			if !yield(tree, nil) {
				return
			}
			for len(path) > 0 && path[len(path)-1] == sizes[len(path)-1]-1 {
				path, sizes = path[:len(path)-1], sizes[:len(sizes)-1]
			}
			if len(path) == 0 {
				return
			}
			path[len(path)-1]++
		}
	}
}
