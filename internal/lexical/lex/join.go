package lex

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// Policy says how tokens are laid out.
type Policy uint8

// The policies.
const (
	Tight  Policy = iota // the least separator, and only where tokens would otherwise be read differently
	Spaced               // the mode's first separator wherever it may stand
	Random               // any separator that fits, or none where none is needed
)

func (p Policy) String() string { return [...]string{"tight", "spaced", "random"}[p] }

// Joiner lays out a sequence of tokens. For each token in turn, it returns the layout to
// put before it, so that the lexer reads the joined text as just these tokens. It decides
// on the actual text and considers every token begun earlier: `a` `-` `-` `b` may need a
// separator only before the last. A Joiner is for one goroutine.
type Joiner struct {
	l      *Lexer
	policy Policy
	choose func(n int) int
	now    joint
	line   lineJoiner
	last   string
	begun  bool
	tokens int    // so far
	wish   string // the layout to put before the next token if it fits
}

// joint is the state between two tokens. It is never changed in place.
type joint struct {
	place
	runs  []run // the matches begun earlier that could still become longer
	old   int   // the number of runs begun before the last token or layout
	loose bool  // runs of unexpected tokens are ignored
	ended bool  // the last token is one only at the end of the text
}

// run is a match in progress. If it becomes longer, an earlier token is read differently.
type run struct {
	engine *engine
	state  *state
	idle   bool // of an unexpected token: `or` `b` is not written `orb` even if that reads the same
	from   int  // the number, from 1, of the token with which (or with whose layout) it began; 0: not noted
}

// Mark is a saved state of a [Joiner].
type Mark struct {
	now    joint
	line   lineJoiner
	last   string
	begun  bool
	tokens int
}

// Joiner returns a joiner for one text. With Random, choose(n) returns an index below n;
// it is called for every gap with n > 1 possible layouts. Other policies do not use it.
func (l *Lexer) Joiner(p Policy, choose func(n int) int) *Joiner {
	j := &Joiner{l: l, policy: p, choose: choose, now: joint{place: l.begin()}}
	if l.lines != nil {
		j.line.blocks = []string{""}
	}
	return j
}

// Mark returns the current state.
func (j *Joiner) Mark() Mark { return Mark{j.now, j.line, j.last, j.begun, j.tokens} }

// Reset restores an earlier state.
func (j *Joiner) Reset(m Mark) {
	j.now, j.line, j.last, j.begun, j.tokens = m.now, m.line, m.last, m.begun, m.tokens
}

// JoinError is the error for a token that cannot stand at the requested place.
type JoinError struct {
	Kind, Text string // the token
	After      string // the text of the token before it, or ""
	Mode       string // the lexer mode in force
	// Unreadable says that the text is not read as one token of its kind in this mode,
	// wherever it stands. Otherwise the text is readable, but no separator fits.
	Unreadable bool
	// Back is the distance in tokens to the start of the earliest match that would extend
	// over this token: mostly 1, more inside an open comment, 0 if there is none.
	Back int

	why  string // the reason, if it is indentation
	Node int    // the token's first node in a derivation tree; the number of nodes at the end of the text
}

func (e *JoinError) Error() string {
	if e.why != "" {
		return fmt.Sprintf("%s cannot stand behind %q: %s", e.Kind, e.After, e.why)
	}
	if e.Unreadable {
		return fmt.Sprintf("%q is not read as a token %s in mode %s", e.Text, e.Kind, e.Mode)
	}
	if e.Text == "" {
		return fmt.Sprintf("%q is not read as its token at the end of the text in mode %s", e.After, e.Mode)
	}
	return fmt.Sprintf("nothing separates %q from %q in mode %s", e.After, e.Text, e.Mode)
}

// Next takes the next token and returns the layout to put before it. The kind is one that
// [Lexer.KindOf] returns. On error, a *[JoinError], the joiner is unchanged. An empty text
// changes nothing. The cost is linear in the text, times the number of earlier tokens that
// could still become longer (most often 0 or 1), times the number of separators tried.
//
// With significant indentation, the layout before the first token of a line ends with the
// line's indentation. Tokens that begin and end blocks have no layout; their text is ignored.
func (j *Joiner) Next(kind int, text string) (string, error) {
	if j.l.lines != nil {
		return j.nextOnLine(kind, text)
	}
	return j.next(kind, text)
}

func (j *Joiner) next(kind int, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	want := j.wanted(kind, text)
	fit, states := j.fits(text, want)
	if len(fit) == 0 {
		return "", j.refuse(kind, text, want)
	}
	i := j.pick(len(fit))
	j.take(states[i], text)
	return fit[i], nil
}

// Wish says which layout is to stand before the next token or at the end, if the lexer reads the
// tokens so; "" leaves it to the policy. It has no effect with significant indentation.
func (j *Joiner) Wish(gap string) {
	if j.l.lines == nil {
		j.wish = gap
	}
}

