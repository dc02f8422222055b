package notation

import (
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Target describes a notation of the EBNF family.
type Target struct {
	Name   string                                    // of the notation, for messages: "ABNF"
	Define string                                    // between a rule's name and its body, with blanks
	Or     string                                    // between alternatives, with blanks
	Empty  string                                    // the empty sequence
	Legal  func(r rune, i int) bool                  // whether a rule's name may have r as character i
	Fold   bool                                      // names are equal regardless of case
	Start  string                                    // the required name of the start rule; "" for any name
	Spell  func(r *grammar.Rule, name string) string // respells a name for the kind of its rule, nil for an undefined rule; nil Spell: unchanged
	Diff   bool                                      // A - B can be written

	// Lit writes a nonempty literal as the elements of a sequence. reason is "", or the reason why
	// the literal cannot be written.
	Lit func(text string) (elements []string, reason string)

	// Class writes a class as alternatives. reason is as for Lit.
	Class func(e *grammar.Expr) (alternatives []string, reason string)

	// Rep writes a repetition of an atom. It is nil if the notation has only the suffixes ? * +;
	// then other bounds are written out.
	Rep func(atom string, min, max int) string
}

// Binding strengths of printed expressions, loosest first.
const (
	bindChoice = iota
	bindSeq
	bindDiff
	bindItem // a repetition, which cannot be repeated again
	bindAtom
)

// Limits of a written-out repetition: the length in bytes, and the nesting of optional elements.
const (
	maxWritten = 1 << 16
	maxNested  = MaxNesting / 4
)

// Printer writes the rules of one grammar in one notation.
type Printer struct {
	t     Target
	g     *grammar.Grammar
	names map[string]string
	Lost  grammar.Diagnostics // the losses so far
}

// NewPrinter returns a printer of g.
func NewPrinter(t Target, g *grammar.Grammar) *Printer {
	p := &Printer{t: t, g: g}
	p.names = p.pickNames()
	return p
}

// Rules returns the rules in the order to print: the start first.
func (p *Printer) Rules() []*grammar.Rule {
	rules := []*grammar.Rule{p.g.Start}
	for _, r := range p.g.Rules {
		if r != p.g.Start {
			rules = append(rules, r)
		}
	}
	return rules
}

// RuleName returns the name of a rule in the target notation.
func (p *Printer) RuleName(name string) string { return p.names[name] }

// Rule returns one rule as a line without a line end.
func (p *Printer) Rule(r *grammar.Rule) string {
	text, _ := p.expr(r, r.Body)
	return p.names[r.Name] + p.t.Define + text
}

// Lose reports a feature, at e or at the rule, that cannot be written in the target.
func (p *Printer) Lose(r *grammar.Rule, pos grammar.Pos, code, what, do string) {
	name := ""
	if r != nil {
		name = r.Name
	}
	p.Lost = append(p.Lost, grammar.Diagnostic{Severity: grammar.Warning, Pos: pos, Code: code, Rule: name,
		Message: what + " cannot be expressed in " + p.t.Name, Hint: do})
}

// ReportLosses reports the marks of the grammar that the target cannot express: tokens (unless
// tokens is true), layout, lexer modes, annotations and weights.
func (p *Printer) ReportLosses(tokens bool) { loseMarks(p.g, tokens, false, p.Lose) }

// loseMarks calls lose for every mark of g that the target cannot express.
func loseMarks(g *grammar.Grammar, tokens, weights bool, lose func(r *grammar.Rule, pos grammar.Pos, code, what, do string)) {
	for _, r := range g.Rules {
		switch {
		case r.Body.Silent:
			lose(r, r.Pos, "lost-indentation", fmt.Sprintf("that indentation stands for %q", r.Name), "written is a character in its place")
			continue
		case tokens || r.Inline:
		case r.Kind == grammar.Token:
			lose(r, r.Pos, "lost-token", fmt.Sprintf("that %q is a token", r.Name), "its texts are the same; layout between tokens is not")
		case r.Kind == grammar.Skip:
			lose(r, r.Pos, "lost-layout", fmt.Sprintf("that %q may stand between tokens", r.Name), "refer to it wherever layout may stand")
		}
		if len(r.Commands) > 0 || r.Mode != "" {
			lose(r, r.Pos, "lost-mode", fmt.Sprintf("the lexer mode or commands of %q", r.Name), "check the result's language")
		}
		if len(r.Annotations) > 0 {
			lose(r, r.Pos, "lost-annotation", fmt.Sprintf("the annotation @%s of rule %q", r.Annotations[0].Name, r.Name), "put it into a companion file")
		}
		r.Body.Walk(func(e *grammar.Expr) {
			if len(e.Annotations) > 0 {
				a := e.Annotations[0]
				lose(r, a.Pos, "lost-annotation", fmt.Sprintf("the annotation @%s", a.Name), "put it into a companion file")
			}
			if e.Weights != nil && !weights {
				lose(r, e.Pos, "lost-weight", fmt.Sprintf("the weights of the alternatives in %q", r.Name), "put them into a companion file")
			}
		})
	}
}

// expr returns the text of e in the target and its binding strength.
func (p *Printer) expr(r *grammar.Rule, e *grammar.Expr) (string, int) {
	switch e.Op {
	case grammar.Lit:
		if e.Text == "" {
			return p.t.Empty, bindAtom
		}
		elements, reason := p.t.Lit(e.Text)
		if reason != "" {
			p.Lose(r, e.Pos, "lost-literal", fmt.Sprintf("the literal %q (%s)", e.Text, reason), "rewrite the rule without it")
			return p.t.Empty, bindAtom
		}
		return joined(elements, " ", bindSeq)
	case grammar.Class:
		alts, reason := p.t.Class(e)
		if reason != "" {
			p.Lose(r, e.Pos, "lost-class", "a class as written ("+reason+")", "check its members in the result")
		}
		if len(alts) == 0 {
			return p.t.Empty, bindAtom
		}
		return joined(alts, p.t.Or, bindChoice)
	case grammar.Ref:
		if e.Rule == nil {
			p.Lose(r, e.Pos, "undefined-rule", fmt.Sprintf("what the undefined rule %q means", e.Name), "define it")
		}
		return p.names[e.Name], bindAtom
	case grammar.Seq:
		return p.children(r, e, " ", bindSeq, bindDiff)
	case grammar.Choice:
		return p.children(r, e, p.t.Or, bindChoice, bindSeq)
	case grammar.Diff:
		if !p.t.Diff {
			p.Lose(r, e.Pos, "lost-difference", "the difference A - B", "only A is written; resolve the difference first")
			return p.expr(r, e.Children[0])
		}
		return p.wrapped(r, e.Children[0], bindItem) + " - " + p.wrapped(r, e.Children[1], bindItem), bindDiff
	}
	return p.rep(r, e)
}

func (p *Printer) children(r *grammar.Rule, e *grammar.Expr, sep string, binds, least int) (string, int) {
	if len(e.Children) == 0 {
		return p.t.Empty, bindAtom
	}
	texts := make([]string, len(e.Children))
	for i, k := range e.Children {
		texts[i] = p.wrapped(r, k, least)
	}
	return joined(texts, sep, binds)
}

// wrapped returns the text of e, in brackets if e binds looser than least.
func (p *Printer) wrapped(r *grammar.Rule, e *grammar.Expr, least int) string {
	text, binds := p.expr(r, e)
	if binds < least {
		return "(" + text + ")"
	}
	return text
}

func joined(texts []string, sep string, binds int) (string, int) {
	if len(texts) == 1 {
		return texts[0], bindAtom
	}
	return strings.Join(texts, sep), binds
}

func (p *Printer) rep(r *grammar.Rule, e *grammar.Expr) (string, int) {
	if e.Max == 0 {
		return p.t.Empty, bindAtom
	}
	atom := p.wrapped(r, e.Children[0], bindAtom)
	if p.t.Rep != nil {
		return p.t.Rep(atom, e.Min, e.Max), bindItem
	}
	if e.Min == 1 && e.Max == 1 {
		return "(" + atom + ")", bindAtom
	}
	if suffix := Suffix(e.Min, e.Max); suffix != "" {
		return atom + suffix, bindItem
	}
	n := max(e.Min, e.Max)
	if n*(len(atom)+4) > maxWritten || e.Max-e.Min > maxNested {
		p.Lose(r, e.Pos, "lost-bounds", fmt.Sprintf("a repetition %d to %d times", e.Min, e.Max), "it is written without bounds")
		return atom + "*", bindItem
	}
	return "(" + writtenOut(atom, e.Min, e.Max) + ")", bindAtom
}

// writtenOut writes the repetition of atom with ? and * only, so that each number of elements has
// exactly one derivation: x{2,4} is x x (x x?)?.
func writtenOut(atom string, min, max int) string {
	parts := make([]string, min, min+1)
	for i := range parts {
		parts[i] = atom
	}
	switch {
	case max < 0:
		parts = append(parts, atom+"*")
	case max > min:
		tail := atom + "?"
		for i := min + 1; i < max; i++ {
			tail = "(" + atom + " " + tail + ")?"
		}
		parts = append(parts, tail)
	}
	return strings.Join(parts, " ")
}

// PrintClass writes a class in brackets, and the class of all characters as a dot. member writes
// one character. PrintClass returns the parts, or the reason why there are none.
func PrintClass(e *grammar.Expr, member func(rune) string) ([]string, string) {
	if e.Negated && len(e.Ranges) == 0 {
		return []string{"."}, ""
	}
	ranges := grammar.NewSet(e.Ranges...).Ranges()
	if len(ranges) == 0 {
		return nil, "it has no members"
	}
	var b strings.Builder
	b.WriteByte('[')
	if e.Negated {
		b.WriteByte('^')
	}
	for _, r := range ranges {
		b.WriteString(member(r.Lo))
		if r.Hi > r.Lo {
			b.WriteString("-" + member(r.Hi))
		}
	}
	return []string{b.String() + "]"}, ""
}
