// Package graphs finds the strongly connected components of a graph.
//
//	edges := [][]int{{1}, {2}, {1}}
//	for _, component := range graphs.Components(3, func(v int) []int { return edges[v] }) {
//		fmt.Println(component) // [1 2], then [0]
//	}
package graphs

import "slices"

// Components returns the strongly connected components of a graph of n nodes. Each comes after
// the components that it leads to, with its nodes in the order of their first visit. The
// algorithm is Tarjan's (1972) with an explicit stack, since long literals and chains of rules
// make deep graphs. It costs time and memory linear in nodes and edges.
func Components[V ~int | ~int32](n int, next func(V) []V) [][]V {
	type frame struct {
		v    V
		todo []V
	}
	var (
		out     [][]V
		all     = make([]V, 0, n) // the memory of all components
		index   = make([]int, n)  // order of the visit, from 1; 0: not seen yet
		low     = make([]int, n)
		onStack = make([]bool, n)
		stack   []V
		calls   []frame
		visits  int
	)
	enter := func(v V) {
		visits++
		index[v], low[v] = visits, visits
		onStack[v] = true
		stack = append(stack, v)
		calls = append(calls, frame{v, next(v)})
	}
	for root := range n {
		if index[root] != 0 {
			continue
		}
		enter(V(root))
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			if len(f.todo) > 0 {
				w := f.todo[0]
				f.todo = f.todo[1:]
				switch {
				case index[w] == 0:
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
			all = append(all, stack[at:]...)
			component := slices.Clip(all[len(all)-len(stack[at:]):])
			stack = stack[:at]
			for _, w := range component {
				onStack[w] = false
			}
			out = append(out, component)
		}
	}
	return out
}
