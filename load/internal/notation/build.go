package notation

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Choice returns the choice of what each makes of the alternatives.
func Choice[T any](pos lexer.Position, alts []T, each func(T) *grammar.Expr) *grammar.Expr {
	return grammar.NewChoice(Pos(pos), exprs(alts, each)...)
}

// Seq returns the sequence of what each makes of the items.
func Seq[T any](pos lexer.Position, items []T, each func(T) *grammar.Expr) *grammar.Expr {
	return grammar.NewSeq(Pos(pos), exprs(items, each)...)
}

func exprs[T any](from []T, each func(T) *grammar.Expr) []*grammar.Expr {
	to := make([]*grammar.Expr, len(from))
	for i, f := range from {
		to[i] = each(f)
	}
	return to
}
