package graphs

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestComponents compares with reachability by brute force on random graphs: two nodes are in one
// component if each leads to the other, and a component comes after those that it leads to.
func TestComponents(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := rng.IntN(12)
		leads := make([][]bool, n)
		edges := make([][]int, n)
		for v := range n {
			leads[v] = make([]bool, n)
			leads[v][v] = true
		}
		for range rng.IntN(2*n + 1) {
			v, w := rng.IntN(n), rng.IntN(n)
			edges[v] = append(edges[v], w)
			leads[v][w] = true
		}
		for via := range n {
			for v := range n {
				for w := range n {
					leads[v][w] = leads[v][w] || leads[v][via] && leads[via][w]
				}
			}
		}
		got := Components(n, func(v int) []int { return edges[v] })
		place := make([]int, n)
		var all []int
		for i, component := range got {
			for _, v := range component {
				place[v] = i
			}
			all = append(all, component...)
		}
		slices.Sort(all)
		if len(slices.Compact(all)) != n {
			t.Fatalf("%v: components %v of %d nodes", edges, got, n)
		}
		for v := range n {
			for w := range n {
				if same := leads[v][w] && leads[w][v]; same != (place[v] == place[w]) {
					t.Fatalf("%v: components %v: %d and %d", edges, got, v, w)
				}
				if leads[v][w] && place[w] > place[v] {
					t.Fatalf("%v: components %v: %d leads to %d", edges, got, v, w)
				}
			}
		}
	}
}
