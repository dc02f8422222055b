package grammar

import (
	"cmp"
	"slices"
	"unicode"
)

// The letter cases of generated words.
const (
	asIs    = "as-is" // as written in the grammar: s for [sS], S for 'SET' under caseInsensitive
	inLower = "lower"
	inUpper = "upper"
	mixed   = "mixed" // either case, separately for each letter
)

// Cases returns the names of the letter cases of generated words; the first is the default.
// Parsing accepts every case, whatever the setting.
func Cases() []string { return []string{asIs, inLower, inUpper, mixed} }

// settleCase restricts the letters of words to one case. A word is a run of two letters or
// more, separated at most by literals. Each letter is accepted in both cases, by a class or by
// a reference to a rule that is such a class. A single letter, such as the [eE] of a number, is
// no word.
func (g *Grammar) settleCase(words string) {
	words = cmp.Or(words, asIs)
	shared := words // case of letters that are rules and shared by many words
	for _, r := range g.Rules {
		if r.Written != nil { // an automaton, in which classes of two letters do not form words
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

// settleWord restricts the letters of a word to one case. As-is is the case of its first letter
// as written. Words with letters that are rules share one case. A literal, whose letters are
// all in one place, keeps its case.
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

// letterOf returns the class of both cases of one letter that e is or refers to; nil for other
// expressions.
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
