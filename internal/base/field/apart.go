package field

// A text that does not stand at its place in the derivation is put aside, with its spans.
// Meanwhile these spans have negative positions, so that they cannot be mistaken for
// positions in the text.

// moved is the text of a part, put aside until its destination part is complete.
type moved struct {
	to         int   // the number of the destination part
	scope      int32 // the scope of the destination part
	spans, end int   // the spans of the part itself and of the parts in it
}

// asideFrom is the position of the first byte that is put aside.
const asideFrom = -1 << 30

// shift moves the spans from i up to, but not including, j by the given number of bytes.
func (l *Layout) shift(i, j, by int) {
	for k := i; k < j; k++ {
		if s := &l.spans[k]; !s.inner {
			s.from += by
			s.to += by
		}
	}
}

// move puts part n aside and returns the rest of the text. The part ends at the end of the
// text.
func (l *Layout) move(n int, text []byte, to int) []byte {
	s := &l.spans[n]
	from := s.from
	l.moved = append(l.moved, moved{to: to, scope: l.scopes[s.scope].up, spans: n, end: len(l.spans)})
	l.shift(n, len(l.spans), asideFrom+len(l.aside)-from)
	l.aside = append(l.aside, text[from:]...)
	return text[:from]
}

// here appends the texts put aside for part n, in the order of the derivation.
func (l *Layout) here(n int, text []byte) []byte {
	part := l.spans[n].part
	if part == 0 || len(l.moved) == 0 {
		return text
	}
	scope := l.spans[n].scope
	first := len(l.moved)
	for first > 0 && l.moved[first-1].scope >= scope { // skip this scope's texts; those of enclosing scopes come before
		first--
	}
	rest := l.moved[:first]
	for _, m := range l.moved[first:] {
		if m.to != part || m.scope != scope {
			rest = append(rest, m)
			continue
		}
		s := l.spans[m.spans]
		by, ticks := len(text)-s.from, l.clock+1-s.began
		text = append(text, l.aside[s.from-asideFrom:s.to-asideFrom]...)
		l.shift(m.spans, m.end, by)
		for k := m.spans; k < m.end; k++ {
			l.spans[k].began += ticks
			l.spans[k].ended += ticks
		}
		l.clock = l.spans[m.spans].ended
	}
	l.moved = rest
	return text
}

// encode encodes part n and returns the text. The part ends at the end of the text. Its
// fields are computed first, and its plain bytes are put aside.
func (l *Layout) encode(n int, text []byte, r *Resize) []byte {
	from, end := l.spans[n].from, len(l.spans)
	l.fill(text, n+1, from)
	l.shift(n+1, end, asideFrom+len(l.aside)-from)
	for k := n + 1; k < end; k++ {
		l.spans[k].inner = true
	}
	at := len(l.aside)
	l.aside = append(l.aside, text[from:]...)
	plain := l.aside[at:]
	text = text[:from]
	raw := l.nextRaw()
	switch {
	case l.Plain && r.Code.Compresses():
		text = append(text, plain...)
	case r.Code.reads(raw, plain):
		text = append(text, raw...)
	default:
		text = r.Code.Append(text, plain)
	}
	now := l.tick()
	l.spans = append(l.spans, span{field: &Field{Name: r.Code.Name}, from: from, to: len(text), began: now, ended: now})
	return text
}

// bytes returns the bytes of a part.
func (l *Layout) bytes(text []byte, p *span) []byte {
	if p.inner {
		return l.aside[p.from-asideFrom : p.to-asideFrom]
	}
	return text[p.from:p.to]
}
