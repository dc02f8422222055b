package bnf

import (
	"regexp"
	"strings"
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Parse reads a BNF file into a raw rule graph. name is the file's name in positions.
// Every malformed rule is reported; the graph has the others. The first rule is the
// start. Parse takes time linear in the file.
func Parse(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics) {
	b := &builder{g: &syntax.Grammar{Name: name, Notation: "bnf", LenientUndefined: true}, defined: make(map[string]bool), told: make(map[string]bool)}
	toks, ds := reader.Tokens(name, comment().ReplaceAll(src, nil))
	if len(toks) == 0 { // the file is not text
		return b.g, ds
	}
	toks = wholeSymbols(toks)
	starts := b.starts(toks)
	b.signs(toks)
	head, rules := notation.Split(toks, starts)
	b.ds = append(b.ds, ds...)
	b.ds = append(b.ds, reader.Rules(name, head, rules, b.rule)...)
	b.ds.Sort()
	return b.g, b.ds
}

// comment matches a line that is a comment. Elsewhere # and // are symbols.
var comment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[ \t]*(?:#|//).*$`) })

type builder struct {
	g       *syntax.Grammar
	ds      grammar.Diagnostics
	defined map[string]bool
	told    map[string]bool // warnings given: one of each kind per file
}

// wholeSymbols joins a < that does not begin a name to the adjacent symbol, as in <= and <<.
func wholeSymbols(toks []notation.Token) []notation.Token {
	var out []notation.Token
	for _, t := range toks {
		if n := len(out) - 1; t.Kind == "Symbol" && n >= 0 && out[n].Kind == "Symbol" &&
			out[n].Pos.Offset+len(out[n].Value) == t.Pos.Offset {
			out[n].Value += t.Value
			continue
		}
		out = append(out, t)
	}
	return out
}

// starts returns the beginnings of rules: the names before ::=. A ::= without a name also begins a
// (broken) rule, so that it does not spoil the rule before it.
func (b *builder) starts(toks []notation.Token) (starts []int) {
	last := -1 // the previous token that is not layout
	for i, t := range toks {
		if reader.Elide[t.Kind] {
			continue
		}
		if t.Kind == "Define" {
			switch {
			case last >= 0 && toks[last].Kind == "Name":
				b.defined[plain(toks[last].Value)] = true
				starts = append(starts, last)
			case last >= 0 && toks[last].Kind == "Symbol" && (len(starts) == 0 || last > starts[len(starts)-1]):
				starts = append(starts, last)
			default:
				starts = append(starts, i)
			}
		}
		last = i
	}
	return starts
}

// signs warns about an operator of EBNF directly after an element, and about a sign at the end of
// all rules. Both are symbols here.
func (b *builder) signs(toks []notation.Token) {
	ends, defines := 0, 0
	var last, end notation.Token
	for i, t := range toks {
		if reader.Elide[t.Kind] {
			continue
		}
		switch {
		case t.Kind == "Define":
			defines++
			if end.Value == ";" || end.Value == "." {
				ends++
			}
		case t.EOF():
			if last.Value == ";" || last.Value == "." {
				ends++
			}
			if ends == defines && defines > 1 {
				b.warn(last, "rule-end", "every rule ends with "+last.Value+", which stands for itself in BNF", "remove it where it is not a part of the texts")
			}
		case t.Kind == "Symbol" && strings.IndexByte("*+?", t.Value[0]) >= 0 && i > 0 && (toks[i-1].Kind == "Name" || toks[i-1].Kind == "Literal"):
			b.warn(t, "sign", t.Value+" stands for itself in BNF: it repeats nothing", "leave a blank before it if that is meant, or choose another notation with --format")
		}
		last, end = t, last
	}
}

func (b *builder) warn(t notation.Token, code, what, do string) {
	if !b.told[code] {
		b.told[code] = true
		b.ds = append(b.ds, grammar.Diagnostic{Severity: grammar.Warning, Pos: notation.Pos(t.Pos), Code: code, Message: what, Hint: do})
	}
}

// plain removes the angle brackets around a name.
func plain(name string) string {
	return strings.Join(strings.Fields(name[1:len(name)-1]), " ")
}

func (b *builder) rule(r *rule) {
	body := notation.Choice(r.Body.Pos, r.Body.Alts, func(s *sequence) *syntax.Expr {
		return notation.Seq(s.Pos, s.Items, b.item)
	})
	b.g.Rules = append(b.g.Rules, &syntax.Rule{Name: plain(r.Name), Pos: notation.Pos(r.Pos), Body: body})
}

func (b *builder) item(it *item) *syntax.Expr {
	pos := notation.Pos(it.Pos)
	switch {
	case it.Name != "" && (b.defined[plain(it.Name)] || plain(it.Name) != "empty"):
		return syntax.NewRef(pos, plain(it.Name))
	case it.Name != "", it.Symbol == "ε":
		return syntax.NewSeq(pos)
	case it.Symbol != "":
		return syntax.NewLit(pos, it.Symbol)
	}
	return syntax.NewLit(pos, it.Literal[1:len(it.Literal)-1])
}
