package reduce

import (
	"errors"
	"math"
)

// textOnly reports whether the text has no grammar and the plan is not for few calls. The end of
// such a run asks more questions, since no grammar says which parts go together.
func (s *search) textOnly() bool {
	return s.o.Parse == nil && s.o.Islands == nil && !s.keepSentences && !s.o.FewCalls
}

// Bounds of detours: of the texts, in bytes, and of the questions.
const (
	detourFrom      = 1000
	detourMost      = 32
	detourTiny      = 8
	detourLeast     = 5
	detourQuestions = 230
)

// detour goes down a second time, by other passes first, if the best is short: the small end of
// one way may not be on another. It begins with the first step of at most detourFrom bytes. The best
// stays unless the other way comes to a shorter text in time: within detourQuestions, and half as many
// as there were before. For a tiny text both bounds are larger, and a text with a grammar goes down
// without it.
func (s *search) detour() error {
	n, most := len(s.best.text), detourTiny
	if s.textOnly() {
		most = detourMost
	}
	if s.keepSentences || s.o.FewCalls || n < detourLeast || n > most {
		return nil
	}
	from := s.best
	for i := len(s.steps) - 1; i >= 0 && len(s.steps[i].text) <= detourFrom; i-- {
		from = s.steps[i]
	}
	s.aside, s.best, s.late = s.best, from, false
	asked := len(s.known)
	questions := min(asked/2, detourQuestions)
	if n <= detourTiny {
		questions = min(2*asked, 2*detourQuestions)
	}
	s.detourEnd = asked + questions
	s.unpostpone()
	defer s.unpostpone()
	way := []pass{structure, spaces, words, tokens}
	if s.textOnly() {
		way = []pass{{singles.name, false, func(s *search) error { return s.bytes(math.MaxInt) }}, tokens, words, structure}
	}
	err := s.fixpoint(way, true)
	s.late = true
	if s.aside != nil {
		s.best, s.aside = s.aside, nil
	}
	if errors.Is(err, errDetour) {
		return nil
	}
	return err
}

// errDetour ends a detour that had its questions.
var errDetour = errors.New("the detour is too long")
