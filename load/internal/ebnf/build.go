package ebnf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

const (
	// maxCount bounds the numbers of {m,n}. It is far above real grammars, and
	// low enough for safe arithmetic on all platforms.
	maxCount = 1_000_000
	// maxWeight bounds %N, so that the weights of a choice can be added up.
	maxWeight = 1_000_000_000
)

// rule turns the syntax tree of a rule into a rule of the graph.
func (b *builder) rule(n *ruleNode) *syntax.Rule {
	rule := &syntax.Rule{Name: b.name(n.Name), Pos: notation.Pos(n.Name.Pos)}
	kinds := 0
	for _, m := range n.Marks {
		b.mark(rule, b.annotation(m), &kinds)
	}
	if rule.Mode != "" && !rule.Kind.Lexical() {
		b.fail(rule.Pos, "mode", fmt.Sprintf("rule %q has a lexer mode but is not lexical", rule.Name), "add @token, @skip or @fragment before its name")
	}
	rule.Body = b.choice(n.Body)
	return rule
}

// mark applies an annotation before a rule's name.
func (b *builder) mark(rule *syntax.Rule, a grammar.Annotation, kinds *int) {
	of := map[string]grammar.Kind{"token": grammar.Token, "skip": grammar.Skip, "fragment": grammar.Fragment}
	switch kind, ok := of[a.Name]; {
	case ok && len(a.Args) > 0:
		b.fail(a.Pos, "annotation", fmt.Sprintf("@%s takes no arguments", a.Name), "remove them")
	case ok:
		*kinds++
		if *kinds > 1 {
			b.fail(a.Pos, "annotation", fmt.Sprintf("rule %q is said to be of two kinds", rule.Name), "keep one of @token, @skip and @fragment")
		}
		rule.Kind = kind
	case a.Name == "mode":
		if len(a.Args) != 1 || a.Args[0] == "" {
			b.fail(a.Pos, "annotation", "@mode takes the name of a mode", "write it as in @mode(STRING)")
			return
		}
		rule.Mode = a.Args[0]
	case a.Name == "command":
		if len(a.Args) < 1 || len(a.Args) > 2 {
			b.fail(a.Pos, "annotation", "@command takes a command and at most one argument", "write it as in @command(pushMode, STRING)")
			return
		}
		c := grammar.Command{Name: a.Args[0], Pos: a.Pos}
		if len(a.Args) == 2 {
			c.Arg = a.Args[1]
		}
		rule.Commands = append(rule.Commands, c)
	case a.Name == "indent":
		*kinds++
		if *kinds > 1 || len(a.Args) < 2 || len(a.Args)%2 != 0 || slices.Contains(a.Args, "") {
			b.fail(a.Pos, "annotation", "@indent makes a rule the token that ends a line, and takes the names of two others and pairs of brackets",
				`write it alone, as in @indent(INDENT, DEDENT, "(", ")") NEWLINE = "\n" ;`)
			return
		}
		b.blocks = append(b.blocks, syntax.Indentation(rule, a.Args[0], a.Args[1], a.Args[2:]...)...)
	default:
		rule.Annotations = append(rule.Annotations, a)
	}
}

func (b *builder) name(n *nameNode) string {
	if n.Word != "" {
		return n.Word
	}
	return b.text(n.Pos, n.Quoted)
}

// text decodes a token with a quote character on either side.
func (b *builder) text(pos lexer.Position, literal string) string {
	inside := literal[1 : len(literal)-1]
	text, at, err := unquote(inside)
	if err != nil {
		p := notation.Pos(pos)
		p.Col += 1 + utf8.RuneCountInString(inside[:at])
		b.fail(p, "escape", err.Error(), `use Go's escapes: \n \t \\ \" \x41 \u00e9; a backslash is \\`)
	}
	return text
}

func (b *builder) annotation(n *markNode) grammar.Annotation {
	a := grammar.Annotation{Pos: notation.Pos(n.Pos), Name: strings.Trim(n.Bare+n.Open, "@(")}
	for _, arg := range n.Args {
		if arg.Word != nil {
			a.Args = append(a.Args, *arg.Word)
		} else {
			a.Args = append(a.Args, b.text(arg.Pos, *arg.String))
		}
	}
	return a
}

func (b *builder) choice(n *choiceNode) *syntax.Expr {
	var children []*syntax.Expr
	weights, labels := make([]int, len(n.Alts)), make([]string, len(n.Alts))
	weighted, labelled := false, false
	for i, alt := range n.Alts {
		children = append(children, b.sequence(alt))
		weights[i] = 1
		if alt.Weight != nil {
			weighted = true
			weights[i] = b.weight(alt)
		}
		if alt.Label != nil {
			labelled = true
			labels[i] = b.name(alt.Label)
		}
	}
	e := syntax.NewChoice(notation.Pos(n.Pos), children...)
	if len(children) > 1 && weighted {
		e.Weights = weights
	}
	if len(children) > 1 && labelled {
		e.Labels = labels
	}
	return e
}