// take moves the joiner past a token.
func (j *Joiner) take(next joint, text string) {
	j.now, j.last, j.begun = next, text, true
	j.tokens++
	for i := range next.runs { // not shared yet, so they may be changed
		if r := &next.runs[i]; r.from == 0 {
			r.from = j.tokens
		}
	}
}

// wanted returns a predicate: whether an action reads the text as a token of the kind.
func (j *Joiner) wanted(kind int, text string) func(*action) bool {
	return func(a *action) bool { return j.l.stands(a.kind, kind, text) }
}

// fits returns the separators that can stand before text, and the states after the text.
// It prefers those that leave no match open (see fitting), then those that keep apart what
// only looks like an unexpected token.
func (j *Joiner) fits(text string, want func(*action) bool) (fit []string, states []joint) {
	for _, loose := range [...]struct{ open, idle bool }{{false, false}, {true, false}, {true, true}} {
		fit, states = j.fitting(text, want, !loose.open, loose.idle)
		if len(fit) > 0 {
			break
		}
	}
	return fit, states
}

// Glue takes the next token, which has to follow without layout. On error, a
// *[JoinError], the joiner is unchanged.
func (j *Joiner) Glue(kind int, text string) error {
	if text == "" {
		return nil
	}
	want := j.wanted(kind, text)
	next, ok := j.l.read(j.now, text, want)
	if !ok {
		return j.refuse(kind, text, want)
	}
	j.take(next, text)
	return nil
}

// Force takes a token that cannot stand at this place. It returns the mode's first
// separator, if it has one, as the closest approximation. The joined text is then read
// differently.
func (j *Joiner) Force(text string) string {
	sep := j.line.column()
	j.line.begun = true
	if seps := j.l.separators(j.mode()); j.begun && len(seps) > 0 {
		sep = seps[0]
	}
	j.take(joint{place: place{stack: j.now.stack}}, text)
	return sep
}

// fitting returns the separators that can stand before text, and the states after the
// text. It returns only the best one unless layout is random. If closed is set, separators
// that leave a match open do not fit: `/` `/` is read as two tokens as long as no newline
// makes it a comment, but no later layout could end that match. With loose, runs of
// unexpected tokens are ignored.
func (j *Joiner) fitting(text string, want func(*action) bool, closed, loose bool) (fit []string, states []joint) {
	column := j.line.column()
	for _, sep := range j.seps() {
		s, ok := j.now, true
		s.loose = loose
		if sep != "" {
			s, ok = j.l.read(s, sep, j.isLayout)
		}
		if column != "" {
			s = s.past(column)
		}
		if ok {
			s, ok = j.l.read(s, text, want)
		}
		if !ok || closed && j.l.open(s) {
			continue
		}
		fit, states = append(fit, sep+column), append(states, s)
		if j.policy != Random {
			break
		}
	}
	return fit, states
}

// open reports whether a match begun before the last token extends over every separator
// that may follow.
func (l *Lexer) open(s joint) bool {
	if s.old == 0 {
		return false
	}
	seps := l.separators(s.stack[len(s.stack)-1])
	return slices.ContainsFunc(s.runs[:s.old], func(r run) bool {
		return !slices.ContainsFunc(seps, func(sep string) bool { return r.over(sep) == none })
	})
}

// over returns the state of the match after text: none if it cannot become longer, nil if
// it has become longer.
func (r run) over(text string) *state {
	s := r.state
	for i := 0; i < len(text) && s != none; i++ {
		s = r.engine.step(s, text[i])
		if s.accept >= 0 {
			return nil
		}
	}
	return s
}

// End returns the layout to put after the last token. It is empty unless the policy is
// Random, or the end of the text would change how the last tokens are read.
func (j *Joiner) End() (string, error) {
	fit, err := j.ends()
	if err != nil {
		return "", err
	}
	return fit[j.pick(len(fit))], nil
}

// ends returns the layouts that may stand at the end of the text: one unless layout is
// random.
func (j *Joiner) ends() ([]string, error) {
	fit := []string{}
	if len(j.line.blocks) > 1 {
		return nil, &JoinError{Kind: "EOF", After: j.last, why: "a block is not ended"}
	}
	if j.l.endsWell(j.now) && j.wish == "" {
		fit = append(fit, "")
	}
	if j.policy == Random || len(fit) == 0 {
		for _, sep := range j.wished(j.l.layouts(j.mode())) {
			if next, ok := j.l.read(j.now, sep, isHidden); ok && j.l.endsWell(next) {
				fit = append(fit, sep)
			}
		}
	}
	switch {
	case len(fit) == 0:
		return nil, &JoinError{Kind: "EOF", After: j.last, Mode: modeName(j.l.modes[j.mode()].name)}
	case j.policy != Random:
		return fit[:1], nil
	}
	return fit, nil
}

