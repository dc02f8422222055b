package treesitter

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/jsonvalue"
	"github.com/gramfuzz/gramfuzz/load/internal/regexps"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// token is a terminal that is not a plain string.
type token struct {
	name string
	own  bool // a rule of the file has this name
	at   int

	first int // offset of its first use, which decides between equal matches
	body  *syntax.Expr

	immediate bool
	prec      int
	rank      int // order of tokens: strings before patterns, immediate tokens before others
	layout    bool
	word      bool
	taken     bool // some rule uses it
}

// stripped returns v without wrappers that only the parser uses: precedences, fields, aliases.
func stripped(v jsonvalue.Value) jsonvalue.Value {
	for {
		switch t := describe(v); {
		case strings.HasPrefix(t, "PREC"), t == "FIELD", t == "ALIAS", t == "RESERVED":
			inner, ok := get(v, "content")
			if !ok {
				return v
			}
			v = inner
		default:
			return v
		}
	}
}

// tokenOf returns the token of v, or nil if v is not a token. All tokens with the same source are
// one token. name is the name of a new token. If it is "", the token gets a name when it is used.
func (b *builder) tokenOf(v jsonvalue.Value, name string) *token {
	v = stripped(v)
	kind := describe(v)
	switch kind {
	case "STRING":
		if name == "" {
			return b.kinds[canonical(v)]
		}
	case "PATTERN", "TOKEN", "IMMEDIATE_TOKEN":
	default:
		return nil
	}
	key := canonical(v)
	if t := b.kinds[key]; t != nil {
		t.first = min(t.first, v.At)
		return t
	}
	t := &token{at: v.At, first: v.At, immediate: kind == "IMMEDIATE_TOKEN"}
	inner := v
	if kind == "TOKEN" || kind == "IMMEDIATE_TOKEN" {
		var ok bool
		inner, ok = b.member(v, "content", jsonvalue.Object)
		if !ok {
			return nil
		}
	}
	for describe(inner) != "STRING" && stepsInto(describe(inner)) {
		if n, ok := get(inner, "value"); ok && strings.HasPrefix(describe(inner), "PREC") && n.Kind == jsonvalue.Other {
			var err error
			if t.prec, err = strconv.Atoi(n.Text); err != nil {
				b.fail(n.At, "write a whole number", "%s is not a precedence", b.s.Source(n))
			}
		}
		next, ok := get(inner, "content")
		if !ok {
			break
		}
		inner = next
	}
	if describe(inner) == "STRING" {
		t.rank = 2
	}
	if t.immediate {
		t.rank++
	}
	before := b.rule
	b.rule = cmp.Or(name, b.rule)
	t.body = b.lexical(inner)
	b.rule = before
	if t.body == nil {
		t.body = syntax.NewClass(b.s.Pos(v.At), false) // the errors are already reported
	}
	// A token that may be empty is read as empty before the layout.
	t.immediate = t.immediate || t.body.Nullable()
	b.kinds[key] = t
	b.tokens = append(b.tokens, t)
	return t
}

func stepsInto(kind string) bool {
	return strings.HasPrefix(kind, "PREC") || kind == "TOKEN" || kind == "FIELD" || kind == "ALIAS"
}

// canonical returns a text that is equal for equal values.
func canonical(v jsonvalue.Value) string {
	var w strings.Builder
	var write func(v jsonvalue.Value)
	write = func(v jsonvalue.Value) {
		fmt.Fprintf(&w, "%d%q(", v.Kind, v.Text)
		for _, i := range v.Items {
			write(i)
		}
		w.WriteByte(')')
	}
	write(v)
	return w.String()
}

// lexical returns the expression of a part of a token, or nil if the part is malformed.
func (b *builder) lexical(v jsonvalue.Value) *syntax.Expr {
	pos := b.s.Pos(v.At)
	switch kind := describe(v); kind {
	case "STRING":
		if s, ok := b.member(v, "value", jsonvalue.Text); ok {
			if b.ends(s) {
				return nil
			}
			return syntax.NewLit(pos, s.Text)
		}
	case "PATTERN":
		return b.pattern(v)
	case "BLANK":
		return syntax.NewSeq(pos)
	case "SEQ", "CHOICE":
		return b.members(v, b.lexical)
	case "REPEAT", "REPEAT1":
		if e := b.content(v, b.lexical); e != nil {
			return syntax.NewRep(pos, e, least(kind), grammar.Unbounded)
		}
	case "SYMBOL":
		name, ok := b.member(v, "name", jsonvalue.Text)
		if !ok {
			return nil
		}
		b.fail(v.At, "write its content in its place", "a token holds strings and patterns, but here is the rule %q", name.Text)
	default:
		if stepsInto(kind) || kind == "IMMEDIATE_TOKEN" || kind == "RESERVED" {
			return b.content(v, b.lexical)
		}
		b.unknown(v)
	}
	return nil
}

func least(kind string) int {
	if kind == "REPEAT1" {
		return 1
	}
	return 0
}

func (b *builder) unknown(v jsonvalue.Value) {
	if v.Kind == jsonvalue.Object {
		if t, ok := get(v, "type"); ok {
			b.fail(t.At, "check the version of tree-sitter that wrote the file", "the kind of rule %q is not known", t.Text)
			return
		}
	}
	b.fail(v.At, `write {"type": …}`, "this is not a rule but %s", v.Kind)
}

