package reduce

import "bytes"

// token is a unit of text in almost every language: a word, a number, a quoted
// string, or any other single character.
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

// scanTokens splits a text into tokens. Only white space is between them.
func scanTokens(text []byte) []token {
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

// quoteEnd returns the index after the string that begins at i, 0 if it does not end on its line.
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

// lexedText is a text with its tokens.
type lexedText struct {
	text   []byte
	tokens []token
}

func lexText(text []byte) *lexedText { return &lexedText{text, scanTokens(text)} }

// before returns the beginning of the gap before token i.
func (l *lexedText) before(i int) int {
	if i == 0 {
		return 0
	}
	return l.tokens[i-1].to
}

// after returns the end of the gap after token i.
func (l *lexedText) after(i int) int {
	if i+1 < len(l.tokens) {
		return l.tokens[i+1].from
	}
	return len(l.text)
}

// newline reports whether token i is the first of its line.
func (l *lexedText) newline(i int) bool {
	return i == 0 || bytes.IndexByte(l.text[l.tokens[i-1].to:l.tokens[i].from], '\n') >= 0
}

// is reports whether token i is the one character b.
func (l *lexedText) is(i int, b byte) bool {
	t := l.tokens[i]
	return t.to == t.from+1 && l.text[t.from] == b && t.kind == other
}

func (l *lexedText) str(i int) string { return string(l.text[l.tokens[i].from:l.tokens[i].to]) }

// del returns the cut of the tokens a … b-1 with one of the adjacent gaps: the gap before, unless
// a begins a line and b does not.
func (l *lexedText) del(a, b int) cut {
	if a >= b {
		return cut{from: l.before(a), to: l.before(a)}
	}
	from, to := l.before(a), l.tokens[b-1].to
	if a == 0 || l.newline(a) && b < len(l.tokens) && !l.newline(b) {
		from, to = l.tokens[a].from, l.after(b-1)
		if a == 0 {
			from = 0
		}
	}
	return cut{from: from, to: to}
}
