package ebnf

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/field"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

var (
	plainName     = regexp.MustCompile(`^` + plain + `$`)
	plainArgument = regexp.MustCompile(`^[\p{L}\p{N}_.-]+(?:\([\p{L}\p{N}_.,-]*\))?$`)
)

// Print writes g in the native notation and its canonical layout. [Parse] reads the same graph
// back, except that positions differ, and that sequences and choices of a single element become
// that element. Bodies are printed as they were written. Rules that were not in a file are printed
// only if one of these bodies refers to them. Rules keep their order, but the start rule comes
// first if it is not the first rule that is not lexical.
func Print(g *grammar.Grammar) string {
	var b strings.Builder
	for _, r := range printOrder(g) {
		printRule(&b, g, r)
	}
	all, _ := reader.Tokens(g.Name, []byte(b.String()))
	if all == nil {
		return b.String() // happens only for a name that is not UTF-8
	}
	return layout(pieces(all))
}

func printOrder(g *grammar.Grammar) []*grammar.Rule {
	var rules []*grammar.Rule
	first := true
	helps := helpers(g)
	for _, r := range g.Rules {
		switch {
		case r.Inline && !helps[r.Name]:
			continue
		case first && r.Kind == grammar.Syntax && g.Start != nil && g.Start != r && g.Start.Kind == grammar.Syntax:
			rules = append([]*grammar.Rule{g.Start}, rules...)
		}
		first = first && r.Kind != grammar.Syntax
		if len(rules) == 0 || r != rules[0] {
			rules = append(rules, r)
		}
	}
	return rules
}

// helpers returns the names of needed helper rules: rules that were not in a file, but that printed
// bodies refer to. They are ranges of bytes, which a class cannot express.
func helpers(g *grammar.Grammar) map[string]bool {
	inline, needed := make(map[string]*grammar.Rule), make(map[string]bool)
	var refs func(r *grammar.Rule)
	refs = func(r *grammar.Rule) {
		written(r).Walk(func(e *grammar.Expr) {
			if h := inline[e.Name]; e.Op == grammar.Ref && h != nil && !needed[e.Name] {
				needed[e.Name] = true
				refs(h)
			}
		})
	}
	for _, r := range g.Rules {
		if r.Inline {
			inline[r.Name] = r
		}
	}
	for _, r := range g.Rules {
		if !r.Inline {
			refs(r)
		}
	}
	return needed
}

// written returns the body of a rule as in its file, if the notation can express it.
func written(r *grammar.Rule) *grammar.Expr {
	if r.Written == nil {
		return r.Body
	}
	ends := false // the notation cannot express the end of the text
	r.Written.Walk(func(e *grammar.Expr) {
		ends = ends || slices.ContainsFunc(e.Ranges, func(r grammar.Range) bool { return r.Lo == grammar.EndOfText })
	})
	if ends {
		return r.Body
	}
	return r.Written
}

func printRule(b *strings.Builder, g *grammar.Grammar, r *grammar.Rule) {
	blocks := indentation(g, r)
	switch {
	case r.Body.Silent: // written with the newline token
		return
	case blocks != nil:
		printAnnotation(b, grammar.Annotation{Name: "indent", Args: blocks})
	case r.Kind != grammar.Syntax:
		fmt.Fprintf(b, "@%v ", map[grammar.Kind]string{grammar.Token: "token", grammar.Skip: "skip", grammar.Fragment: "fragment"}[r.Kind])
	}
	if r.Mode != "" {
		printAnnotation(b, grammar.Annotation{Name: "mode", Args: []string{r.Mode}})
	}
	for _, c := range r.Commands {
		if blocks != nil && (c.Name == "newline" || c.Name == "open" || c.Name == "close") {
			continue
		}
		a := grammar.Annotation{Name: "command", Args: []string{c.Name}}
		if c.Arg != "" {
			a.Args = append(a.Args, c.Arg)
		}
		printAnnotation(b, a)
	}
	for _, a := range r.Annotations {
		printAnnotation(b, a)
	}
	fmt.Fprintf(b, "%s = ", Name(r.Name))
	printExpr(b, written(r), inChoice)
	b.WriteString(";\n")
}

// indentation returns the arguments of @indent before r, or nil if r is not the token that ends a
// line.
func indentation(g *grammar.Grammar, r *grammar.Rule) []string {
	args := make([]string, 2)
	for _, c := range r.Commands {
		switch c.Name {
		case "newline":
			args[0] = r.Name
		case "open", "close":
			args = append(args, c.Arg)
		}
	}
	if args[0] == "" {
		return nil
	}
	for _, r := range g.Rules {
		for _, c := range r.Commands {
			switch c.Name {
			case "indent":
				args[0] = r.Name
			case "dedent":
				args[1] = r.Name
			}
		}
	}
	return args
}

// Name writes the name of a rule.
func Name(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return "<" + escaped(name, "<>") + ">"
}

