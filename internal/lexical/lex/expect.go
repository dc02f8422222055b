package lex

import "slices"

// expectation is the set of token kinds that can follow a prefix of a sentence. It is one
// item set of Earley's algorithm over the syntax rules (An Efficient Context-Free Parsing
// Algorithm, 1970; empty rules as in Aycock and Horspool, 2002). It is immutable once
// made. The time to make one is mostly linear in the rules that can be in progress, but
// quadratic in the number of preceding tokens for a very ambiguous grammar.
type expectation struct {
	terms   []netItem           // the items before a token
	waiting map[int32][]netItem // by rule: the items to continue after a call made here
	whole   bool                // the tokens are a sentence that layout may follow

	near, apart *mode // the candidates for the next token, without and with layout before it
}

// netItem is an Earley item: a node of the network, and the expectation at which its rule
// began. free says that layout may stand before the next token.
type netItem struct {
	node   int32
	origin *expectation
	free   bool
}

// earley is the working state of the construction of one expectation.
type earley struct {
	n    *network
	now  *expectation
	seen map[netItem]bool
	todo []netItem
}

// begin returns the expectation before the first token.
func (n *network) begin() *expectation {
	w := n.work()
	w.add(netItem{n.start, w.now, true})
	return w.done()
}

// after returns the expectation after a token of the given kind, or nil if no such token
// was expected.
func (n *network) after(s *expectation, kind int) *expectation {
	w := n.work()
	for _, it := range s.terms {
		if nd := &n.nodes[it.node]; nd.arg == int32(kind) {
			w.add(netItem{nd.next, it.origin, !nd.glued})
		}
	}
	if len(w.todo) == 0 {
		return nil
	}
	return w.done()
}

func (n *network) work() *earley {
	return &earley{n: n, now: &expectation{waiting: map[int32][]netItem{}}, seen: map[netItem]bool{}}
}

func (w *earley) add(it netItem) {
	if !w.seen[it] {
		w.seen[it] = true
		w.todo = append(w.todo, it)
	}
}

// done completes the item set: it follows all items to the tokens that they expect.
func (w *earley) done() *expectation {
	for len(w.todo) > 0 {
		it := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		nd := &w.n.nodes[it.node]
		switch nd.op {
		case netTerm:
			w.now.terms = append(w.now.terms, it)
		case netFork:
			for _, to := range nd.to {
				w.add(netItem{to, it.origin, it.free})
			}
		case netCall:
			back := netItem{nd.next, it.origin, !nd.glued}
			if !slices.Contains(w.now.waiting[nd.arg], back) {
				w.now.waiting[nd.arg] = append(w.now.waiting[nd.arg], back)
			}
			w.add(netItem{w.n.entry[nd.arg], w.now, it.free})
			if w.n.nullable[nd.arg] {
				w.add(netItem{nd.next, it.origin, it.free})
			}
		case netEnd:
			if nd.arg < 0 {
				w.now.whole = w.now.whole || it.free
			} else if it.origin != w.now { // empty rules were already skipped at their calls
				for _, back := range it.origin.waiting[nd.arg] {
					w.add(back)
				}
			}
		}
	}
	return w.now
}

// kinds returns, by kind, whether a token of it is expected. If layout is set, only tokens
// that layout may precede count.
func (s *expectation) kinds(n *network, size int, layout bool) []bool {
	out := make([]bool, size)
	for _, it := range s.terms {
		if nd := &n.nodes[it.node]; nd.arg >= 0 && (it.free && !nd.tight || !layout) {
			out[nd.arg] = true
		}
	}
	return out
}
