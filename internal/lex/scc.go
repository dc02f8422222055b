package lex

import "github.com/gramfuzz/gramfuzz/grammar"

// components returns the strongly connected components of the automaton, each
// after those that it leads to.
func (w *writer) components() [][]int32 {
	return grammar.Components(w.d.len(), func(s int32) []int32 {
		out := make([]int32, len(w.out[s]))
		for i, e := range w.out[s] {
			out[i] = e.to
		}
		return out
	})
}

// recursive returns the rules that can come to themselves. body says which
// expression of a rule counts.
func recursive(rules []*grammar.Rule, byName map[string]*grammar.Rule, body func(*grammar.Rule) *grammar.Expr) map[*grammar.Rule]bool {
	num := make(map[*grammar.Rule]int32, len(rules))
	for i, r := range rules {
		num[r] = int32(i)
	}
	next := make([][]int32, len(rules))
	out := make(map[*grammar.Rule]bool)
	for i, r := range rules {
		body(r).Walk(func(e *grammar.Expr) {
			to := byName[e.Name]
			n, ok := num[to]
			if e.Op != grammar.Ref || !ok {
				return
			}
			next[i] = append(next[i], n)
			if to == r {
				out[r] = true
			}
		})
	}
	for _, comp := range grammar.Components(len(rules), func(s int32) []int32 { return next[s] }) {
		for _, s := range comp {
			if len(comp) > 1 {
				out[rules[s]] = true
			}
		}
	}
	return out
}
