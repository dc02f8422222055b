package iso

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Parse reads an ISO 14977 file into a raw rule graph. name is the file's name in
// positions. Every malformed rule is reported; the graph has the others. The first
// rule is the start. Parse takes time linear in the file.
func Parse(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics) {
	b := &builder{g: &syntax.Grammar{Name: name, Notation: "iso", LenientUndefined: true}, names: make(map[string]bool)}
	toks, ds := reader.Tokens(name, src)
	if len(toks) == 0 { // the file is not text
		return b.g, ds
	}
	b.ds = append(ds, notation.Backslash(toks, "ISO 14977", "Literal")...)
	b.comments(toks)
	b.ds = append(b.ds, reader.Rules(name, nil, reader.SplitAfter(toks, "End"), b.collect)...)
	for _, r := range b.rules {
		b.names[words(r.Name)] = true
	}
	for _, r := range b.rules {
		b.g.Rules = append(b.g.Rules, &syntax.Rule{Name: words(r.Name), Pos: notation.Pos(r.Pos), Body: b.choice(r.Body)})
	}
	b.ds.Sort()
	return b.g, b.ds
}

type builder struct {
	g     *syntax.Grammar
	ds    grammar.Diagnostics
	rules []*rule
	names map[string]bool // of all rules; complete before the first body is built
}

func (b *builder) collect(r *rule) { b.rules = append(b.rules, r) }

// words returns a name with single blanks between its words.
func words(name string) string { return strings.Join(strings.Fields(name), " ") }

// comments reports a comment that is never closed.
func (b *builder) comments(toks []notation.Token) {
	var open []notation.Token
	for _, t := range toks {
		switch t.Kind {
		case "CommentStart":
			open = append(open, t)
		case "CommentEnd":
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		b.ds = append(b.ds, notation.Errorf(open[0].Pos, "write *) for every (*; comments nest", "the comment is never closed"))
	}
}

func (b *builder) choice(c *choice) *syntax.Expr {
	alts := make([]*syntax.Expr, len(c.Alts))
	for i, s := range c.Alts {
		var items []*syntax.Expr
		for _, t := range s.Terms {
			items = append(items, b.term(t)...)
		}
		alts[i] = syntax.NewSeq(notation.Pos(s.Pos), items...)
	}
	return syntax.NewChoice(notation.Pos(c.Pos), alts...)
}

// term returns the elements of a term. Names without commas between them are several elements.
func (b *builder) term(t *term) []*syntax.Expr {
	pos := notation.Pos(t.Pos)
	items := b.factor(t.Factor)
	if !t.Minus {
		return items
	}
	last := items[len(items)-1]
	switch {
	case t.Except != nil:
		last = syntax.NewDiff(pos, last, syntax.NewSeq(notation.Pos(t.Except.Pos), b.factor(t.Except)...))
	case last.Op == grammar.Rep && last.Min == 0 && last.Max < 0: // { x }-
		last.Min = 1
	default:
		last = syntax.NewDiff(pos, last, syntax.NewSeq(pos))
	}
	return append(items[:len(items)-1:len(items)-1], last)
}

// anyCharacter matches the special sequence with a known meaning.
var anyCharacter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\?\s*any\s+(utf-?8\s+|unicode\s+)?character\s*\?$`)
})

// maxTimes is the largest allowed number of repetitions.
const maxTimes = 1 << 20

func (b *builder) factor(f *factor) []*syntax.Expr {
	pos := notation.Pos(f.Pos)
	items := b.primary(f)
	if f.Times == "" {
		return items
	}
	n, err := strconv.Atoi(f.Times)
	if err != nil || n > maxTimes {
		b.ds = append(b.ds, notation.Errorf(f.Pos, fmt.Sprintf("write at most %d", maxTimes), "%s times is too often", f.Times))
		return items
	}
	items[0] = syntax.NewRep(pos, items[0], n, n)
	return items
}

func (b *builder) primary(f *factor) []*syntax.Expr {
	pos := notation.Pos(f.Pos)
	switch {
	case f.Group != nil:
		return []*syntax.Expr{b.choice(f.Group)}
	case f.Optional != nil:
		return []*syntax.Expr{syntax.NewRep(pos, b.choice(f.Optional), 0, 1)}
	case f.Repeated != nil:
		return []*syntax.Expr{syntax.NewRep(pos, b.choice(f.Repeated), 0, grammar.Unbounded)}
	case f.Special != "" && anyCharacter().MatchString(f.Special):
		b.g.Ignored = append(b.g.Ignored, grammar.Diagnostic{Severity: grammar.Note, Pos: pos, Code: "prose",
			Message: f.Special + " is read as the class of all characters"})
		return []*syntax.Expr{syntax.NewClass(pos, true)}
	case f.Special != "":
		e, d := notation.Prose(pos, "? "+strings.Trim(f.Special, "?")+" ?")
		b.ds = append(b.ds, d)
		return []*syntax.Expr{e}
	case f.Literal != "":
		runes := []rune(f.Literal)
		return []*syntax.Expr{syntax.NewLit(pos, string(runes[1:len(runes)-1]))}
	}
	return b.refs(f)
}

// refs reads adjacent words. They are one name with spaces if there is such a rule, and otherwise
// the names of several rules without commas.
func (b *builder) refs(f *factor) (out []*syntax.Expr) {
	pos := notation.Pos(f.Pos)
	all := strings.Fields(f.Name)
	if len(all) == 1 || b.names[words(f.Name)] {
		return []*syntax.Expr{syntax.NewRef(pos, words(f.Name))}
	}
	for rest := all; len(rest) > 0; {
		n := len(rest)
		for n > 0 && !b.names[strings.Join(rest[:n], " ")] {
			n--
		}
		if n == 0 { // not a series of rules: one undefined name
			return []*syntax.Expr{syntax.NewRef(pos, words(f.Name))}
		}
		out = append(out, syntax.NewRef(pos, strings.Join(rest[:n], " ")))
		rest = rest[n:]
	}
	b.ds = append(b.ds, grammar.Diagnostic{Severity: grammar.Warning, Pos: pos, Code: "no-comma",
		Message: fmt.Sprintf("rule %q is not defined, so this is read as %d rules in a row", words(f.Name), len(out)),
		Hint:    "write a comma between them"})
	return out
}
