package borders

import (
	"go/ast"
	"go/token"
	"testing"
)

// TestIfHeaders checks that the header of an if declares, and changes nothing: what changes stands on
// a line of its own. The exception is an err that the condition looks at.
func TestIfHeaders(t *testing.T) {
	for _, f := range sources(t) {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if s, ok := n.(*ast.IfStmt); ok && s.Init != nil && !declares(s) {
				t.Errorf("%s: the header of this if changes something; give that a line of its own before it", f.fset.Position(s.Pos()))
			}
			return true
		})
	}
}

// declares reports whether the first part of an if's header declares variables, or sets an err that
// the condition looks at.
func declares(s *ast.IfStmt) bool {
	set, ok := s.Init.(*ast.AssignStmt)
	if !ok {
		return false
	}
	if set.Tok == token.DEFINE {
		return true
	}
	isErr := func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && id.Name == "err"
	}
	seen := false
	ast.Inspect(s.Cond, func(n ast.Node) bool {
		seen = seen || isErr(n)
		return true
	})
	return seen && set.Tok == token.ASSIGN && isErr(set.Lhs[len(set.Lhs)-1])
}
