package treesitter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// Print writes a grammar as src/grammar.json for tree-sitter. Each token is one TOKEN. Layout goes
// to extras, indentation and undefined rules to externals. Only the start may derive the empty
// text. Other rules are written without it, and references to them are optional instead. The
// diagnostics list the losses: annotations other than @prec and @prefer, weights, lexer modes,
// bytes that are not UTF-8. The rest reads back with the same counts by bytes. Conflicts of the
// parser are not reported; tree-sitter does that.
func Print(g *grammar.Grammar) (string, grammar.Diagnostics) {
	w := written(g)
	var b strings.Builder
	fmt.Fprintf(&b, "{\n  \"name\": %s,\n", inJSON(w.name))
	if w.word != "" {
		fmt.Fprintf(&b, "  \"word\": %s,\n", inJSON(w.word))
	}
	b.WriteString("  \"rules\": {\n")
	for i, r := range w.rules {
		end := ",\n"
		if i == len(w.rules)-1 {
			end = "\n"
		}
		fmt.Fprintf(&b, "    %s: %s%s", inJSON(r.name), inJSON(r.body), end)
	}
	fmt.Fprintf(&b, "  },\n  \"extras\": %s,\n  \"externals\": %s\n}\n", inJSON(symbols(w.extras)), inJSON(symbols(w.externals)))
	return b.String(), w.Lost
}

// PrintJS is Print for grammar.js. The command tree-sitter generate turns it into src/grammar.json.
func PrintJS(g *grammar.Grammar) (string, grammar.Diagnostics) {
	w := written(g)
	var b strings.Builder
	fmt.Fprintf(&b, "module.exports = grammar({\n  name: %s,\n", quote(w.name))
	list := func(key string, names []string) {
		for i := range names {
			names[i] = "$." + names[i]
		}
		fmt.Fprintf(&b, "  %s: $ => [%s],\n", key, strings.Join(names, ", "))
	}
	list("extras", w.extras)
	if w.externals != nil {
		list("externals", w.externals)
	}
	if w.word != "" {
		fmt.Fprintf(&b, "  word: $ => $.%s,\n", w.word)
	}
	b.WriteString("  rules: {\n")
	for _, r := range w.rules {
		fmt.Fprintf(&b, "    %s: $ => %s,\n", r.name, r.body.js())
	}
	b.WriteString("  },\n});\n")
	return b.String(), w.Lost
}

// written collects the content of a grammar for tree-sitter.
func written(g *grammar.Grammar) *writer {
	w := &writer{g: g, name: languageName(g.Name)}
	w.Printer = notation.NewPrinter(notation.Target{Name: "tree-sitter", Legal: legal, Spell: spell}, g)
	w.ReportAll(notation.Can{Tokens: true, Indentation: true, Annotations: []string{"prec", "prefer"}})
	w.terminal = w.Terminals()
	w.lists()
	entry := w.Entered() || g.Start.Kind.Lexical()
	if entry {
		body := symbol(w.RuleName(g.Start.Name))
		if w.Nullable(g.Start) {
			body = optional(body)
		}
		w.rules = append(w.rules, namedRule{w.entryName(), body})
	}
	for _, r := range w.Rules() {
		w.write(r, r == g.Start && !entry)
	}
	return w
}

// entryName returns an unused rule name.
func (w *writer) entryName() string {
	name := "source"
	for slices.ContainsFunc(w.g.Rules, func(r *grammar.Rule) bool { return w.RuleName(r.Name) == name }) {
		name += "_"
	}
	return name
}

type writer struct {
	*notation.Printer
	g *grammar.Grammar

	name, word        string
	terminal          map[*grammar.Rule]bool
	extras, externals []string
	rules             []namedRule

	within []*grammar.Rule // the rules inlined around the current expression
	size   int             // the number of parts of the current token
}

// maxToken bounds the number of parts of a token.
const maxToken = 1 << 14

// languageName makes a name usable within C identifiers.
func languageName(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return strings.ToLower(spell(nil, strings.Map(func(r rune) rune {
		if legal(r, 1) {
			return r
		}
		return '_'
	}, name)))
}

func legal(r rune, i int) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' || i > 0 && '0' <= r && r <= '9'
}

// spell changes names of indentation to those usual in tree-sitter's grammars, and names that begin
// with a digit.
func spell(r *grammar.Rule, name string) string {
	switch {
	case r != nil && r.Body.Silent:
		return "_" + r.Commands[0].Name
	case r != nil && isNewline(r):
		return "_newline"
	case name == "" || unicode.IsDigit([]rune(name)[0]):
		return "r" + name
	}
	return name
}

