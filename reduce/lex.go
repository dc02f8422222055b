package reduce

import "bytes"

// token is a part of a text that belongs together in about every language: a
// word, a number, a quoted string, one character of anything else.
type token struct {
	from, to int
	kind     tokenKind
}

type tokenKind uint8

const (
	word tokenKind = iota
	number
	quoted
	other
)

// tokens splits a text. What stands between tokens is white space.
func tokens(text []byte) []token {
	var ts []token
	for i := 0; i < len(text); {
		b := text[i]
		if isSpace(b) {
			i++
			continue
		}
		t := token{from: i, to: i + 1, kind: other}
		switch {
		case b >= '0' && b <= '9':
			t.kind = number
			for t.to < len(text) && (isWord(text[t.to]) || text[t.to] == '.' && t.to+1 < len(text) && isDigit(text[t.to+1])) {
				t.to++
			}
		case isWord(b):
			t.kind = word
			for t.to < len(text) && isWord(text[t.to]) {
				t.to++
			}
		case b == '"' || b == '\'' || b == '`':
			if end := quoteEnd(text, i); end > 0 {
				t.kind, t.to = quoted, end
			}
		}
		ts = append(ts, t)
		i = t.to
	}
	return ts
}

// quoteEnd returns the index after the string that begins at i, 0 where it does
// not end on its line.
func quoteEnd(text []byte, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch {
		case text[j] == '\\':
			j++
		case text[j] == text[i]:
			return j + 1
		case text[j] == '\n' && text[i] != '`':
			return 0
		}
	}
	return 0
}

func isSpace(b byte) bool {
	return b == ' ' || b == '\n' || b == '\t' || b == '\r' || b == '\f' || b == '\v'
}
func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// layout is a text with its tokens.
type layout struct {
	text []byte
	ts   []token
}

func layoutFor(text []byte) *layout { return &layout{text, tokens(text)} }

// before returns where the gap before token i begins.
func (l *layout) before(i int) int {
	if i == 0 {
		return 0
	}
	return l.ts[i-1].to
}

// after returns where the gap after token i ends.
func (l *layout) after(i int) int {
	if i+1 < len(l.ts) {
		return l.ts[i+1].from
	}
	return len(l.text)
}

// newline reports whether token i is the first of its line.
func (l *layout) newline(i int) bool {
	return i == 0 || bytes.IndexByte(l.text[l.ts[i-1].to:l.ts[i].from], '\n') >= 0
}

// is reports whether token i is the one character b.
func (l *layout) is(i int, b byte) bool {
	t := l.ts[i]
	return t.to == t.from+1 && l.text[t.from] == b && t.kind == other
}

func (l *layout) str(i int) string { return string(l.text[l.ts[i].from:l.ts[i].to]) }

// del is the cut that takes out the tokens from a up to but without b, and one
// of the gaps round them: that before, unless this one begins a line and the
// other one does not.
func (l *layout) del(a, b int) cut {
	if a >= b {
		return cut{from: l.before(a), to: l.before(a)}
	}
	from, to := l.before(a), l.ts[b-1].to
	if a == 0 || l.newline(a) && b < len(l.ts) && !l.newline(b) {
		from, to = l.ts[a].from, l.after(b-1)
		if a == 0 {
			from = 0
		}
	}
	return cut{from: from, to: to}
}
