package jsong

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Parse reads a grammar in JSON into a raw rule graph: name is the file's name
// for positions. What is not JSON ends the reading; apart from that, every rule
// that is malformed is reported. It costs time linear in the file.
func Parse(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	b := &builder{
		s: newScanner(name, src), names: make(map[string]string), keys: make(map[string]int),
		g: &syntax.Grammar{Name: name, Notation: "jsong", LenientUndefined: true},
	}
	if i := badUTF8(src); i >= 0 {
		b.fail(i, "save the file as UTF-8", "byte 0x%02x is not UTF-8", src[i])
		return b.g, b.ds
	}
	v, p := b.s.whole()
	if p != nil {
		b.fail(p.at, p.do, "%s", p.what)
		return b.g, b.ds
	}
	b.file(v)
	b.ds.Sort()
	return b.g, b.ds
}

func badUTF8(src []byte) int {
	if utf8.Valid(src) {
		return -1
	}
	i := 0
	for {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
}

type builder struct {
	s     *scanner
	g     *syntax.Grammar
	ds    grammar.Diagnostics
	names map[string]string // from key to rule name
	keys  map[string]int    // offset of a key
}

func (b *builder) fail(at int, do, what string, args ...any) {
	b.ds = append(b.ds, grammar.Diagnostic{Severity: grammar.Error, Pos: b.s.pos(at), Code: "syntax",
		Message: fmt.Sprintf(what, args...), Hint: do})
}

func (b *builder) note(at int, code, what string) {
	b.g.Ignored = append(b.g.Ignored, grammar.Diagnostic{Severity: grammar.Note, Pos: b.s.pos(at), Code: code, Message: what})
}

// file reads the outermost value: the rules, or the wrapper around them.
func (b *builder) file(v value) {
	if v.kind != object {
		b.fail(v.at, `write {"<start>": ["x"]}`, "a grammar is an object of rules, not %s", v.kind)
		return
	}
	start, rules, wrapped := value{text: "<start>"}, v, false
	for i := 0; i+1 < len(v.items); i += 2 {
		switch key, val := v.items[i], v.items[i+1]; key.text {
		case "[start]":
			if start = val; val.kind != text {
				b.fail(val.at, `write the start rule's name: "<start>"`, "[start] is not a name but %s", val.kind)
			}
		case "[grammar]":
			rules, wrapped = val, true
			if val.kind != object {
				b.fail(val.at, `write {"<start>": ["x"]}`, "[grammar] is an object of rules, not %s", val.kind)
				return
			}
		}
	}
	if wrapped {
		for i := 0; i+1 < len(v.items); i += 2 {
			if k := v.items[i]; k.text != "[start]" && k.text != "[grammar]" {
				b.note(k.at, "wrapper", fmt.Sprintf("%q beside the grammar is not used", k.text))
			}
		}
	}
	b.rules(rules, wrapped)
	b.startAt(start)
}

// startAt moves the start rule to the front.
func (b *builder) startAt(start value) {
	name, ok := b.names[start.text]
	if !ok {
		if start.text != "<start>" && start.kind == text {
			b.fail(start.at, "name a rule of the grammar", "the start rule %s is not defined", start.text)
		}
		return
	}
	for i, r := range b.g.Rules {
		if r.Name == name {
			copy(b.g.Rules[1:i+1], b.g.Rules[:i])
			b.g.Rules[0] = r
			return
		}
	}
}

func (b *builder) rules(v value, wrapped bool) {
	if len(v.items) == 0 {
		b.fail(v.at, `write {"<start>": ["x"]}`, "there is no rule in this file")
	}
	var defined []int
	for i := 0; i+1 < len(v.items); i += 2 {
		key := v.items[i]
		switch first, twice := b.keys[key.text]; {
		case !wrapped && key.text == "[start]":
		case key.text == "":
			b.fail(key.at, `write a name, as in "<start>"`, "a rule has no name")
		case twice:
			b.fail(key.at, "put all alternatives into one list, or rename one", "rule %q is defined twice (first at %v)", key.text, b.s.pos(first))
		default:
			b.keys[key.text] = key.at
			defined = append(defined, i)
		}
	}
	for key := range b.keys { // <x> is called x unless there is an x too
		bare := strings.TrimSuffix(strings.TrimPrefix(key, "<"), ">")
		if _, clash := b.keys[bare]; bare == "" || clash || len(key) != len(bare)+2 {
			bare = key
		}
		b.names[key] = bare
	}
	for _, i := range defined {
		b.rule(v.items[i], v.items[i+1])
	}
}

func (b *builder) rule(key, v value) {
	if v.kind != list {
		b.fail(v.at, `write a list: ["x", "y"]`, "the alternatives of %s are not a list but %s", key.text, v.kind)
		return
	}
	if len(v.items) == 0 {
		b.fail(v.at, `write at least one; [""] is the empty text`, "%s has no alternatives", key.text)
		return
	}
	var alts []*syntax.Expr
	probs := make([]float64, len(v.items))
	weighed := false
	for i, a := range v.items {
		tokens, opts := paired(a)
		probs[i] = -1
		if opts != nil {
			if p, ok := b.options(*opts); ok {
				probs[i], weighed = p, true
			}
		}
		if e := b.alternative(tokens); e != nil {
			alts = append(alts, e)
		}
	}
	body := syntax.NewChoice(b.s.pos(v.at), alts...)
	if weighed && len(alts) == len(probs) && len(alts) > 1 {
		body.Weights = b.weights(v, probs)
	}
	b.g.Rules = append(b.g.Rules, &syntax.Rule{Name: b.names[key.text], Pos: b.s.pos(key.at), Body: body})
}

// paired splits an alternative into what it says and its options.
func paired(a value) (tokens value, opts *value) {
	if a.kind == list && len(a.items) == 2 && a.items[1].kind == object {
		return a.items[0], &a.items[1]
	}
	return a, nil
}

func (b *builder) alternative(v value) *syntax.Expr {
	pos := b.s.pos(v.at)
	switch v.kind {
	case text:
		return syntax.NewSeq(pos, b.split(v)...)
	case list:
		var children []*syntax.Expr
		for _, t := range v.items {
			if t.kind != text {
				b.fail(t.at, "give the inner choice a rule of its own and write its name", "an alternative is a list of texts, but here is %s", t.kind)
				return nil
			}
			children = append(children, b.token(t))
		}
		return syntax.NewSeq(pos, children...)
	}
	b.fail(v.at, `write "text" or ["list", "of", "texts"]`, "an alternative is a text or a list, not %s", v.kind)
	return nil
}

// token reads a text of the list style: a reference if there is a rule of that name.
func (b *builder) token(t value) *syntax.Expr {
	pos := b.s.pos(t.at)
	if name, ok := b.names[t.text]; ok {
		return syntax.NewRef(pos, name)
	}
	if reference.FindString(t.text) == t.text && len(t.text) > 2 {
		b.ds = append(b.ds, grammar.Diagnostic{Severity: grammar.Warning, Pos: pos, Code: "looks-like-rule", Rule: t.text,
			Message: fmt.Sprintf("%q is no rule of the grammar and is read as text", t.text), Hint: "define the rule if one is meant"})
	}
	return syntax.NewLit(pos, t.text)
}

// reference is the shape of a reference in the string style.
var reference = regexp.MustCompile(`<[^<> ]+>`)

// split cuts a text of the string style into literals and references.
func (b *builder) split(v value) (children []*syntax.Expr) {
	plain := string(b.s.src[v.at:v.end]) == `"`+v.text+`"` // no escapes: offsets inside are those of the file
	at := func(i int) grammar.Pos {
		if !plain {
			i = -1
		}
		return b.s.pos(v.at + 1 + i)
	}
	from := 0
	for _, m := range reference.FindAllStringIndex(v.text, -1) {
		if m[0] > from {
			children = append(children, syntax.NewLit(at(from), v.text[from:m[0]]))
		}
		key := v.text[m[0]:m[1]]
		name, ok := b.names[key]
		if !ok {
			name = key
		}
		children = append(children, syntax.NewRef(at(m[0]), name))
		from = m[1]
	}
	if from < len(v.text) || len(children) == 0 {
		children = append(children, syntax.NewLit(at(from), v.text[from:]))
	}
	return children
}
