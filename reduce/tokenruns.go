package reduce

import "slices"

// Bounds of runs of tokens.
const (
	runTokens = 4  // the most that are deleted at once wherever they begin
	fewTokens = 12 // of a text of which every run is tried
)

// runsPass deletes every run of two to runTokens tokens, wherever it begins; the runs of tokensPass
// begin at multiples of their lengths.
func runsPass(s *search) error {
	for size := runTokens; size > 1; size-- {
		l := lexText(s.best.text)
		balanced := l.balanced()
		var es []edit
		for b := len(l.tokens); b >= size; b-- {
			if balanced(b-size, b) {
				es = append(es, newEdit(l.del(b-size, b)))
			}
		}
		if err := s.tryTextEdits(es); err != nil {
			return err
		}
	}
	return nil
}

// balanced returns a function that reports whether the tokens a … b-1 have both or neither of each
// pair of brackets.
func (l *lexedText) balanced() func(a, b int) bool {
	gs := findBrackets(l)
	return func(a, b int) bool {
		return !slices.ContainsFunc(gs, func(g brackets) bool { return (a <= g.open && g.open < b) != (a <= g.shut && g.shut < b) })
	}
}

// everyRun tries to keep, and to delete, each run of neighbouring tokens of a short text by itself,
// unless only one of a pair of brackets is in it. A run may be a text of the language without what is
// on both sides of it: a condition without its statement.
func everyRun(s *search) error {
	l := lexText(s.best.text)
	if s.keepSentences || len(l.tokens) > fewTokens {
		return nil
	}
	s.countAs(tokens.name)
	_, err := s.tryRuns(l, l.balanced())
	return err
}

// withoutRuns is the same for certify, with all runs, if there are calls for it.
func withoutRuns(s *search) error {
	l, before := lexText(s.best.text), s.best
	if n := len(l.tokens); s.keepSentences || n*(n+1) > s.certifyCalls() {
		return nil
	}
	tried, err := s.tryRuns(l, func(a, b int) bool { return true })
	if err != nil || s.best != before {
		return err
	}
	s.certify(Certificate{Claim: "a run of its tokens alone, or the result without one", Tried: tried})
	return nil
}

// tryRuns tries those runs of tokens of the best that are wanted, the largest savings first.
func (s *search) tryRuns(l *lexedText, wanted func(a, b int) bool) (tried int, err error) {
	var es []edit
	for size := 1; size < len(l.tokens); size++ {
		for a := range len(l.tokens) - size + 1 {
			if b := a + size; wanted(a, b) {
				es = append(es, newEdit(l.del(a, b)), newEdit(cut{to: l.tokens[a].from}, cut{from: l.tokens[b-1].to, to: len(l.text)}))
			}
		}
	}
	defer func(old bool) { s.certifying = old }(s.certifying)
	s.certifying = true
	es = byGain(es)
	return len(es), s.tryTextEdits(es)
}
