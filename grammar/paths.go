package grammar

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/base/graphs"
)

// cycles returns the components that contain a cycle.
func cycles(n int, edges func(v int) []int) [][]int {
	return slices.DeleteFunc(graphs.Components(n, edges), func(c []int) bool {
		return len(c) == 1 && !slices.Contains(edges(c[0]), c[0])
	})
}

// shortestCycle returns a shortest path from v over at least one edge back to v, including both
// ends, inside v's component.
func shortestCycle(v int, component []int, edges func(v int) []int) []int {
	inside := make(map[int]bool, len(component))
	for _, w := range component {
		inside[w] = true
	}
	from := make(map[int]int)
	queue := []int{v}
	for len(queue) > 0 {
		w := queue[0]
		queue = queue[1:]
		for _, x := range edges(w) {
			if x == v {
				path := []int{v}
				for ; w != v; w = from[w] {
					path = append(path, w)
				}
				path = append(path, v)
				slices.Reverse(path)
				return path
			}
			if _, seen := from[x]; !seen && inside[x] {
				from[x] = w
				queue = append(queue, x)
			}
		}
	}
	return nil
}
