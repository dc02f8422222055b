package jsong

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/jsonvalue"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Parse reads a grammar in JSON into a raw rule graph. name is the file's name in positions.
// Invalid JSON ends the reading. In valid JSON every malformed rule is reported. Parse takes time
// linear in the file.
func Parse(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	b := &builder{
		s: jsonvalue.New(name, src, maxNesting), names: make(map[string]string), keys: make(map[string]int),
		g: &syntax.Grammar{Name: name, Notation: "jsong", LenientUndefined: true},
	}
	if i := jsonvalue.Bad(src); i >= 0 {
		b.fail(i, "save the file as UTF-8", "byte 0x%02x is not UTF-8", src[i])
		return b.g, b.ds
	}
	v, p := b.s.Whole()
	if p != nil {
		b.fail(p.At, p.Do, "%s", p.What)
		return b.g, b.ds
	}
	b.file(v)
	b.ds.Sort()
	return b.g, b.ds
}

// maxNesting bounds the nesting of values in a file. Grammars need five levels.
const maxNesting = 100

type builder struct {
	s     *jsonvalue.Scanner
	g     *syntax.Grammar
	ds    grammar.Diagnostics
	names map[string]string // rule names by key
	keys  map[string]int    // offsets of keys
}

func (b *builder) fail(at int, do, what string, args ...any) {
	b.ds = append(b.ds, grammar.Diagnostic{Severity: grammar.Error, Pos: b.s.Pos(at), Code: "syntax",
		Message: fmt.Sprintf(what, args...), Hint: do})
}

func (b *builder) note(at int, code, what string) {
	b.g.Ignored = append(b.g.Ignored, grammar.Diagnostic{Severity: grammar.Note, Pos: b.s.Pos(at), Code: code, Message: what})
}

// file reads the outermost value: the rules, or the wrapper around them.
func (b *builder) file(v jsonvalue.Value) {
	if v.Kind != jsonvalue.Object {
		b.fail(v.At, `write {"<start>": ["x"]}`, "a grammar is an object of rules, not %s", v.Kind)
		return
	}
	start, rules, wrapped := jsonvalue.Value{Text: "<start>"}, v, false
	for i := 0; i+1 < len(v.Items); i += 2 {
		switch key, val := v.Items[i], v.Items[i+1]; key.Text {
		case "[start]":
			start = val
			if val.Kind != jsonvalue.Text {
				b.fail(val.At, `write the start rule's name: "<start>"`, "[start] is not a name but %s", val.Kind)
			}
		case "[grammar]":
			rules, wrapped = val, true
			if val.Kind != jsonvalue.Object {
				b.fail(val.At, `write {"<start>": ["x"]}`, "[grammar] is an object of rules, not %s", val.Kind)
				return
			}
		}
	}
	if wrapped {
		for i := 0; i+1 < len(v.Items); i += 2 {
			if k := v.Items[i]; k.Text != "[start]" && k.Text != "[grammar]" {
				b.note(k.At, "wrapper", fmt.Sprintf("%q beside the grammar is not used", k.Text))
			}
		}
	}
	b.rules(rules, wrapped)
	b.startAt(start)
}

