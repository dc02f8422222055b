package treesitter

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/jsonvalue"
	"github.com/gramfuzz/gramfuzz/load/internal/regexps"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// maxNesting is the maximum nesting of values in a file. Each node of a rule takes two levels.
const maxNesting = 1000

// Parse reads a grammar.json. name is the file's name in positions. Invalid JSON ends the reading.
// All other mistakes are reported. Parse takes time linear in the file.
func Parse(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	b := &builder{
		dialect: regexps.OldTreeSitter,
		s:       jsonvalue.New(name, src, maxNesting), rules: make(map[string]jsonvalue.Value), kinds: make(map[string]*token), byName: make(map[string]*token),
		g: &syntax.Grammar{Name: name, Notation: "tree-sitter", LenientUndefined: true, ContextLexing: true},
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

type builder struct {
	s        *jsonvalue.Scanner
	dialect  regexps.Dialect
	g        *syntax.Grammar
	ds       grammar.Diagnostics
	rules    map[string]jsonvalue.Value // bodies by name
	names    []jsonvalue.Value          // of rules, in the order of the file
	rule     string                     // the current rule
	kinds    map[string]*token          // by source
	byName   map[string]*token
	tokens   []*token // in the order of creation
	literals []string
	levels   map[level]int // numbers of the entries of precedence lists
	count    [noteKinds]int
	first    [noteKinds]int // offset of the first feature of each kind
}

// noteKind is a kind of feature that context-free grammars lack.
type noteKind uint8

const (
	noteConflict noteKind = iota
	noteReserved
	noteEnd
	noteKinds
)

var noteNames = [noteKinds]string{"conflicts", "sets of reserved words", "strings that are the end of the text"}

func (b *builder) report(s grammar.Severity, at int, code, do, what string, args ...any) {
	b.ds = append(b.ds, grammar.Diagnostic{Severity: s, Pos: b.s.Pos(at), Code: code, Message: fmt.Sprintf(what, args...), Hint: do})
}

func (b *builder) fail(at int, do, what string, args ...any) {
	b.report(grammar.Error, at, "syntax", do, what, args...)
}

func (b *builder) note(k noteKind, at int) {
	if b.count[k] == 0 {
		b.first[k] = at
	}
	b.count[k]++
}

// get returns a member of an object and whether it exists.
func get(v jsonvalue.Value, key string) (jsonvalue.Value, bool) {
	for i := 0; i+1 < len(v.Items); i += 2 {
		if v.Items[i].Text == key {
			return v.Items[i+1], true
		}
	}
	return jsonvalue.Value{At: v.At}, false
}

// member is get for a member that is required and of kind k.
func (b *builder) member(v jsonvalue.Value, key string, k jsonvalue.Kind) (jsonvalue.Value, bool) {
	m, ok := get(v, key)
	switch {
	case !ok:
		b.fail(v.At, fmt.Sprintf("write %q: …", key), "%s has no %q", describe(v), key)
	case m.Kind != k:
		b.fail(m.At, fmt.Sprintf("write %v", k), "%q is %v, not %v", key, m.Kind, k)
	default:
		return m, true
	}
	return m, false
}

// describe returns the type of a node, or the kind of another value.
func describe(v jsonvalue.Value) string {
	if t, ok := get(v, "type"); v.Kind == jsonvalue.Object && ok {
		return t.Text
	}
	return v.Kind.String()
}

// list returns the elements of an optional list.
func (b *builder) list(v jsonvalue.Value, key string) []jsonvalue.Value {
	m, ok := get(v, key)
	if !ok {
		return nil
	}
	if m.Kind != jsonvalue.List {
		b.fail(m.At, "write a list: [ … ]", "%q is %v, not a list", key, m.Kind)
		return nil
	}
	return m.Items
}

// file reads the outermost value.
func (b *builder) file(v jsonvalue.Value) {
	if v.Kind != jsonvalue.Object {
		b.fail(v.At, `write {"name": …, "rules": {…}}`, "a grammar is an object, not %s", v.Kind)
		return
	}
	rules, ok := b.member(v, "rules", jsonvalue.Object)
	if !ok {
		return
	}
	if name, ok := get(v, "name"); ok && name.Kind == jsonvalue.Text {
		b.g.Name = name.Text
	}
	for i := 0; i+1 < len(rules.Items); i += 2 {
		key := rules.Items[i]
		if _, twice := b.rules[key.Text]; twice || key.Text == "" {
			b.fail(key.At, "rename it", "the name %q is taken or empty", key.Text)
			continue
		}
		b.rules[key.Text] = rules.Items[i+1]
		b.names = append(b.names, key)
	}
	if len(b.names) == 0 {
		b.fail(rules.At, `write "rules": {"start": {…}}`, "this file has no rules")
		return
	}
	b.g.Entry = b.names[0].Text
	if _, ok := get(v, "$schema"); ok {
		b.dialect = regexps.TreeSitter
	}
	b.levelsOf(b.list(v, "precedences"))
	for _, name := range b.names { // first all tokens, so that they are known by name
		if t := b.tokenOf(b.rules[name.Text], name.Text); t != nil && t.name == "" {
			t.name, t.own, b.byName[name.Text] = name.Text, true, t
		}
	}
	for _, name := range b.names {
		b.addRule(name)
	}
	b.extras(b.list(v, "extras"))
	b.word(v)
	b.others(v)
	b.externals(b.list(v, "externals"))
	b.finish()
}

// addRule reads a rule of the syntax, or another name of a token.
func (b *builder) addRule(name jsonvalue.Value) {
	b.rule = name.Text
	body := b.rules[name.Text]
	if t := b.tokenOf(body, ""); t != nil && t.own && t.name == name.Text {
		return
	}
	if e := b.expr(body); e != nil {
		if n, ok := b.levels[level{true, name.Text}]; ok {
			annotate(e, grammar.Annotation{Name: "prec", Args: []string{strconv.Itoa(n)}, Pos: b.s.Pos(name.At)}, false)
		}
		b.g.Rules = append(b.g.Rules, &syntax.Rule{Name: name.Text, Pos: b.s.Pos(name.At), Body: e})
	}
}

// others reads members that do not affect the language or cannot be kept.
func (b *builder) others(v jsonvalue.Value) {
	for _, key := range []string{"inline", "supertypes"} {
		for _, n := range b.list(v, key) {
			b.known(n, key)
		}
	}
	for _, c := range b.list(v, "conflicts") {
		b.note(noteConflict, c.At)
		for _, n := range c.Items {
			b.known(n, "conflicts")
		}
	}
	if r, ok := get(v, "reserved"); ok {
		for i := 0; i+1 < len(r.Items); i += 2 {
			b.note(noteReserved, r.Items[i].At)
		}
	}
	parts, at := "", 0
	for k, n := range b.count {
		if n == 0 {
			continue
		}
		if parts != "" {
			parts += ", "
		} else {
			at = b.first[k]
		}
		parts += fmt.Sprintf("%s (%d, first at %d:%d)", noteNames[k], n, b.s.Pos(b.first[k]).Line, b.s.Pos(b.first[k]).Col)
	}
	if parts != "" {
		b.g.Ignored = append(b.g.Ignored, grammar.Diagnostic{Severity: grammar.Note, Pos: b.s.Pos(at), Code: "ignored",
			Message: "not kept: " + parts, Hint: "conflicts only help tree-sitter to choose among trees; a keyword is never a name here"})
	}
}

// known reports a name without a rule.
func (b *builder) known(n jsonvalue.Value, where string) {
	if _, ok := b.rules[n.Text]; !ok || n.Kind != jsonvalue.Text {
		b.report(grammar.Warning, n.At, "unknown-name", "remove it", "%q is not a rule, but stands in %q", n.Text, where)
	}
}
