package reduce

import (
	"fmt"
	"slices"
	"strings"
)

// pass is a way to make smaller candidates.
type pass struct {
	name string
	tree bool // works on trees; skipped for a text without one
	run  func(*search) error
}

// auto is the name of the default algorithm.
const auto = "auto"

var (
	ddmin      = pass{"ddmin", true, ddminChoices}
	nop        = pass{"nop", true, nopChoices}
	hypothesis = pass{"hypothesis", true, hypothesisPass}
	hdd        = pass{"hdd", true, hddPass}
	perses     = pass{"perses", true, persesPass}
	probdd     = pass{"probdd", false, probddPass}
	exhaustive = pass{"exhaustive", true, exhaustivePass}
	structure  = pass{"structure", false, structurePass}
	islands    = pass{"islands", false, islandsPass}
	words      = pass{"words", false, wordsPass}
	spaces     = pass{"spaces", false, spacesPass}
	lines      = pass{"lines", false, linesPass}
	tokens     = pass{"tokens", false, tokensPass}
	singles    = pass{"bytes", false, bytesPass}
)

// passes lists every pass under the name of its algorithm.
var passes = []pass{ddmin, nop, hypothesis, hdd, perses, probdd, exhaustive, structure, islands, words, spaces, lines, tokens, singles}

// Algorithms returns the names of all algorithms; the package comment describes
// them.
func Algorithms() []string {
	names := []string{auto}
	for _, p := range passes {
		names = append(names, p.name)
	}
	return names
}

// planOf returns the plan of an algorithm, or of several separated by commas.
func planOf(names string) (func(*search) error, error) {
	var ps []pass
	for name := range strings.SplitSeq(names, ",") {
		if name == "" || name == auto {
			return (*search).auto, nil
		}
		i := slices.IndexFunc(passes, func(p pass) bool { return p.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no reduction algorithm %q; there are %s", name, strings.Join(Algorithms(), ", "))
		}
		ps = append(ps, passes[i])
	}
	return func(s *search) error { return s.fixpoint(ps, true) }, nil
}

// fixpoint alternates passes until none of them finds anything more. Changes that
// failed before are tried again only at the end, and only if it is the last one.
func (s *search) fixpoint(ps []pass, last bool) error {
	seen := make([]*candidate, len(ps)) // the best that a pass left behind
	for {
		idle := true
		for i, p := range ps {
			if seen[i] == s.best || p.tree && s.best.tree == nil {
				continue
			}
			if err := s.recheckIfDue(); err != nil {
				return err
			}
			before := s.best
			s.countAs(p.name)
			if err := p.run(s); err != nil {
				return err
			}
			idle = idle && s.best == before
			if s.best == before {
				seen[i] = before
			}
		}
		if idle {
			if !last || !s.unpostpone() {
				return nil
			}
			clear(seen)
		}
	}
}

// likely is a number of bytes. The first passes leave out edits that are expected to save less.
const likely = 0.05

// auto runs the passes in the best order measured; bench/reduce compares orders.
// A generated input stays a sentence of its grammar.
func (s *search) auto() error {
	s.givesUp = true
	beyond := []func(*search) error{withoutParts, withoutRuns, movesPass, smallestSentences, smallestTexts, shortestTexts, exhaustiveMore}
	if s.keepSentences {
		return s.certified([]pass{perses, words, ddmin, hypothesis, exhaustive}, beyond...)
	}
	passes := func(worth float64) []pass {
		ps := []pass{
			{perses.name, true, func(s *search) error { return s.perses(worth) }},
			{structure.name, false, func(s *search) error { return s.structure(worth) }}, // reads line ends and indents: before spaces
			{islands.name, false, func(s *search) error { return s.editIslands(worth) }},
			spaces,
			words,
		}
		if s.o.Parse == nil && s.o.Islands == nil {
			return slices.Delete(ps, 2, 3)
		}
		return ps
	}
	if err := s.fixpoint(passes(likely), false); err != nil { // likely edits everywhere first
		return err
	}
	s.late = true
	last := append(passes(0), tokens)
	if !s.o.FewCalls {
		last = append(last, pass{singles.name, false, func(s *search) error { return s.bytes(1) }})
	}
	if s.textOnly() {
		last = append(last, pass{tokens.name, false, runsPass})
	}
	return s.certified(last, append(beyond, lesserTexts)...)
}
