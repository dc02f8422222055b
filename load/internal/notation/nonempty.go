package notation

import (
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// maxSplit bounds the number of parts of a body without the empty text.
const maxSplit = 1 << 12

// splitter writes rules for notations in which rules must not derive the empty text. Each rule
// derives its nonempty texts only. References to rules that also derived the empty text become
// optional.
type splitter struct {
	p     *Printer
	facts *grammar.Facts
	rule  *grammar.Rule // the rule being written
	parts int
	ways  map[*grammar.Rule]int
}

// NonEmpty returns the body of a rule without the empty text, or nil if the rule derives no other
// text. With whole it keeps the empty text. The number of derivations stays the same, unless the
// empty text has several derivations in a rule, which is reported.
func (p *Printer) NonEmpty(r *grammar.Rule, whole bool) *grammar.Expr {
	if p.split == nil {
		p.split = &splitter{p: p, facts: p.g.Facts(nil, grammar.Exact), ways: make(map[*grammar.Rule]int)}
	}
	s := p.split
	s.rule, s.parts = r, 0
	if r.Kind.Lexical() && r.Written != nil && p.large(r) {
		p.Lose(r, r.Pos, "lost-difference", fmt.Sprintf("what other tokens and differences take from %q", r.Name), "written is all that it has by itself")
		return bare(r.Written)
	}
	var e *grammar.Expr
	if whole || !r.Kind.Lexical() && !s.facts.Nullable(r.Body) { // it does not derive the empty text
		e = s.full(r.Body)
	} else {
		e = s.rest(r.Body)
	}
	if s.parts > maxSplit {
		p.Lose(r, r.Pos, "lost-empty", fmt.Sprintf("rule %q, whose texts may be empty in many ways,", r.Name), "make some of its parts not empty")
		return r.Body
	}
	return e
}

// maxToken bounds the size of a token with all references inlined.
const maxToken = 1 << 12

// large reports whether a token is too large.
func (p *Printer) large(r *grammar.Rule) bool {
	if p.sizes == nil {
		p.sizes = make(map[*grammar.Rule]int)
	}
	var size func(r *grammar.Rule) int
	size = func(r *grammar.Rule) int {
		if n, ok := p.sizes[r]; ok {
			return n
		}
		p.sizes[r] = 1 // counts in recursive references
		n := 0
		r.Body.Walk(func(e *grammar.Expr) {
			n += 1 + len(e.Ranges)
			if e.Op == grammar.Ref && e.Rule != nil {
				n += size(e.Rule)
			}
			n = min(n, maxToken+1)
		})
		p.sizes[r] = n
		return n
	}
	return size(r) > maxToken
}

// bare returns e with each difference A - B replaced by A.
func bare(e *grammar.Expr) *grammar.Expr {
	if e.Op == grammar.Diff {
		return bare(e.Children[0])
	}
	c := like(e)
	for _, k := range e.Children {
		c.Children = append(c.Children, bare(k))
	}
	return c
}

// Terminals returns the rules that can be written as tokens: lexical rules that derive some
// text and are not recursive.
func (p *Printer) Terminals() map[*grammar.Rule]bool {
	facts := p.g.Facts(nil, grammar.Exact)
	out := make(map[*grammar.Rule]bool)
	var visit func(r *grammar.Rule) bool
	visit = func(r *grammar.Rule) bool {
		if ok, done := out[r]; done {
			return ok
		}
		ok := r.Kind.Lexical() && !r.Recursive && (facts.Nullable(r.Body) || facts.CanBeNonEmpty(r.Body))
		out[r] = ok
		r.Body.Walk(func(e *grammar.Expr) {
			if e.Op == grammar.Ref && e.Rule != nil && (facts.Nullable(e) || facts.CanBeNonEmpty(e)) {
				ok = visit(e.Rule) && ok
			}
		})
		out[r] = ok
		return ok
	}
	for _, r := range p.g.Rules {
		visit(r)
	}
	return out
}

// Nullable reports whether a rule derives the empty text.
func (p *Printer) Nullable(r *grammar.Rule) bool {
	return p.g.Facts(nil, grammar.Exact).Nullable(r.Body)
}

// Entered reports whether the start derives the empty text and is referenced. Notations in which
// only the start may derive the empty text then need another rule before it.
func (p *Printer) Entered() bool {
	return p.Nullable(p.g.Start) && slices.ContainsFunc(p.g.Exprs, func(e *grammar.Expr) bool { return e.Op == grammar.Ref && e.Rule == p.g.Start && e != p.g.Root })
}

// like returns e with other children.
func like(e *grammar.Expr, children ...*grammar.Expr) *grammar.Expr {
	c := *e
	c.Children = children
	return &c
}

func rep(e *grammar.Expr, min, max int) *grammar.Expr {
	return &grammar.Expr{Op: grammar.Rep, Pos: e.Pos, Children: []*grammar.Expr{e}, Min: min, Max: max}
}

func seq(pos grammar.Pos, children ...*grammar.Expr) *grammar.Expr {
	return &grammar.Expr{Op: grammar.Seq, Pos: pos, Children: children}
}

// full returns e with all its texts, including the empty one.
func (s *splitter) full(e *grammar.Expr) *grammar.Expr {
	if s.parts++; s.parts > maxSplit {
		return e
	}
	switch e.Op {
	case grammar.Ref:
		if e.Rule == nil || !s.facts.Nullable(e.Rule.Body) {
			return e
		}
		if !s.facts.CanBeNonEmpty(e.Rule.Body) {
			return seq(e.Pos)
		}
		s.once(e.Pos, s.empty(e.Rule.Body), fmt.Sprintf("rule %q", e.Rule.Name))
		return rep(e, 0, 1)
	case grammar.Seq, grammar.Choice, grammar.Diff:
		var children []*grammar.Expr
		for _, k := range e.Children {
			if e.Op == grammar.Choice && s.rule.Kind.Lexical() && !s.facts.Nullable(k) && !s.facts.CanBeNonEmpty(k) {
				continue // tokens must not contain undefined rules
			}
			children = append(children, s.full(k))
		}
		c := like(e, children...)
		if len(children) < len(e.Children) {
			c.Weights, c.Labels = nil, nil
		}
		return c
	case grammar.Rep:
		k := e.Children[0]
		if e.Max >= 0 || !s.facts.Nullable(k) {
			return like(e, s.full(k))
		}
		var parts []*grammar.Expr
		for range min(e.Min, maxSplit) {
			parts = append(parts, s.full(k))
		}
		if k = s.rest(k); k != nil {
			parts = append(parts, rep(k, 0, grammar.Unbounded))
		}
		if len(parts) == 1 {
			return parts[0]
		}
		return seq(e.Pos, parts...)
	}
	return e
}

// rest returns e without the empty text, or nil if nothing is left.
func (s *splitter) rest(e *grammar.Expr) *grammar.Expr {
	switch {
	case !s.facts.CanBeNonEmpty(e):
		return nil
	case !s.facts.Nullable(e), s.parts > maxSplit:
		return s.full(e)
	}
	s.parts++
	switch e.Op {
	case grammar.Choice:
		return s.choice(e)
	case grammar.Seq:
		return s.first(e.Pos, e.Children)
	case grammar.Rep:
		k := e.Children[0]
		if e.Max < 0 && (e.Min == 0 || !s.facts.Nullable(k)) {
			return rep(s.rest(k), 1, grammar.Unbounded)
		}
		if !s.facts.Nullable(k) {
			return rep(s.full(k), 1, e.Max)
		}
		var parts []*grammar.Expr
		for range min(e.Min, maxSplit) {
			parts = append(parts, k)
		}
		if e.Max != e.Min {
			most := e.Max
			if most > 0 {
				most -= e.Min
			}
			parts = append(parts, &grammar.Expr{Op: grammar.Rep, Pos: e.Pos, Children: e.Children, Max: most})
		}
		return s.repeated(e, parts)
	}
	return e // a reference
}

// choice returns a choice without the empty text.
func (s *splitter) choice(e *grammar.Expr) *grammar.Expr {
	c := like(e)
	c.Weights, c.Labels = nil, nil
	for i, k := range e.Children {
		if k := s.rest(k); k != nil {
			c.Children = append(c.Children, k)
			if e.Labels != nil {
				c.Labels = append(c.Labels, e.Labels[i])
			}
		}
	}
	if len(c.Children) == 1 {
		return c.Children[0]
	}
	return c
}

// first returns a sequence of parts that may all be empty, without the empty text. It is a choice
// with an alternative for each part that can be the first nonempty one.
func (s *splitter) first(pos grammar.Pos, parts []*grammar.Expr) *grammar.Expr {
	c := &grammar.Expr{Op: grammar.Choice, Pos: pos}
	ways := 1
	for i, k := range parts {
		if begin := s.rest(k); begin != nil {
			s.once(pos, ways, "a part of a sequence")
			alt := []*grammar.Expr{begin}
			for _, o := range parts[i+1:] {
				alt = append(alt, s.full(o))
			}
			if len(alt) == 1 {
				c.Children = append(c.Children, begin)
			} else {
				c.Children = append(c.Children, seq(pos, alt...))
			}
		}
		ways = min(2, ways*s.empty(k))
	}
	if len(c.Children) == 1 {
		return c.Children[0]
	}
	return c
}

// repeated is first for a repetition of elements that may be empty. parts has the minimum number of
// elements, and perhaps a repetition for the rest.
func (s *splitter) repeated(e *grammar.Expr, parts []*grammar.Expr) *grammar.Expr {
	k, last := e.Children[0], parts[len(parts)-1]
	if last == k {
		return s.first(e.Pos, parts)
	}
	if last.Max < 0 || last.Max > 1 { // several elements may follow
		s.p.Lose(s.rule, e.Pos, "lost-bounds", fmt.Sprintf("a repetition %d to %d times of what may be empty", e.Min, e.Max), "it is written without bounds")
		return rep(s.rest(k), 1, grammar.Unbounded)
	}
	return s.first(e.Pos, append(parts[:len(parts)-1], k))
}

// once reports a part that derives the empty text in several ways.
func (s *splitter) once(pos grammar.Pos, ways int, what string) {
	if ways > 1 {
		s.p.Lose(s.rule, pos, "lost-derivations", fmt.Sprintf("that %s derives the empty text in several ways", what), "its texts are the same, derivations are fewer")
	}
}

// empty returns the number of derivations of the empty text from e. It returns 2 for more than 2.
func (s *splitter) empty(e *grammar.Expr) int {
	if !s.facts.Nullable(e) {
		return 0
	}
	n := 1
	switch e.Op {
	case grammar.Ref:
		if n, ok := s.ways[e.Rule]; ok {
			return n
		}
		s.ways[e.Rule] = 0 // recursive derivations do not count
		n = s.empty(e.Rule.Body)
		s.ways[e.Rule] = n
	case grammar.Seq:
		for _, k := range e.Children {
			n *= s.empty(k)
		}
	case grammar.Choice:
		n = 0
		for _, k := range e.Children {
			n += s.empty(k)
		}
	case grammar.Rep:
		k := s.empty(e.Children[0])
		switch {
		case k == 0 || e.Max == 0 || e.Max < 0 && e.Min == 0:
		case k > 1 && e.Min > 0 || e.Max > e.Min:
			n = 2
		}
	}
	return min(n, 2)
}
