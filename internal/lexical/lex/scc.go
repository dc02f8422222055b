package lex

import "github.com/gramfuzz/gramfuzz/internal/base/graphs"

// components returns the strongly connected components of the automaton, each after its
// successors.
func (w *writer) components() [][]int32 {
	return graphs.Components(w.d.len(), func(s int32) []int32 {
		out := make([]int32, len(w.out[s]))
		for i, e := range w.out[s] {
			out[i] = e.to
		}
		return out
	})
}
