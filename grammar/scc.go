package grammar

import "slices"

// cycles returns the strongly connected components of a graph of n nodes that
// hold a cycle, each as its nodes in ascending order of their first visit.
// (Tarjan 1972, with a stack of its own.)
func cycles(n int, edges func(v int) []int) [][]int {
	const unseen = 0
	var (
		out     [][]int
		index   = make([]int, n) // order of the visit, from 1
		low     = make([]int, n)
		onStack = make([]bool, n)
		stack   []int
		next    = 1
	)
	type frame struct {
		v    int
		todo []int
	}
	var calls []frame
	enter := func(v int) {
		index[v], low[v] = next, next
		next++
		onStack[v] = true
		stack = append(stack, v)
		calls = append(calls, frame{v, edges(v)})
	}
	for root := range n {
		if index[root] != unseen {
			continue
		}
		enter(root)
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			if len(f.todo) > 0 {
				w := f.todo[0]
				f.todo = f.todo[1:]
				switch {
				case index[w] == unseen:
					enter(w)
				case onStack[w]:
					low[f.v] = min(low[f.v], index[w])
				}
				continue
			}
			v := f.v
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].v
				low[up] = min(low[up], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			at := len(stack) - 1
			for stack[at] != v {
				at--
			}
			component := append([]int(nil), stack[at:]...)
			stack = stack[:at]
			for _, w := range component {
				onStack[w] = false
			}
			if len(component) > 1 || slices.Contains(edges(v), v) {
				out = append(out, component)
			}
		}
	}
	return out
}

// shortestCycle returns a shortest path from v over at least one edge back to
// v, both ends included, inside the component that v is in.
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
