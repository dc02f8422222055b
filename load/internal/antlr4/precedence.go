package antlr4

import (
	"slices"
	"strconv"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Among the alternatives of a rule that begin or end with the rule itself, ANTLR lets the earlier
// one bind tighter, if one of them begins with it. An alternative that begins and ends with the
// rule associates to the left, or to the right with <assoc=right>.

// annotatePrecedences writes the precedences of a rule's alternatives as annotations.
func annotatePrecedences(name string, alts []*alt, body *syntax.Expr) {
	self := func(e *element) bool { return e.Kind == elRef && e.Text == name && e.Suffix == 0 && !e.Not }
	operators := make([]operator, len(alts))
	for i, a := range alts {
		es := slices.DeleteFunc(slices.Clone(a.Elements), func(e *element) bool { return e.Kind == elAction || e.Kind == elPredicate })
		if len(es) > 1 {
			operators[i] = operator{self(es[0]), self(es[len(es)-1])}
		}
	}
	for i, args := range precedences(operators, func(i int) bool { return alts[i].Right }) {
		if args == nil {
			continue
		}
		pos := position(alts[i].Pos)
		k := body.Children[i]
		k.Annotations = append(k.Annotations, grammar.Annotation{Name: "prec", Args: args, Pos: pos})
		if !operators[i].ends {
			last := k.Children[len(k.Children)-1]
			if last.Op == grammar.Rep && endsWith(last, name) {
				last.Annotations = append(last.Annotations, grammar.Annotation{Name: "prec", Args: asLongAsCanBe, Pos: pos})
			}
		}
	}
}

// asLongAsCanBe is the @prec of a repetition at the end of an alternative that can end with the
// rule itself: ANTLR reads that rule without a bound on its precedence.
var asLongAsCanBe = []string{"0", "right"}

// endsWith reports whether an expression can end with a rule.
func endsWith(e *syntax.Expr, name string) bool {
	switch {
	case e.Op == grammar.Ref:
		return e.Name == name
	case e.Op == grammar.Seq && len(e.Children) > 0:
		return endsWith(e.Children[len(e.Children)-1], name)
	}
	return e.Op != grammar.Seq && slices.ContainsFunc(e.Children, func(k *syntax.Expr) bool { return endsWith(k, name) })
}

// operator says whether an alternative begins and whether it ends with its rule.
type operator struct{ begins, ends bool }

// precedences returns for each alternative of a rule the arguments of its @prec, or nil.
func precedences(operators []operator, right func(i int) bool) [][]string {
	out := make([][]string, len(operators))
	if !slices.ContainsFunc(operators, func(o operator) bool { return o.begins }) {
		return out
	}
	for i, o := range operators {
		if !o.begins && !o.ends {
			continue
		}
		out[i] = []string{strconv.Itoa(len(operators) - i)}
		switch {
		case !o.begins || !o.ends:
		case right(i):
			out[i] = append(out[i], "right")
		default:
			out[i] = append(out[i], "left")
		}
	}
	return out
}

// carries reports whether the order of a rule's alternatives, with <assoc=right>, says what their
// annotations @prec say.
func carries(r *grammar.Rule, body *grammar.Expr) bool {
	if body.Op != grammar.Choice || r.Kind != grammar.Syntax {
		return false
	}
	self := func(e *grammar.Expr) bool { return e.Op == grammar.Ref && e.Rule == r && len(e.Annotations) == 0 }
	operators := make([]operator, len(body.Children))
	for i, a := range body.Children {
		if a.Op == grammar.Seq && len(a.Children) > 1 {
			operators[i] = operator{self(a.Children[0]), self(a.Children[len(a.Children)-1])}
		}
	}
	last := 0
	for i, args := range slices.Backward(precedences(operators, func(i int) bool { return rightward(body.Children[i]) })) {
		prec := precOf(body.Children[i])
		if len(prec) != len(args) || len(args) > 1 && prec[1] != args[1] {
			return false
		}
		if args == nil {
			continue
		}
		level, err := strconv.Atoi(prec[0])
		if err != nil || level <= last {
			return false
		}
		last = level
	}
	return true
}

// precOf returns the arguments of the @prec of an expression, or nil.
func precOf(e *grammar.Expr) []string {
	for _, a := range e.Annotations {
		if a.Name == "prec" {
			return a.Args
		}
	}
	return nil
}

func rightward(e *grammar.Expr) bool { return slices.Contains(precOf(e), "right") }
