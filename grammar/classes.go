package grammar

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// widestNamed is the widest range of a class that still counts as "characters
// that the grammar names itself": one range over half of Unicode does not make
// every negated class generate half of Unicode.
const widestNamed = 256

// computeSets computes the sets of every class: its meaning and what it generates. Classes
// with the same ranges share their sets, but for letters of words.
func (g *Grammar) computeSets(all bool, words string) {
	g.alpha = allScalars()
	if !all {
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
			s = g.setsOf(e, all)
			known[key] = s
		}
		e.Set, e.Gen, e.Rest = s.set, s.gen, s.rest
	}
	if words != mixed {
		g.settleCase(words)
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

func (g *Grammar) setsOf(e *Expr, all bool) classSets {
	set := NewSet(e.Ranges...)
	gen := set
	switch {
	case e.Negated:
		set = set.Complement()
		gen = set.Intersect(g.alpha)
	case all || !slices.ContainsFunc(e.Ranges, beyondASCII):
		return classSets{set: set, gen: set}
	default:
		gen = NewSet(keepToASCII(e.Ranges)...)
	}
	if gen.Len() == 0 {
		gen = set // an alphabet must not make a class unproductive
	}
	return classSets{set: set, gen: gen, rest: set.Intersect(gen.Complement())}
}

// beyondASCII reports whether a range of several characters has some that are not in
// ASCII; bytes are none.
func beyondASCII(r Range) bool {
	return r.Lo < r.Hi && r.Hi > unicode.MaxASCII && r.Lo <= unicode.MaxRune
}

// keepToASCII cuts ranges of several characters at the end of ASCII. Single characters stay,
// and so does everything in a class without any character in ASCII.
func keepToASCII(ranges []Range) []Range {
	if !slices.ContainsFunc(ranges, func(r Range) bool { return r.Lo <= unicode.MaxASCII }) {
		return ranges
	}
	var kept []Range
	for _, r := range ranges {
		if beyondASCII(r) {
			r.Hi = unicode.MaxASCII
		}
		if r.Lo <= r.Hi {
			kept = append(kept, r)
		}
	}
	return kept
}

// named returns printable ASCII and the characters that the grammar names itself: in
// literals, as single characters of classes, and in classes without a character of ASCII.
func (g *Grammar) named() Set {
	named := printableASCII().ranges
	seen := make(map[Range]bool) // large grammars name the same ones over and over
	add := func(r Range) {
		if (r.Lo < ' ' || r.Hi > '~') && r.Hi <= utf8.MaxRune && !seen[r] { // printable ASCII is there already
			seen[r] = true
			named = append(named, r)
		}
	}
	whole := make(map[*Range]int) // classes of many ranges that were looked at, and of how many
	for _, e := range g.Exprs {
		switch {
		case e.Op == Lit && e.Field == nil && !e.Silent:
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
			for _, r := range keepToASCII(e.Ranges) {
				if r.Hi-r.Lo < widestNamed {
					add(r)
				}
			}
		}
	}
	return NewSet(named...)
}