// pattern reads a regular expression.
func (b *builder) pattern(v jsonvalue.Value) *syntax.Expr {
	src, ok := b.member(v, "value", jsonvalue.Text)
	if !ok {
		return nil
	}
	letters, _ := get(v, "flags")
	e, problems := regexps.Parse(b.s.Pos(src.At), src.Text, letters.Text, b.dialect)
	for _, p := range problems {
		at := src.At
		if b.s.Plain(src) {
			at += 1 + len(string([]rune(src.Text)[:p.Offset]))
		}
		b.report(p.Severity, at, "pattern", p.Do, "in the pattern /%s/: %s", src.Text, p.What)
	}
	return e
}

var wordlike = regexp.MustCompile(`^[\pL\pN_$#@.-]*[\pL\pN_$]$`)

// word removes the keywords from the token that the file calls its word.
func (b *builder) word(v jsonvalue.Value) {
	name, ok := get(v, "word")
	if !ok || name.Text == "<nil>" {
		return
	}
	t := b.byName[name.Text]
	if t == nil {
		b.fail(name.At, "name a rule that is a token", "the word %q is not a token", name.Text)
		return
	}
	t.word = true
	var keywords []*syntax.Expr
	seen := make(map[string]bool)
	add := func(text string) {
		if wordlike.MatchString(text) && !seen[text] {
			seen[text] = true
			keywords = append(keywords, syntax.NewLit(t.body.Pos, text))
		}
	}
	for _, text := range b.literals {
		add(text)
	}
	for _, o := range b.tokens {
		switch {
		case o == t:
		case o.body.Op == grammar.Lit:
			add(o.body.Text)
		case lettersAlone(o.body):
			keywords = append(keywords, o.body.Clone())
		}
	}
	if keywords != nil {
		t.body = syntax.NewDiff(t.body.Pos, t.body, syntax.NewChoice(t.body.Pos, keywords...))
	}
}

// lettersAlone reports whether a token has finitely many texts, all of letters. Such a token is a
// keyword: /[iI][fF]/ is one like "if".
func lettersAlone(e *syntax.Expr) bool {
	ok := true
	letter := func(r rune) bool { return r == '_' || unicode.IsLetter(r) }
	e.Walk(func(e *syntax.Expr) {
		switch e.Op {
		case grammar.Lit:
			ok = ok && !strings.ContainsFunc(e.Text, func(r rune) bool { return !letter(r) })
		case grammar.Class:
			ok = ok && !e.Negated && !slices.ContainsFunc(e.Ranges, func(r grammar.Range) bool { return r.Hi-r.Lo > 'z'-'a' || !letter(r.Lo) || !letter(r.Hi) })
		case grammar.Rep:
			ok = ok && e.Max >= 0
		case grammar.Diff:
			ok = false
		}
	})
	return ok
}

// extras turns the file's extras into layout.
func (b *builder) extras(list []jsonvalue.Value) {
	b.rule = "extra"
	for _, v := range list {
		name, symbol := get(v, "name")
		var t *token
		switch {
		case symbol:
			t = b.byName[name.Text]
			if t == nil {
				if _, ok := b.rules[name.Text]; ok {
					b.report(grammar.Note, v.At, "extra", "", "the extra %q is not a token, so it is not put between tokens", name.Text)
				}
				continue // the extra is not a token: a rule or an external
			}
		case describe(v) == "STRING":
			text, _ := b.member(v, "value", jsonvalue.Text)
			t = &token{name: fmt.Sprintf("%q", text.Text), at: v.At, first: v.At, body: syntax.NewLit(b.s.Pos(v.At), text.Text), rank: 2}
			b.tokens = append(b.tokens, t)
		default:
			t = b.tokenOf(v, "")
			if t == nil {
				b.unknown(v)
				continue
			}
			b.named(t)
		}
		if t.taken { // also used by rules, so layout needs its own token
			twin := *t
			twin.name, twin.own = "extra "+t.name, false
			t = &twin
			t.body = t.body.Clone()
			b.tokens = append(b.tokens, t)
		}
		t.layout = true
	}
}

// named gives an unnamed token a name.
func (b *builder) named(t *token) string {
	for i := 1; t.name == ""; i++ {
		name := fmt.Sprintf("%s.%d", b.rule, i)
		if _, taken := b.rules[name]; !taken && b.byName[name] == nil {
			t.name, b.byName[name] = name, t
		}
	}
	return t.name
}

// finish adds the rules of tokens: strings before patterns, otherwise in the order of their first
// uses, and layout last.
func (b *builder) finish() {
	order := slices.Clone(b.tokens)
	slices.SortStableFunc(order, func(x, y *token) int {
		if x.layout != y.layout {
			if x.layout {
				return 1
			}
			return -1
		}
		return cmp.Or(y.rank-x.rank, x.first-y.first)
	})
	for _, t := range order {
		if t.name == "" {
			continue // unused
		}
		r := &syntax.Rule{Name: t.name, Pos: b.s.Pos(t.at), Kind: grammar.Token, Body: t.body, Glued: t.immediate, Priority: t.prec, Word: t.word}
		if t.layout {
			r.Kind = grammar.Skip
		}
		b.g.Rules = append(b.g.Rules, r)
	}
}
