package coverage

import (
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/show"
)

// piece is a part of the text of a grammar. It is coloured by the use of expr, if not nil; alt
// is the alternative of that choice, or -1.
type piece struct {
	text string
	expr *grammar.Expr
	alt  int
}

// exprText returns an expression on one line, shortened if it is long.
func exprText(e *grammar.Expr) string {
	const most = 60
	var b strings.Builder
	for _, p := range pieces(nil, e, nil, -1, false) {
		b.WriteString(p.text)
	}
	s := []rune(b.String())
	if len(s) > most {
		return string(s[:most-1]) + "…"
	}
	return string(s)
}

// pieces appends the pieces of e, which is in alternative alt of the choice in; in is nil for
// none. tight says that a sequence needs brackets.
func pieces(out []piece, e, in *grammar.Expr, alt int, tight bool) []piece {
	plain := func(s string) { out = append(out, piece{s, in, alt}) }
	switch e.Op {
	case grammar.Lit:
		out = append(out, piece{strconv.Quote(e.Text), e, -1})
	case grammar.Class:
		out = append(out, piece{show.Class(e), e, -1})
	case grammar.Ref:
		out = append(out, piece{e.Name, e, -1})
	case grammar.Seq:
		tight = tight && len(e.Children) > 1
		if tight {
			plain("(")
		}
		for i, k := range e.Children {
			if i > 0 {
				plain(" ")
			}
			out = pieces(out, k, in, alt, true)
		}
		if tight {
			plain(")")
		}
	case grammar.Choice:
		if in != nil || tight {
			plain("(")
		}
		for i, k := range e.Children {
			if i > 0 {
				plain(" | ")
			}
			if k.IsEmpty() {
				out = append(out, piece{`""`, e, i})
				continue
			}
			out = pieces(out, k, e, i, false)
		}
		if in != nil || tight {
			plain(")")
		}
	case grammar.Rep:
		nested := e.Children[0].Op == grammar.Rep
		if nested {
			plain("(")
		}
		out = pieces(out, e.Children[0], in, alt, true)
		if nested {
			plain(")")
		}
		plain(show.Times(e))
	case grammar.Diff:
		out = pieces(out, e.Children[0], in, alt, true)
		plain(" - ")
		out = pieces(out, e.Children[1], in, alt, true)
	}
	return out
}
