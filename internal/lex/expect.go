package lex

import "slices"

// expectation is what can come after some tokens: the kinds with which they are
// still the beginning of a sentence. It is one set of Earley's algorithm
// (An Efficient Context-Free Parsing Algorithm, 1970; empty rules as Aycock and
// Horspool have them, 2002) over the syntax rules, and never changes once it is
// made. Making one costs time linear in the rules that can be under way, most
// often; quadratic in the tokens before where a grammar is very ambiguous.
type expectation struct {
	terms   []netItem           // those at a token
	waiting map[int32][]netItem // by rule: those that called it here
	whole   bool                // the tokens are a sentence, behind which layout may stand

	near, apart *mode // who competes for the next token, without and with layout before it
}

// netItem is a place in a network, in a rule begun at an expectation. free says
// that layout may stand before the next token.
type netItem struct {
	node   int32
	origin *expectation
	free   bool
}

// earley makes one expectation.
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

// after returns the expectation after a token of a kind, nil where none was
// expected.
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

// done follows all items to the tokens that they expect.
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
			} else if it.origin != w.now { // what is empty was passed over at its call
				for _, back := range it.origin.waiting[nd.arg] {
					w.add(back)
				}
			}
		}
	}
	return w.now
}

// kinds returns the kinds of tokens that are expected, by kind; with layout,
// those before which it may stand.
func (s *expectation) kinds(n *network, size int, layout bool) []bool {
	out := make([]bool, size)
	for _, it := range s.terms {
		if nd := &n.nodes[it.node]; nd.arg >= 0 && (it.free && !nd.tight || !layout) {
			out[nd.arg] = true
		}
	}
	return out
}
