package grammar

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// widestNamed is the greatest width of a class range that still counts as "characters that the
// grammar names itself". A single range over half of Unicode must not make every negated class
// generate half of Unicode.
const widestNamed = 256

// computeSets computes the sets of every class: its meaning and its generated characters.
// Classes with the same ranges share their sets, except for letters of words.
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

// classKey distinguishes classes with different ranges. Few ranges are compared by value, as in
// the thousands of [xX] of grammars that fold case. Many ranges are compared by their address,
// since copies of an expression share them.
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

// beyondASCII reports whether a range of several characters includes some outside of ASCII. A
// range of bytes does not.
func beyondASCII(r Range) bool {
	return r.Lo < r.Hi && r.Hi > unicode.MaxASCII && r.Lo <= unicode.MaxRune
}

// keepToASCII cuts ranges of several characters at the end of ASCII. Single characters stay,
// and so do all ranges of a class without characters in ASCII.
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

// named returns printable ASCII and the characters that the grammar names itself: in literals,
// as single characters of classes, and in classes without characters in ASCII.
func (g *Grammar) named() Set {
	named := printableASCII().ranges
	seen := make(map[Range]bool) // large grammars name the same ones many times
	add := func(r Range) {
		if (r.Lo < ' ' || r.Hi > '~') && r.Hi <= utf8.MaxRune && !seen[r] { // printable ASCII is already included
			seen[r] = true
			named = append(named, r)
		}
	}
	whole := make(map[*Range]int) // classes of many ranges already looked at, with their numbers of ranges
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
