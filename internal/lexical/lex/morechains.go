package lex

import (
	"encoding/binary"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Bounds of tokens made of several matches: the depth of the mode stack within one, and
// the states of all chains together.
const (
	maxStack = 8
	maxChain = 20_000
)

// chains rewrites the rules that end a chain of `more` rules: such a rule gets the whole
// texts of its chains as body. The lexer reads a chain match by match, each the longest,
// from a place where a token may begin to the end of the rule.
func (r *resolver) chains(readers map[string]*combined) {
	if !slices.ContainsFunc(r.rules, func(rule *grammar.Rule) bool { return competes(rule) && has(rule, "more") }) {
		return
	}
	b := &chain{r: r, n: newNFA(r.al, r.bodies), readers: readers, ids: make(map[string]int32),
		finals: make(map[*candidate]int32), chained: make(map[*candidate]bool)}
	var starts []int32
	for _, mode := range entryModes(r.rules) {
		if readers[mode] == nil {
			continue
		}
		id, err := b.state(link{stack: []string{mode}})
		if err != nil {
			return
		}
		starts = append(starts, id)
	}
	start, err := b.n.add(nstate{eps: orNoStates(starts)})
	for i := 0; err == nil && i < len(b.links); i++ {
		err = b.expand(i)
	}
	var all *dfa
	ends := make(map[int32][]int32) // by final: the states of all that hold it
	if err == nil {
		all, err = b.n.subsets(start, b.note(ends))
	}
	for _, mode := range modes(r.rules) {
		if readers[mode] == nil {
			continue
		}
		for _, v := range readers[mode].candidates {
			if !b.chained[v] || v.rule == nil {
				continue
			}
			if err == nil {
				err = b.rewrite(v, all, ends[b.finals[v]])
			}
			if err != nil {
				r.tooLarge(v.rule, err)
			}
		}
	}
}

func has(rule *grammar.Rule, command string) bool {
	return slices.ContainsFunc(rule.Commands, func(c grammar.Command) bool { return c.Name == command })
}

// entryModes returns the modes in which a token can begin: the default one, and those
// entered by a rule that ends a token.
func entryModes(rules []*grammar.Rule) []string {
	out := []string{""}
	for _, rule := range rules {
		if !competes(rule) || has(rule, "more") {
			continue
		}
		for _, c := range rule.Commands {
			if m := modeArg(c); (c.Name == "mode" || c.Name == "pushMode") && !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

func modeArg(c grammar.Command) string {
	if c.Arg == "DEFAULT_MODE" {
		return ""
	}
	return c.Arg
}

// chain builds the automaton of all chains at once.
type chain struct {
	r       *resolver
	n       *nfa
	readers map[string]*combined
	ids     map[string]int32 // automaton states by link
	links   []link
	finals  map[*candidate]int32 // the final state of the chains that end with the candidate
	chained map[*candidate]bool  // whether it ends a chain of more than one match
}

// link is a state within a chain. It holds the mode stack as far as known, the state of the
// current match in the automaton of the top mode, and the earlier matches that must not
// become longer.
type link struct {
	stack   []string
	at      int32
	later   bool // not the first match
	earlier []promise
	id      int32
}

type promise struct {
	mode string
	at   int32
}

func (l *link) key() string {
	var k []byte
	for _, m := range l.stack {
		k = append(append(k, m...), 0)
	}
	k = binary.AppendUvarint(append(k, 1, byte(btoi(l.later))), uint64(l.at))
	for _, p := range l.earlier {
		k = binary.AppendUvarint(append(append(k, p.mode...), 0), uint64(p.at))
	}
	return string(k)
}

// state returns the automaton state of a link.
func (b *chain) state(l link) (int32, error) {
	k := l.key()
	if id, ok := b.ids[k]; ok {
		return id, nil
	}
	if len(b.links) >= maxChain {
		return 0, errTooLarge
	}
	id, err := b.n.add(nstate{eps: []int32{}})
	if err != nil {
		return 0, err
	}
	l.id = id
	b.ids[k] = id
	b.links = append(b.links, l)
	return id, nil
}

// expand adds the transitions of link i.
func (b *chain) expand(i int) error {
	l := b.links[i]
	rd := b.readers[l.stack[len(l.stack)-1]]
	var eps []int32
	if w := rd.winner[l.at]; w >= 0 {
		to, ok, err := b.end(&l, rd, rd.candidates[w])
		if err != nil {
			return err
		}
		if ok {
			eps = append(eps, to)
		}
	}
	steps := make(map[int32]int32) // by target: the state that reads its symbols
	for c, at := range rd.d.row(l.at) {
		next, ok := b.read(&l, sym(c), at)
		if !ok {
			continue
		}
		to, err := b.state(next)
		if err != nil {
			return err
		}
		s, ok := steps[to]
		if !ok {
			if s, err = b.n.add(nstate{next: to}); err != nil {
				return err
			}
			steps[to] = s
			eps = append(eps, s)
		}
		b.n.states[s].syms = append(b.n.states[s].syms, sym(c))
	}
	b.n.states[l.id].eps = orNoStates(eps)
	return nil
}

// read returns the link after one more symbol, if it keeps all promises.
func (b *chain) read(l *link, c sym, at int32) (link, bool) {
	next := link{stack: l.stack, at: at, later: l.later}
	if at == dead {
		return next, false
	}
	for _, p := range l.earlier {
		rd := b.readers[p.mode]
		to := rd.d.row(p.at)[c]
		if to == dead {
			continue
		}
		if rd.winner[to] >= 0 {
			return next, false // the earlier match would have extended to here
		}
		if q := (promise{p.mode, to}); !slices.Contains(next.earlier, q) {
			next.earlier = append(next.earlier, q)
		}
	}
	return next, true
}

// end returns the state after a match of v that ends at l: the end of the chain, or the
// beginning of its next match. ok is false if no chain continues there.
func (b *chain) end(l *link, rd *combined, v *candidate) (int32, bool, error) {
	if l.at == 0 { // an empty match is none
		return 0, false, nil
	}
	if v.rule == nil || !has(v.rule, "more") {
		b.chained[v] = b.chained[v] || l.later
		id, ok := b.finals[v]
		if !ok {
			var err error
			if id, err = b.n.add(nstate{syms: []sym{}}); err != nil {
				return 0, false, err
			}
			b.finals[v] = id
		}
		return id, true, nil
	}
	stack := slices.Clone(l.stack)
	for _, c := range v.rule.Commands {
		switch c.Name {
		case "mode":
			stack[len(stack)-1] = modeArg(c)
		case "pushMode":
			stack = append(stack, modeArg(c))
		case "popMode":
			stack = stack[:len(stack)-1]
		}
		if len(stack) == 0 || len(stack) > maxStack || b.readers[stack[len(stack)-1]] == nil {
			return 0, false, nil
		}
	}
	next := link{stack: stack, later: true, earlier: slices.Clone(l.earlier)}
	p := promise{l.stack[len(l.stack)-1], l.at}
	goesOn := slices.ContainsFunc(rd.d.row(l.at), func(to int32) bool { return to != dead })
	if goesOn && !slices.Contains(next.earlier, p) {
		next.earlier = append(next.earlier, p)
	}
	id, err := b.state(next)
	return id, err == nil, err
}

// note returns a visitor that collects the states in which each chain ends.
func (b *chain) note(ends map[int32][]int32) func([]int32) {
	final := make(map[int32]bool)
	for v, q := range b.finals {
		final[q] = b.chained[v]
	}
	s := int32(-1)
	return func(set []int32) {
		s++
		for _, q := range set {
			if final[q] {
				ends[q] = append(ends[q], s)
			}
		}
	}
}

// rewrite makes the chains that end with v the body of its rule. They end in the states
// ends of the automaton all.
func (b *chain) rewrite(v *candidate, all *dfa, ends []int32) error {
	d := &dfa{al: all.al, next: all.next, accept: make([]bool, all.len())}
	for _, s := range ends {
		d.accept[s] = true
	}
	d = d.minimize()
	exprs := []*grammar.Expr{b.r.body(v.rule)}
	for _, rule := range b.r.rules {
		if competes(rule) && has(rule, "more") {
			exprs = append(exprs, b.r.body(rule))
		}
	}
	body, err := d.expr(v.rule.Pos, b.r.named(newSeq(v.rule.Pos, exprs...)), b.r.helper(v.rule))
	if err != nil {
		return err
	}
	b.r.rewritten[v.rule] = body
	return nil
}
