package reduce

import (
	"fmt"
	"slices"
	"strings"
)

// The names of the algorithms. Auto is the default.
const (
	Auto  = "auto"
	DDMin = "ddmin" // delete chunks of the choice sequence
	NOP   = "nop"   // replace chunks of the choice sequence by a default

	Hypothesis = "hypothesis" // delete, lower, redistribute, sort spans of choices
	HDD        = "hdd"        // least derivations, level by level of the tree
	Perses     = "perses"     // descendants, list elements, least derivations

	ProbDD     = "probdd"     // parts of the tree or text, guided by probabilities
	Exhaustive = "exhaustive" // all smaller derivations of a place, where they are few

	Structure = "structure" // brackets, blocks, lists, uses of a word; on text
	Words     = "words"     // shorter identifiers, numbers, strings; on text
	Spaces    = "spaces"    // less white space
	Lines     = "lines"     // ddmin on lines
	Tokens    = "tokens"    // ddmin on words, numbers, strings, other characters
	Bytes     = "bytes"     // ddmin on bytes
)

// pass is one named way to make smaller candidates.
type pass struct {
	name string
	tree bool // works on a tree; skipped where there is none
	run  func(*search) error
}

var passes = []pass{
	{DDMin, true, ddminChoices},
	{NOP, true, nopChoices},
	{Hypothesis, true, hypothesisPass},
	{HDD, true, hddPass},
	{Perses, true, persesPass},
	{ProbDD, false, probddPass},
	{Exhaustive, true, exhaustivePass},
	{Structure, false, structurePass},
	{Words, false, wordsPass},
	{Spaces, false, spacesPass},
	{Lines, false, linesPass},
	{Tokens, false, tokensPass},
	{Bytes, false, bytesPass},
}

// Algorithms returns the names of all algorithms.
func Algorithms() []string {
	names := []string{Auto}
	for _, p := range passes {
		names = append(names, p.name)
	}
	return names
}

// planOf returns what an algorithm does.
func planOf(names string) (func(*search) error, error) {
	var ps []pass
	for name := range strings.SplitSeq(names, ",") {
		if name == "" || name == Auto {
			return (*search).auto, nil
		}
		i := slices.IndexFunc(passes, func(p pass) bool { return p.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no reduction algorithm %q; there are %s", name, strings.Join(Algorithms(), ", "))
		}
		ps = append(ps, passes[i])
	}
	return func(s *search) error { return s.fixpoint(ps) }, nil
}

// fixpoint runs passes in turn until none of them finds anything more.
func (s *search) fixpoint(ps []pass) error {
	last := make([]*candidate, len(ps)) // the best that a pass left behind
	for {
		idle := true
		for i, p := range ps {
			if last[i] == s.best || p.tree && s.best.tree == nil {
				continue
			}
			if err := s.nowAndThen(); err != nil {
				return err
			}
			before := s.best
			s.pass(p.name)
			if err := p.run(s); err != nil {
				return err
			}
			idle = idle && s.best == before
			if s.best == before {
				last[i] = before
			}
		}
		if idle {
			return nil
		}
	}
}

// auto is the order that was measured to be best (bench/reduce compares). What
// began as a record stays a sentence of its grammar.
func (s *search) auto() error {
	inTree := []pass{{Perses, true, persesPass}, {Words, true, wordsPass}, {DDMin, true, ddminChoices}, {Hypothesis, true, hypothesisPass}, {Exhaustive, true, exhaustivePass}}
	if s.within {
		return s.fixpoint(inTree)
	}
	for _, most := range []int{4, 0} { // first what is likely, everywhere; then the rest
		ps := []pass{
			{Perses, true, func(s *search) error { return s.perses(most) }},
			{Structure, false, func(s *search) error { return s.structure(most) }}, // reads line ends and indents: before spaces
			{Spaces, false, spacesPass},
			{Words, false, wordsPass},
			{Tokens, false, tokensPass},
		}
		if most == 0 {
			ps = append(ps, pass{Bytes, false, bytesPass})
		}
		if err := s.fixpoint(ps); err != nil {
			return err
		}
	}
	return nil
}