// startAt moves the start rule to the front.
func (b *builder) startAt(start jsonvalue.Value) {
	name, ok := b.names[start.Text]
	if !ok {
		if start.Text != "<start>" && start.Kind == jsonvalue.Text {
			b.fail(start.At, "name a rule of the grammar", "the start rule %s is not defined", start.Text)
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

func (b *builder) rules(v jsonvalue.Value, wrapped bool) {
	if len(v.Items) == 0 {
		b.fail(v.At, `write {"<start>": ["x"]}`, "this file has no rules")
	}
	var defined []int
	for i := 0; i+1 < len(v.Items); i += 2 {
		key := v.Items[i]
		switch first, twice := b.keys[key.Text]; {
		case !wrapped && key.Text == "[start]":
		case key.Text == "":
			b.fail(key.At, `write a name, as in "<start>"`, "a rule has no name")
		case twice:
			b.fail(key.At, "put all alternatives into one list, or rename one", "rule %q is defined twice (first at %v)", key.Text, b.s.Pos(first))
		default:
			b.keys[key.Text] = key.At
			defined = append(defined, i)
		}
	}
	for key := range b.keys { // <x> is called x, unless there is also a key x
		bare := strings.TrimSuffix(strings.TrimPrefix(key, "<"), ">")
		if _, clash := b.keys[bare]; bare == "" || clash || len(key) != len(bare)+2 {
			bare = key
		}
		b.names[key] = bare
	}
	for _, i := range defined {
		b.rule(v.Items[i], v.Items[i+1])
	}
}

func (b *builder) rule(key, v jsonvalue.Value) {
	if v.Kind != jsonvalue.List {
		b.fail(v.At, `write a list: ["x", "y"]`, "the alternatives of %s are not a list but %s", key.Text, v.Kind)
		return
	}
	if len(v.Items) == 0 {
		b.fail(v.At, `write at least one; [""] is the empty text`, "%s has no alternatives", key.Text)
		return
	}
	var alts []*syntax.Expr
	probs := make([]float64, len(v.Items))
	weighed := false
	for i, a := range v.Items {
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
	body := syntax.NewChoice(b.s.Pos(v.At), alts...)
	if weighed && len(alts) == len(probs) && len(alts) > 1 {
		body.Weights = b.weights(v, probs)
	}
	b.g.Rules = append(b.g.Rules, &syntax.Rule{Name: b.names[key.Text], Pos: b.s.Pos(key.At), Body: body})
}

// paired splits an alternative into its tokens and its options, if it has any.
func paired(a jsonvalue.Value) (tokens jsonvalue.Value, opts *jsonvalue.Value) {
	if a.Kind == jsonvalue.List && len(a.Items) == 2 && a.Items[1].Kind == jsonvalue.Object {
		return a.Items[0], &a.Items[1]
	}
	return a, nil
}

func (b *builder) alternative(v jsonvalue.Value) *syntax.Expr {
	pos := b.s.Pos(v.At)
	switch v.Kind {
	case jsonvalue.Text:
		return syntax.NewSeq(pos, b.split(v)...)
	case jsonvalue.List:
		var children []*syntax.Expr
		for _, t := range v.Items {
			if t.Kind != jsonvalue.Text {
				b.fail(t.At, "give the inner choice a rule of its own and write its name", "an alternative is a list of texts, but here is %s", t.Kind)
				return nil
			}
			children = append(children, b.token(t))
		}
		return syntax.NewSeq(pos, children...)
	}
	b.fail(v.At, `write "text" or ["list", "of", "texts"]`, "an alternative is a text or a list, not %s", v.Kind)
	return nil
}

// token reads a text of the list style: a reference if there is a rule of that name.
func (b *builder) token(t jsonvalue.Value) *syntax.Expr {
	pos := b.s.Pos(t.At)
	if name, ok := b.names[t.Text]; ok {
		return syntax.NewRef(pos, name)
	}
	if reference.FindString(t.Text) == t.Text && len(t.Text) > 2 {
		b.ds = append(b.ds, grammar.Diagnostic{Severity: grammar.Warning, Pos: pos, Code: "looks-like-rule", Rule: t.Text,
			Message: fmt.Sprintf("%q is not a rule of the grammar and is read as text", t.Text), Hint: "define the rule if one is meant"})
	}
	return syntax.NewLit(pos, t.Text)
}

// reference is the shape of a reference in the string style.
var reference = regexp.MustCompile(`<[^<> ]+>`)

// split cuts a text of the string style into literals and references.
func (b *builder) split(v jsonvalue.Value) (children []*syntax.Expr) {
	plain := b.s.Plain(v) // without escapes, offsets in the text match offsets in the file
	at := func(i int) grammar.Pos {
		if !plain {
			i = -1
		}
		return b.s.Pos(v.At + 1 + i)
	}
	from := 0
	for _, m := range reference.FindAllStringIndex(v.Text, -1) {
		if m[0] > from {
			children = append(children, syntax.NewLit(at(from), v.Text[from:m[0]]))
		}
		key := v.Text[m[0]:m[1]]
		name, ok := b.names[key]
		if !ok {
			name = key
		}
		children = append(children, syntax.NewRef(at(m[0]), name))
		from = m[1]
	}
	if from < len(v.Text) || len(children) == 0 {
		children = append(children, syntax.NewLit(at(from), v.Text[from:]))
	}
	return children
}