// endsWell reports whether a text may end here. It may not if the end of the text completes
// a match in progress, unless that match is the last token itself.
func (l *Lexer) endsWell(s joint) bool {
	return !l.ends || s.ended || !slices.ContainsFunc(s.runs, func(r run) bool { return r.state.atEnd >= 0 && !r.idle })
}

func (j *Joiner) mode() int { return j.now.stack[len(j.now.stack)-1] }

// seps lists the separators to try before the next token, in the order of the policy.
func (j *Joiner) seps() []string {
	if j.l.lines != nil && !j.line.begun {
		return j.blankLines()
	}
	seps := j.l.layouts(j.mode())
	if j.line.open > 0 && j.now.exp == nil {
		seps = append(slices.Clip(seps), j.l.lineBreak())
	}
	if j.policy == Spaced && j.begun && len(seps) > 1 {
		seps = slices.Clone(seps)
		seps[0], seps[1] = seps[1], seps[0]
	}
	return j.wished(seps)
}

// wished returns the separators with the wish before them.
func (j *Joiner) wished(seps []string) []string {
	if j.wish == "" {
		return seps
	}
	return append([]string{j.wish}, seps...)
}

func (j *Joiner) pick(n int) int {
	if n == 1 {
		return 0
	}
	return j.choose(n)
}

func (j *Joiner) refuse(kind int, text string, want func(*action) bool) *JoinError {
	e := &JoinError{Kind: "?", Text: text, After: j.last, Mode: modeName(j.l.modes[j.mode()].name)}
	if kind >= 0 {
		e.Kind = j.l.kinds[kind].Name
	}
	_, ok := j.l.read(joint{place: j.now.place}, text, want)
	e.Unreadable = !ok
	for _, r := range j.now.runs {
		over := func(sep string) bool { return r.over(sep+text) == nil }
		if r.from > 0 && slices.ContainsFunc(j.seps(), over) {
			e.Back = max(e.Back, j.tokens+1-r.from)
		}
	}
	return e
}

func isHidden(a *action) bool { return a.hidden }

// stands reports whether a token read as kind got can stand for one of kind asked.
func (l *Lexer) stands(got, asked int, text string) bool {
	if asked < 0 {
		return false
	}
	return l.kinds[got].Type == l.kinds[asked].Type || asked == l.char && l.IsChar(got) && utf8.RuneCountInString(text) == 1
}

// read returns the joint after text, and whether text fits. The text has to be read as
// tokens that want accepts (one token, unless it is layout). It must not make an earlier
// token longer. A nil want accepts every single token.
func (l *Lexer) read(s joint, text string, want func(*action) bool) (joint, bool) {
	if s.ended {
		return s, false
	}
	next := joint{place: s.place, loose: s.loose}
	for _, r := range s.runs {
		switch r.state = r.over(text); {
		case r.state != nil:
			next.add(r)
		case !r.idle || !s.loose:
			return s, false
		}
	}
	next.old = len(next.runs)
	for pos := 0; pos < len(text); {
		m := l.mode(&next.place)
		alt, end, left := m.engine.match(text, pos)
		next.add(run{engine: m.engine, state: left})
		stands := func(alt int32) bool { return want == nil || want(&m.actions[alt]) }
		if left.atEnd >= 0 && stands(left.atEnd) && (alt < 0 || end < len(text) || !stands(alt)) {
			alt, end, next.ended = left.atEnd, len(text), true
		}
		if alt < 0 && l.left(m, &next.place) {
			continue
		}
		if alt < 0 {
			return s, false
		}
		if next.exp != nil {
			words := l.context.words
			_, _, left = words.match(text, pos)
			next.add(run{engine: words, state: left, idle: true})
		}
		a := &m.actions[alt]
		if want != nil && !a.more && !want(a) { // checked before the costly pass
			return s, false
		}
		if l.pass(&next.place, a) != nil {
			return s, false
		}
		pos = end
		switch {
		case a.more && pos == len(text): // the token is incomplete
			return s, false
		case a.more:
		case !a.hidden && pos < len(text):
			return s, false
		}
	}
	return next, true
}

// add adds a match in progress. Of two equal ones, it keeps the one that began earlier.
func (s *joint) add(r run) {
	alike := func(o run) bool { return o.engine == r.engine && o.state == r.state && o.idle == r.idle }
	if r.state != none && !slices.ContainsFunc(s.runs, alike) {
		s.runs = append(s.runs, r)
	}
}

// match returns the candidate and the end of the longest match from pos, and the state
// after all of text. alt is -1 if nothing matches.
func (g *engine) match(text string, pos int) (alt int32, end int, st *state) {
	st = g.start()
	alt, end = -1, pos
	for i := pos; i < len(text) && st != none; i++ {
		st = g.step(st, text[i])
		if st.accept >= 0 {
			alt, end = st.accept, i+1
		}
	}
	return alt, end, st
}
