package computed

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
)

func isIdent(s string) bool { return token.IsIdentifier(s) }

// evaluate computes an expression of numbers, names and the operators + - * / %. Precedence and
// rounding of quotients (towards 0) are as in Go.
func evaluate(text string, env map[string]int) (int, error) {
	if len(text) > 200 {
		return 0, fmt.Errorf("an expression of %d characters is too long", len(text))
	}
	e, err := parser.ParseExpr(text)
	if err != nil {
		return 0, fmt.Errorf("%q is not an expression", text)
	}
	v, err := value(e, env)
	if err == nil && (v < -maxNumber || v > maxNumber) {
		err = fmt.Errorf("%q is %d, which is too large", text, v)
	}
	return int(v), err
}

func value(e ast.Expr, env map[string]int) (int64, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		v, err := strconv.ParseInt(e.Value, 0, 64)
		if err != nil || v > maxNumber {
			return 0, fmt.Errorf("%s is not a number here", e.Value)
		}
		return v, nil
	case *ast.Ident:
		v, ok := env[e.Name]
		if !ok {
			return 0, fmt.Errorf("the rule has no number %s", e.Name)
		}
		return int64(v), nil
	case *ast.ParenExpr:
		return value(e.X, env)
	case *ast.UnaryExpr:
		v, err := value(e.X, env)
		if e.Op != token.SUB {
			return 0, fmt.Errorf("%v is not allowed here", e.Op)
		}
		return -v, err
	case *ast.BinaryExpr:
		x, err := value(e.X, env)
		if err != nil {
			return 0, err
		}
		y, err := value(e.Y, env)
		if err != nil {
			return 0, err
		}
		return operate(e.Op, x, y)
	}
	return 0, fmt.Errorf("numbers are made of names, digits and + - * / %%")
}

func operate(op token.Token, x, y int64) (int64, error) {
	var v int64
	switch {
	case op == token.ADD:
		v = x + y
	case op == token.SUB:
		v = x - y
	case op == token.MUL:
		v = x * y
	case op != token.QUO && op != token.REM:
		return 0, fmt.Errorf("%v is not allowed here", op)
	case y == 0:
		return 0, fmt.Errorf("a division by 0")
	case op == token.QUO:
		v = x / y
	default:
		v = x % y
	}
	if v < -maxNumber || v > maxNumber {
		return 0, fmt.Errorf("%d %v %d is too large", x, op, y)
	}
	return v, nil
}