func (b *builder) weight(alt *altNode) int {
	w, err := strconv.Atoi(strings.Trim(*alt.Weight, "% \t"))
	if err != nil || w > maxWeight {
		b.fail(notation.Pos(alt.Pos), "weight", fmt.Sprintf("the weight %s of this alternative is too large", *alt.Weight), "use at most %d", maxWeight)
		return 1
	}
	return w
}

func (b *builder) sequence(n *altNode) *syntax.Expr {
	var children []*syntax.Expr
	for _, item := range n.Items {
		e := b.postfix(item.First)
		if len(item.Minus) > maxNesting {
			b.fail(e.Pos, "nesting", fmt.Sprintf("more than %d differences in a row", maxNesting), "write A - (B | C | …)")
			continue
		}
		for _, minus := range item.Minus {
			e = syntax.NewDiff(e.Pos, e, b.postfix(minus))
		}
		children = append(children, e)
	}
	return syntax.NewSeq(notation.Pos(n.Pos), children...)
}

func (b *builder) postfix(n *postfixNode) *syntax.Expr {
	e := b.atom(n.Atom)
	if len(n.Suffixes) > maxNesting {
		b.fail(e.Pos, "nesting", fmt.Sprintf("more than %d repetitions and annotations in a row", maxNesting), "remove some")
		return e
	}
	for _, s := range n.Suffixes {
		if s.Mark != nil {
			e.Annotations = append(e.Annotations, b.annotation(s.Mark))
			continue
		}
		least, most := b.bounds(s)
		lazy := len(s.Repeat) == 2 || strings.HasSuffix(s.Count, "?")
		e = syntax.NewRep(notation.Pos(n.Atom.Pos), e, least, most)
		e.Lazy = lazy
	}
	return e
}

// bounds returns the bounds of * + ? {m} {m,} or {m,n}. It ignores a "?" after them.
func (b *builder) bounds(s *suffixNode) (least, most int) {
	if s.Repeat != "" {
		switch s.Repeat[0] {
		case '*':
			return 0, grammar.Unbounded
		case '+':
			return 1, grammar.Unbounded
		}
		return 0, 1
	}
	first, second, two := strings.Cut(strings.Trim(s.Count, "{}?"), ",")
	least = b.number(s, first)
	switch second = strings.TrimSpace(second); {
	case !two:
		return least, least
	case second == "":
		return least, grammar.Unbounded
	}
	most = b.number(s, second)
	if most < least {
		b.fail(notation.Pos(s.Pos), "repetition", fmt.Sprintf("%s asks for at least %d and at most %d", s.Count, least, most), "write the smaller number first")
	}
	return least, most
}

func (b *builder) number(s *suffixNode, digits string) int {
	n, err := strconv.Atoi(strings.TrimSpace(digits))
	if err != nil || n > maxCount {
		b.fail(notation.Pos(s.Pos), "repetition", fmt.Sprintf("a number in %s is too large", s.Count), "use at most %d", maxCount)
		return 0
	}
	return n
}

func (b *builder) atom(n *atomNode) *syntax.Expr {
	pos := notation.Pos(n.Pos)
	switch {
	case n.Name != nil:
		return syntax.NewRef(pos, b.name(n.Name))
	case n.Lit != nil:
		return syntax.NewLit(pos, b.text(n.Pos, *n.Lit))
	case n.Any:
		return syntax.NewClass(pos, true)
	case n.Class != nil:
		return b.class(n.Class)
	}
	return b.choice(n.Group)
}

func (b *builder) class(n *classNode) *syntax.Expr {
	var ranges []grammar.Range
	var singles []rune
	for i, item := range n.Items {
		pos := notation.Pos(item.Pos)
		if item.Minus {
			if i > 0 && i < len(n.Items)-1 {
				b.fail(pos, "class", `a "-" inside a class joins two characters`, `write \- for the character itself`)
			}
			ranges = append(ranges, grammar.Range{Lo: '-', Hi: '-'})
			continue
		}
		span := grammar.Range{Lo: b.char(pos, item.Lo)}
		span.Hi = span.Lo
		if item.Hi != "" {
			span.Hi = b.char(pos, item.Hi)
			if span.Hi < span.Lo {
				b.fail(pos, "class", fmt.Sprintf("the range %s-%s is reversed", item.Lo, item.Hi), "write the smaller character first")
			}
		} else if len(item.Lo) == 1 {
			singles = append(singles, span.Lo)
		}
		ranges = append(ranges, span)
	}
	b.ds = append(b.ds, notation.LikeOptional(notation.Pos(n.Pos), singles, "( … )?")...)
	return syntax.NewClass(notation.Pos(n.Pos), n.Open == "[^", ranges...)
}

func (b *builder) char(pos grammar.Pos, s string) rune {
	c, err := unescape(s)
	if err != nil {
		hint := `use Go's escapes, and \] \^ \- for these characters`
		if digits := strings.Trim(s, `\u{}`); len(s) > len(digits)+2 {
			hint = fmt.Sprintf(`use Go's escapes: \U%08s`, digits)
		}
		b.fail(pos, "escape", err.Error(), hint)
	}
	return c
}
