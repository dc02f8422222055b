package lex

import "github.com/gramfuzz/gramfuzz/grammar"

// components returns the strongly connected components of d, each after those
// that it leads to.
func (d *dfa) components() [][]int32 {
	return components(d.len(), func(s int32) []int32 {
		var out []int32
		for _, e := range d.edges(s) {
			out = append(out, e.to)
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
	for _, comp := range components(len(rules), func(s int32) []int32 { return next[s] }) {
		for _, s := range comp {
			if len(comp) > 1 {
				out[rules[s]] = true
			}
		}
	}
	return out
}

// components returns the strongly connected components of a graph of n nodes,
// each after those that it leads to (Tarjan's algorithm, with a stack of its
// own: long literals and chains of rules are deep).
func components(n int, next func(int32) []int32) [][]int32 {
	type frame struct {
		s    int32
		next []int32
		i    int
	}
	index, low := make([]int, n), make([]int, n)
	on := make([]bool, n)
	var out [][]int32
	var stack []int32
	count := 0
	open := func(s int32) frame {
		count++
		index[s], low[s] = count, count
		stack = append(stack, s)
		on[s] = true
		return frame{s: s, next: next(s)}
	}
	for root := range n {
		if index[root] != 0 {
			continue
		}
		calls := []frame{open(int32(root))}
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			if f.i < len(f.next) {
				to := f.next[f.i]
				f.i++
				switch {
				case index[to] == 0:
					calls = append(calls, open(to))
				case on[to]:
					low[f.s] = min(low[f.s], index[to])
				}
				continue
			}
			s := f.s
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				parent := calls[len(calls)-1].s
				low[parent] = min(low[parent], low[s])
			}
			if low[s] != index[s] {
				continue
			}
			var comp []int32
			for {
				t := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				on[t] = false
				comp = append(comp, t)
				if t == s {
					break
				}
			}
			out = append(out, comp)
		}
	}
	return out
}