// isNewline reports whether a rule is the token that ends lines.
func isNewline(r *grammar.Rule) bool {
	return slices.ContainsFunc(r.Commands, func(c grammar.Command) bool { return c.Name == "newline" })
}

// lists collects the lists outside the rules: extras and externals.
func (w *writer) lists() {
	for _, r := range w.g.Rules {
		name := w.RuleName(r.Name)
		switch {
		case r.Body.Silent || isNewline(r):
			w.externals = append(w.externals, name)
		case r.Kind.Lexical() && derivesNothing(w.g, r):
			if r.Kind == grammar.Token && !r.Inline {
				w.externals = append(w.externals, name)
			}
		case r.Kind == grammar.Skip && !r.Inline && w.NonEmpty(r, false) != nil:
			w.extras = append(w.extras, name)
		case r.Word:
			w.word = name
		}
	}
	for _, e := range w.g.Exprs {
		if name := w.RuleName(e.Name); e.Op == grammar.Ref && e.Rule == nil && !slices.Contains(w.externals, name) {
			w.Lose(nil, e.Pos, "undefined-rule", fmt.Sprintf("what the undefined rule %q means", e.Name), "it is an external; write a scanner for it")
			w.externals = append(w.externals, name)
		}
	}
}

// inRules reports whether a syntax rule refers to r. References in tokens do not count.
func (w *writer) inRules(r *grammar.Rule) bool {
	return slices.ContainsFunc(w.g.Rules, func(from *grammar.Rule) bool {
		found := false
		if !w.terminal[from] {
			from.Body.Walk(func(e *grammar.Expr) { found = found || e.Op == grammar.Ref && e.Rule == r })
		}
		return found
	})
}

// derivesNothing reports whether a rule derives no text, not even the empty one.
func derivesNothing(g *grammar.Grammar, r *grammar.Rule) bool {
	f := g.Facts(nil, grammar.Exact)
	return !f.Nullable(r.Body) && !f.CanBeNonEmpty(r.Body)
}

// write adds the definition of a rule. With whole it keeps the empty text.
func (w *writer) write(r *grammar.Rule, whole bool) {
	lexical := r.Kind.Lexical()
	switch {
	case r.Body.Silent, lexical && derivesNothing(w.g, r):
		return
	case isNewline(r):
		if r.Body.Op != grammar.Lit || r.Body.Text != "\n" {
			w.Lose(r, r.Pos, "lost-newline", fmt.Sprintf("all that %q is but the end of a line", r.Name), "a scanner in C reads it")
		}
		return
	case w.terminal[r] && (r.Kind == grammar.Fragment || r.Inline) && !w.inRules(r):
		return // inlined in its uses
	case lexical && !w.terminal[r]:
		w.Lose(r, r.Pos, "lost-token", fmt.Sprintf("that %q, which leads to itself, is a token", r.Name), "written is a rule; layout may stand between its parts")
		lexical = false
	case r.Glued && !lexical:
		w.Lose(r, r.Pos, "lost-context", fmt.Sprintf("that no layout stands in %q", r.Name), "make it a token, if it is regular")
	}
	body := w.NonEmpty(r, whole)
	if lexical && r.Word && r.Written != nil && r.Written.Op == grammar.Diff {
		body = r.Written.Children[0] // without the difference: tree-sitter itself removes the keywords
	}
	if body == nil {
		return
	}
	n := w.expr(r, body, lexical)
	if lexical {
		n = asToken(r, n)
	}
	w.rules = append(w.rules, namedRule{w.RuleName(r.Name), n})
}

// asToken wraps a node as a token.
func asToken(r *grammar.Rule, n *node) *node {
	if r.Priority != 0 {
		n = &node{Type: "PREC", Value: r.Priority, Content: n}
	}
	switch {
	case r.Glued:
		return &node{Type: "IMMEDIATE_TOKEN", Content: n}
	case n.Type == "STRING", n.Type == "PATTERN":
		return n
	}
	return &node{Type: "TOKEN", Content: n}
}

