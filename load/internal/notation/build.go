package notation

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Choice applies each to the alternatives and returns the choice of the results.
func Choice[T any](pos lexer.Position, alts []T, each func(T) *syntax.Expr) *syntax.Expr {
	return syntax.NewChoice(Pos(pos), exprs(alts, each)...)
}

// Seq applies each to the items and returns the sequence of the results.
func Seq[T any](pos lexer.Position, items []T, each func(T) *syntax.Expr) *syntax.Expr {
	return syntax.NewSeq(Pos(pos), exprs(items, each)...)
}

func exprs[T any](from []T, each func(T) *syntax.Expr) []*syntax.Expr {
	to := make([]*syntax.Expr, len(from))
	for i, f := range from {
		to[i] = each(f)
	}
	return to
}
