package gbnf

import (
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Parse reads a GBNF file into a raw rule graph. name is the file's name in positions. Every
// malformed rule is reported; the graph has the others. The rule root, if it exists, comes first
// and so is the start. Parse takes time linear in the file.
func Parse(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics) {
	b := &builder{g: &syntax.Grammar{Name: name, Notation: "gbnf", LenientUndefined: true}}
	toks, ds := reader.Tokens(name, src)
	if len(toks) == 0 { // the file is not text
		return b.g, ds
	}
	head, rules := notation.Split(toks, ruleStarts(toks))
	ds = append(ds, reader.Rules(name, head, rules, b.rule)...)
	ds = append(ds, b.ds...)
	b.rootFirst()
	ds.Sort()
	return b.g, ds
}

// rootFirst moves the rule root to the front. Without such a rule it adds a note.
func (b *builder) rootFirst() {
	for i, r := range b.g.Rules {
		if r.Name == "root" {
			copy(b.g.Rules[1:i+1], b.g.Rules[:i])
			b.g.Rules[0] = r
			return
		}
	}
	if len(b.g.Rules) > 0 {
		first := b.g.Rules[0]
		b.g.Ignored = append(b.g.Ignored, grammar.Diagnostic{Severity: grammar.Note, Pos: first.Pos, Code: "no-root",
			Message: "no rule is called root, where GBNF starts; without --start it is the first rule, " + first.Name})
	}
}

// ruleStarts returns the positions of "name ::=". A ::= without a name also starts a (broken)
// rule, so that it does not spoil the rule before it.
func ruleStarts(toks []notation.Token) (starts []int) {
	last := -1 // the previous token that is not layout
	for i, t := range toks {
		if reader.Elide[t.Kind] {
			continue
		}
		if t.Kind == "Define" {
			if last >= 0 && toks[last].Kind == "Name" {
				starts = append(starts, last)
			} else {
				starts = append(starts, i)
			}
		}
		last = i
	}
	return starts
}

type builder struct {
	g  *syntax.Grammar
	ds grammar.Diagnostics
}

func (b *builder) rule(r *rule) {
	b.g.Rules = append(b.g.Rules, &syntax.Rule{Name: r.Name, Pos: notation.Pos(r.Pos), Body: b.choice(r.Body)})
}

func (b *builder) choice(c *choice) *syntax.Expr {
	return notation.Choice(c.Pos, c.Alts, func(s *sequence) *syntax.Expr {
		return notation.Seq(s.Pos, s.Items, b.item)
	})
}

func (b *builder) item(it *item) *syntax.Expr {
	pos := notation.Pos(it.Pos)
	var e *syntax.Expr
	switch {
	case it.Group != nil:
		e = b.choice(it.Group)
	case it.Name != "":
		e = syntax.NewRef(pos, it.Name)
	case it.Any:
		e = syntax.NewClass(pos, true)
	case it.Class != "":
		e = b.class(it)
	case it.Model != "":
		e = b.model(it)
	default:
		e = syntax.NewLit(pos, string(b.unescape(it, it.Literal[1:len(it.Literal)-1])))
	}
	if len(it.Suffixes) > notation.MaxNesting {
		b.ds = append(b.ds, notation.Errorf(it.Pos, "write one", "%d repetitions stand in a row", len(it.Suffixes)))
		return e
	}
	for _, s := range it.Suffixes {
		min, max := b.bounds(s)
		e = syntax.NewRep(pos, e, min, max)
	}
	return e
}

// maxBound is the largest allowed bound of a repetition.
const maxBound = 1 << 20

func (b *builder) bounds(s *suffix) (min, max int) {
	switch s.Text {
	case "*":
		return 0, grammar.Unbounded
	case "+":
		return 1, grammar.Unbounded
	case "?":
		return 0, 1
	}
	lo, hi, comma := strings.Cut(strings.Trim(s.Text, "{}"), ",")
	lo, hi = strings.TrimSpace(lo), strings.TrimSpace(hi)
	min, errMin := bound(lo, 0)
	max, errMax := bound(hi, grammar.Unbounded)
	if !comma {
		max = min
	}
	switch {
	case lo == "" && (!comma || hi == ""):
		b.fail(s, "write {n}, {n,}, {,n} or {n,m}", "%s says no number", s.Text)
	case errMin != nil || errMax != nil || min > maxBound || max > maxBound:
		b.fail(s, "write at most "+strconv.Itoa(maxBound), "a bound of %s is too large", s.Text)
	case max >= 0 && min > max:
		b.fail(s, "write the smaller number first", "the bounds %s are the wrong way round", s.Text)
	default:
		return min, max
	}
	return 0, 1
}

func bound(text string, missing int) (int, error) {
	if text == "" {
		return missing, nil
	}
	return strconv.Atoi(text)
}

func (b *builder) fail(s *suffix, do, what string, args ...any) {
	b.ds = append(b.ds, notation.Errorf(s.Pos, do, what, args...))
}

// model reads <name>, a token of the model's vocabulary, as its text.
func (b *builder) model(it *item) *syntax.Expr {
	pos := notation.Pos(it.Pos)
	if strings.HasPrefix(it.Model, "!") {
		b.ds = append(b.ds, notation.Errorf(it.Pos, "write the characters that may stand here",
			"%s excludes a token of a model's vocabulary, which has no meaning in text", it.Model))
		return syntax.NewSeq(pos)
	}
	b.g.Ignored = append(b.g.Ignored, grammar.Diagnostic{Severity: grammar.Note, Pos: pos, Code: "model-token",
		Message: "the model's token " + it.Model + " is read as its text"})
	return syntax.NewLit(pos, it.Model)
}
