package grammar

import (
	"cmp"
	"slices"
	"unicode"
)

// The cases of words that a grammar takes in either case.
const (
	asIs    = "as-is" // as the grammar writes them: of [sS] the s, of 'SET' under caseInsensitive the S
	inLower = "lower"
	inUpper = "upper"
	mixed   = "mixed" // each letter in either case, by itself
)

// Cases are the names of the cases in which words are generated; the first is taken
// where none is named. Parsing takes all of them, whatever it is.
func Cases() []string { return []string{asIs, inLower, inUpper, mixed} }

// settleCase makes the letters of words generate one case. A word is two letters or
// more in a row, with nothing but literals between them, that are each taken in both
// cases, written as classes or as names of rules that are such a class. A letter by
// itself, as the [eE] of a number, is none.
func (g *Grammar) settleCase(words string) {
	words = cmp.Or(words, asIs)
	shared := words // of letters that are rules, which many words share
	for _, r := range g.Rules {
		if r.Written != nil { // an automaton, where classes of two letters say nothing of words
			continue
		}
		r.Body.Walk(func(e *Expr) {
			if e.Op != Seq {
				return
			}
			for i := 0; i < len(e.Children); {
				var word []*Expr
				from := i
				for ; i < len(e.Children) && (e.Children[i].Op == Lit || letterOf(e.Children[i]) != nil); i++ {
					if e.Children[i].Op != Lit {
						word = append(word, e.Children[i])
					}
				}
				if len(word) > 1 {
					settleWord(word, words, &shared)
				}
				if i == from {
					i++
				}
			}
		})
	}
}

// settleWord makes the letters of a word generate one case. As-is is the case in which
// its first letter is written. Words with letters that are rules share one case; and a
// literal, whose letters all stand in one place, is kept as it is written.
func settleWord(word []*Expr, words string, shared *string) {
	to := &words
	if slices.ContainsFunc(word, func(e *Expr) bool { return e.Op == Ref }) {
		to = shared
	}
	for _, e := range word {
		letter := letterOf(e)
		r := letter.Ranges[0].Lo
		if *to == asIs && word[0].Pos != word[1].Pos {
			*to = inLower
			if unicode.IsUpper(r) {
				*to = inUpper
			}
		}
		switch *to {
		case inLower:
			r = unicode.ToLower(r)
		case inUpper:
			r = unicode.ToUpper(r)
		}
		letter.Gen = NewSet(Range{r, r})
		letter.Rest = letter.Set.Intersect(letter.Gen.Complement())
	}
}

// letterOf returns the class of two cases of one letter that e is, or names; nil
// where it is something else.
func letterOf(e *Expr) *Expr {
	if e.Op == Ref && e.Rule != nil {
		e = e.Rule.Body
	}
	if e.Op != Class || e.Negated || e.Set.Len() != 2 {
		return nil
	}
	if small := unicode.ToLower(e.Set.At(0)); small == e.Set.At(0) || small != e.Set.At(1) {
		return nil
	}
	return e
}