// expr writes an expression with its annotations.
func (w *writer) expr(r *grammar.Rule, e *grammar.Expr, lexical bool) *node {
	n := w.bare(r, e, lexical)
	for _, a := range e.Annotations {
		kind := map[string]string{"prec": "PREC", "prefer": "PREC_DYNAMIC"}[a.Name]
		if kind == "" || len(a.Args) == 0 {
			continue
		}
		level, err := strconv.Atoi(a.Args[0])
		switch {
		case err != nil:
			continue
		case slices.Contains(a.Args, "left"):
			kind = "PREC_LEFT"
		case slices.Contains(a.Args, "right"):
			kind = "PREC_RIGHT"
		}
		n = &node{Type: kind, Value: level, Content: n}
	}
	return n
}

func (w *writer) bare(r *grammar.Rule, e *grammar.Expr, lexical bool) *node {
	w.size++
	switch e.Op {
	case grammar.Lit:
		switch {
		case e.Text == "":
			return blank
		case !utf8.ValidString(e.Text):
			w.Lose(r, e.Pos, "lost-literal", fmt.Sprintf("the literal %q (it is not UTF-8)", e.Text), "rewrite the rule without it")
			return blank
		}
		return &node{Type: "STRING", Value: e.Text}
	case grammar.Class:
		return w.class(r, e)
	case grammar.Ref:
		if !lexical || e.Rule == nil {
			return symbol(w.RuleName(e.Name))
		}
		return w.inPlace(r, e)
	case grammar.Seq, grammar.Choice:
		parts := make([]*node, len(e.Children))
		for i, k := range e.Children {
			parts[i] = w.expr(r, k, lexical)
		}
		return many(map[grammar.Op]string{grammar.Seq: "SEQ", grammar.Choice: "CHOICE"}[e.Op], parts...)
	case grammar.Diff:
		w.Lose(r, e.Pos, "lost-difference", "the difference A - B", "only A is written; resolve the difference first")
		return w.expr(r, e.Children[0], lexical)
	}
	return w.repetition(r, e, lexical)
}

// inPlace inlines a lexical rule in place of a reference.
func (w *writer) inPlace(r *grammar.Rule, e *grammar.Expr) *node {
	if len(w.within) == 0 {
		w.size = 0
	}
	if slices.Contains(w.within, e.Rule) || w.size > maxToken {
		w.Lose(r, e.Pos, "lost-token", fmt.Sprintf("the part %q of a token, which is too large or leads to itself,", e.Name), "split the token")
		return blank
	}
	w.within = append(w.within, e.Rule)
	n := blank
	if body := w.NonEmpty(e.Rule, false); body != nil {
		n = w.expr(r, body, true)
	}
	w.within = w.within[:len(w.within)-1]
	return n
}

func (w *writer) repetition(r *grammar.Rule, e *grammar.Expr, lexical bool) *node {
	before := w.size
	x := w.expr(r, e.Children[0], lexical)
	min, max := e.Min, e.Max
	if float64(min+max)*float64(w.size-before) > maxToken {
		w.Lose(r, e.Pos, "lost-bounds", fmt.Sprintf("a repetition %d to %d times", min, max), "it is written without bounds")
		min, max = 0, grammar.Unbounded
	}
	if copies := min + max; copies > 0 { // x* writes no copies
		w.size += copies * (w.size - before)
	}
	switch {
	case max == 0:
		return blank
	case min == 0 && max < 0:
		return &node{Type: "REPEAT", Content: x}
	case min == 1 && max < 0:
		return &node{Type: "REPEAT1", Content: x}
	}
	parts := slices.Repeat([]*node{x}, min)
	switch {
	case max < 0:
		parts = append(parts, &node{Type: "REPEAT", Content: x})
	case max > min:
		tail := optional(x)
		for range max - min - 1 {
			tail = optional(many("SEQ", x, tail))
		}
		parts = append(parts, tail)
	}
	return many("SEQ", parts...)
}

// class writes a class as a regular expression. In tree-sitter's lexers the character 0 always
// means the end of the text, so no negated class contains it.
func (w *writer) class(r *grammar.Rule, e *grammar.Expr) *node {
	ranges := grammar.NewSet(e.Ranges...).Ranges()
	switch {
	case e.Negated && len(ranges) == 0:
		return &node{Type: "PATTERN", Value: `[^\x00]`}
	case len(ranges) == 0, ranges[0].Lo < 0, ranges[len(ranges)-1].Hi > unicode.MaxRune:
		w.Lose(r, e.Pos, "lost-class", "a class as written (it has no characters, or more than characters)", "check the result")
		return blank
	}
	parts, _ := notation.PrintClass(e, func(r rune) string { return escapes.Char(r, `\]^-/[`) })
	return &node{Type: "PATTERN", Value: parts[0]}
}
