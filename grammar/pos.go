package grammar

import (
	"cmp"
	"fmt"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
)

// Pos is a place in a grammar file. Line and Col count from 1; Col counts
// characters, not bytes. The zero Pos means "no place".
type Pos struct {
	File      string
	Line, Col int
}

// isZero reports whether the position is unknown.
func (p Pos) isZero() bool { return p.Line == 0 }

// String formats the position as file:line:col, the form that editors jump to. Unprintable
// characters of the file name are escaped.
func (p Pos) String() string {
	switch {
	case p.isZero() && p.File == "":
		return "-"
	case p.isZero():
		return words.Quote(p.File)
	case p.File == "":
		return fmt.Sprintf("%d:%d", p.Line, p.Col)
	}
	return fmt.Sprintf("%s:%d:%d", words.Quote(p.File), p.Line, p.Col)
}

// compare orders positions by file, line and column.
func (p Pos) compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}
