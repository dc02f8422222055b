package grammar

import (
	"strings"
	"unicode/utf8"
)

// widestNamed is the widest range of a class that still counts as "characters
// that the grammar names itself": one range over half of Unicode does not make
// every negated class generate half of Unicode.
const widestNamed = 256

// computeSets computes the sets of every class: its meaning and what it generates. Classes
// with the same ranges share their sets.
func (g *Grammar) computeSets(unicode bool) {
	g.alpha = allScalars()
	if !unicode {
		g.alpha = g.named()
	}
	known := make(map[classKey]classSets)
	for _, e := range g.Exprs {
		if e.Op != Class {
			continue
		}
		key := keyOf(e)
		s, ok := known[key]
		if !ok {
			s = g.setsOf(e)
			known[key] = s
		}
		e.Set, e.Gen, e.Rest = s.set, s.gen, s.rest
	}
}

const fewRanges = 2

// classKey tells classes apart whose ranges differ: by the ranges where they are
// few, as in the thousands of [xX] of grammars that fold case; by where they are
// kept otherwise, since copies of an expression share them.
type classKey struct {
	few     [fewRanges]Range
	at      *Range
	n       int
	negated bool
}

func keyOf(e *Expr) classKey {
	key := classKey{n: len(e.Ranges), negated: e.Negated}
	if key.n > len(key.few) {
		key.at = &e.Ranges[0]
	} else {
		copy(key.few[:], e.Ranges)
	}
	return key
}

// classSets are the sets of a class.
type classSets struct{ set, gen, rest Set }

func (g *Grammar) setsOf(e *Expr) classSets {
	set := NewSet(e.Ranges...)
	if !e.Negated {
		return classSets{set: set, gen: set}
	}
	set = set.Complement()
	gen := set.Intersect(g.alpha)
	if gen.Len() == 0 {
		gen = set // an alphabet must not make a class unproductive
	}
	return classSets{set: set, gen: gen, rest: set.Intersect(gen.Complement())}
}

// named returns printable ASCII and the characters that the grammar names itself.
func (g *Grammar) named() Set {
	named := printableASCII().ranges
	seen := make(map[Range]bool) // large grammars name the same ones over and over
	add := func(r Range) {
		if (r.Lo < ' ' || r.Hi > '~') && !seen[r] { // printable ASCII is there already
			seen[r] = true
			named = append(named, r)
		}
	}
	whole := make(map[*Range]int) // classes of many ranges that were looked at, and of how many
	for _, e := range g.Exprs {
		switch {
		case e.Op == Lit:
			for i, c := range e.Text {
				if c != utf8.RuneError || strings.HasPrefix(e.Text[i:], "\uFFFD") { // not a stray byte
					add(Range{c, c})
				}
			}
		case e.Op == Class && !e.Negated:
			if n := len(e.Ranges); n > fewRanges {
				if whole[&e.Ranges[0]] == n {
					continue
				}
				whole[&e.Ranges[0]] = n
			}
			for _, r := range e.Ranges {
				if r.Hi-r.Lo < widestNamed {
					add(r)
				}
			}
		}
	}
	return NewSet(named...)
}