func printAnnotation(b *strings.Builder, a grammar.Annotation) {
	fmt.Fprintf(b, "@%s", a.Name)
	if len(a.Args) > 0 {
		args := make([]string, len(a.Args))
		for i, arg := range a.Args {
			args[i] = arg
			if !plainArgument.MatchString(arg) {
				args[i] = quote(arg)
			}
		}
		fmt.Fprintf(b, "(%s)", strings.Join(args, ", "))
	}
	b.WriteByte(' ')
}

// tightness is a kind of place for an expression. It determines the expressions that need no
// parentheses there.
type tightness int

const (
	inChoice   tightness = iota // the body of a rule, the inside of a group: everything
	inAlt                       // an alternative: sequences, not choices
	inSequence                  // an element: differences, not sequences
	inPostfix                   // an operand of an annotation
	inRepeat                    // an operand of a repetition operator
)

// loosest returns the tightest place where e, with its annotations, needs no parentheses.
func loosest(e *grammar.Expr) tightness {
	switch {
	case e.Op == grammar.Rep && len(e.Annotations) == 0:
		return inPostfix
	case len(e.Annotations) > 0:
		return inRepeat
	}
	switch e.Op {
	case grammar.Choice:
		return inChoice
	case grammar.Seq:
		if len(e.Children) > 0 {
			return inAlt
		}
	case grammar.Diff:
		return inSequence
	}
	return inRepeat
}

func printExpr(b *strings.Builder, e *grammar.Expr, place tightness) {
	if loosest(e) < place {
		b.WriteString("( ")
		defer b.WriteString(") ")
	}
	if isAnyByte(e) {
		b.WriteString("byte ")
		return
	}
	bare := e.Op == grammar.Choice || e.Op == grammar.Diff || e.Op == grammar.Seq && len(e.Children) > 0
	group := bare && len(e.Annotations) > 0
	if group {
		b.WriteString("( ")
	}
	printBare(b, e)
	if group {
		b.WriteString(") ")
	}
	for _, a := range e.Annotations {
		printAnnotation(b, a)
	}
}

// printBare writes e without its annotations.
func printBare(b *strings.Builder, e *grammar.Expr) {
	if e.Field != nil {
		printField(b, e.Field)
		return
	}
	switch e.Op {
	case grammar.Lit:
		b.WriteString(quote(e.Text) + " ")
	case grammar.Class:
		b.WriteString(printClass(e) + " ")
	case grammar.Ref:
		b.WriteString(Name(e.Name) + " ")
	case grammar.Seq:
		if len(e.Children) == 0 {
			b.WriteString("() ")
		}
		for _, k := range e.Children {
			printExpr(b, k, inSequence)
		}
	case grammar.Choice:
		printChoice(b, e)
	case grammar.Rep:
		printExpr(b, e.Children[0], inRepeat)
		b.WriteString(suffix(e) + " ")
	case grammar.Diff:
		printExpr(b, e.Children[0], inSequence)
		b.WriteString("- ")
		printExpr(b, e.Children[1], inPostfix)
	}
}

// isAnyByte reports whether e is the class named byte in the notation.
func isAnyByte(e *grammar.Expr) bool {
	return e.Op == grammar.Class && len(e.Annotations) == 1 && e.Annotations[0].Name == "bytes" &&
		slices.Equal(e.Ranges, []grammar.Range{{Lo: 0, Hi: 0x7f}, {Lo: rawbyte.Of(0x80), Hi: rawbyte.Last}})
}

// printField writes the encoding of a computed field, with the literals around it.
func printField(b *strings.Builder, f *field.Field) {
	if f.Lead == "" && f.Trail == "" {
		b.WriteString(f.Encoding.String() + " ")
		return
	}
	b.WriteString("( ")
	if f.Lead != "" {
		b.WriteString(quote(f.Lead) + " ")
	}
	b.WriteString(f.Encoding.String() + " ")
	if f.Trail != "" {
		b.WriteString(quote(f.Trail) + " ")
	}
	b.WriteString(") ")
}

// printChoice omits the weight 1, unless all weights are 1.
func printChoice(b *strings.Builder, e *grammar.Expr) {
	evenly := !slices.ContainsFunc(e.Weights, func(w int) bool { return w != 1 })
	for i, k := range e.Children {
		if i > 0 {
			b.WriteString("| ")
		}
		if e.Labels != nil && e.Labels[i] != "" {
			b.WriteString(Name(e.Labels[i]) + ": ")
		}
		printExpr(b, k, inAlt)
		if e.Weights != nil && (e.Weights[i] != 1 || evenly) {
			fmt.Fprintf(b, "%%%d ", e.Weights[i])
		}
	}
}

func suffix(e *grammar.Expr) string {
	s := notation.Bounds(e.Min, e.Max)
	if e.Lazy {
		s += "?"
	}
	return s
}

func printClass(e *grammar.Expr) string {
	if e.Negated && len(e.Ranges) == 0 {
		return "."
	}
	var b strings.Builder
	b.WriteByte('[')
	if e.Negated {
		b.WriteByte('^')
	}
	for _, r := range e.Ranges {
		b.WriteString(classChar(r.Lo))
		if r.Hi != r.Lo {
			b.WriteString("-" + classChar(r.Hi))
		}
	}
	b.WriteByte(']')
	return b.String()
}
