package lark

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Bounds of the expansion of templates.
const (
	maxInstances = 10_000
	maxName      = 1 << 9  // of the name of a use with its arguments, in bytes
	maxCount     = 1 << 20 // of a repetition
)

// builder builds the rules of the main file, and all rules that they need.
type builder struct {
	l        *loader
	g        *syntax.Grammar
	scopes   map[string]*scope    // by path
	patterns map[string]*terminal // by pattern
	tokens   []*terminal
	parts    map[place]string // patterns of terminals that other terminals use
	made     map[string]bool  // names of finished rules
	todo     []func()         // bodies to be built
	priority int              // number of rules with a priority
	first    grammar.Pos
}

// env is the environment of an item: a scope for names, and the arguments of the enclosing
// template.
type env struct {
	*scope
	args map[string]arg
}

// arg is an argument of a template with its environment.
type arg struct {
	it *item
	in env
}

func isTerminal(name string) bool {
	name = strings.TrimLeft(name, "_")
	return name != "" && strings.ToUpper(name[:1]) == name[:1] && strings.ToLower(name[:1]) != name[:1]
}

// build builds the rules of the main file and all rules they need.
func (b *builder) build(s *scope) {
	for _, d := range s.unit.order {
		if !isTerminal(d.Name) && d.Params == nil {
			b.rule(s, d.Name, nil, nil)
			if d.Name == "start" || b.g.Entry == "" {
				b.g.Entry = d.Name
			}
		}
	}
	if s.from["start"] != nil && s.defs["start"] == nil {
		b.g.Entry = "start"
		b.rule(s, "start", nil, nil)
	}
	b.run()
	if len(b.g.Rules) == 0 && b.l.ds.Err() == nil {
		b.l.fail(grammar.Pos{File: b.file(s), Line: 1, Col: 1}, "write at least one, as in: "+reader.Example, "this file has no rules, only terminals")
		return
	}
	for _, c := range s.unit.ignores {
		b.ignore(s, c)
	}
	b.finish()
	b.indentation()
	if b.priority > 0 {
		b.g.Ignored = append(b.g.Ignored, grammar.Diagnostic{Severity: grammar.Note, Pos: b.first, Code: "ignored",
			Message: fmt.Sprintf("not kept: priorities of rules (%d)", b.priority), Hint: "they choose among trees; all trees count here"})
	}
	if d, ok := s.defs["start"]; b.g.Entry != "start" && !ok && len(b.g.Rules) > 0 && d == nil {
		b.g.Ignored = append(b.g.Ignored, grammar.Diagnostic{Severity: grammar.Note, Pos: b.g.Rules[0].Pos, Code: "no-start",
			Message: "no rule is called start, where Lark starts; without --start it is the first rule, " + b.g.Entry})
	}
}

// file returns the name that messages use for a scope's file.
func (b *builder) file(s *scope) string {
	for _, d := range s.unit.order {
		return d.Pos.Filename
	}
	return cmp.Or(s.unit.path, "grammar")
}

// run builds the pending bodies.
func (b *builder) run() {
	for len(b.todo) > 0 {
		next := b.todo[0]
		b.todo = b.todo[1:]
		next()
	}
}

// rule creates the rule called name in s, or the instance of a template, and returns its name in
// the grammar. An undefined rule stays undefined.
func (b *builder) rule(s *scope, name string, args []*item, in *env) string {
	at, d := s.find(name)
	global := s.global(name)
	if d == nil {
		return global
	}
	pos := notation.Pos(d.Pos)
	if len(args) != len(d.Params) {
		where := pos
		if len(args) > 0 {
			where = notation.Pos(args[0].Pos)
		}
		b.l.fail(where, fmt.Sprintf("write %d", len(d.Params)), "%q takes %d arguments, not %d", name, len(d.Params), len(args))
		return global
	}
	e := env{scope: at}
	if len(args) > 0 {
		e.args = make(map[string]arg)
		var names []string
		for i, a := range args {
			it, where := resolve(a, *in)
			e.args[d.Params[i]] = arg{it, where}
			names = append(names, b.describe(it, where))
		}
		global += "{" + strings.Join(names, ",") + "}"
	}
	switch {
	case b.made[global]:
		return global
	case len(global) > maxName, len(b.made) >= maxInstances:
		b.l.fail(pos, "write templates that come to an end", "the uses of the template %q have no end", name)
		b.todo = nil
		return global
	}
	b.made[global] = true
	r := &syntax.Rule{Name: global, Pos: pos}
	b.g.Rules = append(b.g.Rules, r)
	if d.Priority != "" {
		if b.priority == 0 {
			b.first = pos
		}
		b.priority++
	}
	b.todo = append(b.todo, func() { r.Body = b.choice(d.Body, e) })
	r.Body = syntax.NewSeq(pos)
	return global
}

// resolve replaces the name of a parameter by its argument, repeatedly.
func resolve(it *item, in env) (*item, env) {
	for {
		a, ok := in.args[it.Name]
		if it.Name == "" || !ok || it.Args != nil || it.Op != "" || it.Least != "" {
			return it, in
		}
		it, in = a.it, a.in
	}
}

// describe formats an argument. Equal arguments have equal texts.
func (b *builder) describe(it *item, in env) string {
	it, in = resolve(it, in)
	out := ""
	switch {
	case it.Name != "":
		out = in.global(it.Name)
		if it.Args != nil {
			var list []string
			for _, a := range it.Args {
				list = append(list, b.describe(a, in))
			}
			out += "{" + strings.Join(list, ",") + "}"
		}
	case it.Text != "", it.Regexp != "":
		out = it.Text + it.Regexp
		if it.To != "" {
			out += ".." + it.To
		}
	default: // a group: identified by its position
		out = fmt.Sprintf("%d:%d", it.Pos.Line, it.Pos.Column)
	}
	return out + it.Op + it.Least + it.Most
}

func (b *builder) choice(c *choice, in env) *syntax.Expr {
	e := notation.Choice(c.Pos, c.Alts, func(s *sequence) *syntax.Expr {
		return notation.Seq(s.Pos, s.Items, func(it *item) *syntax.Expr { return b.item(it, in) })
	})
	if e.Op == grammar.Choice && len(c.Alts) > 1 && slices.ContainsFunc(c.Alts, func(s *sequence) bool { return s.Alias != "" }) {
		for _, s := range c.Alts {
			e.Labels = append(e.Labels, s.Alias)
		}
	}
	return e
}

func (b *builder) item(it *item, in env) *syntax.Expr {
	pos := notation.Pos(it.Pos)
	var e *syntax.Expr
	switch {
	case it.Group != nil:
		e = b.choice(it.Group, in)
	case it.Maybe != nil:
		e = syntax.NewRep(pos, b.choice(it.Maybe, in), 0, 1)
	case it.Name == "":
		e = b.text(it, in.scope)
	default:
		if a, ok := in.args[it.Name]; ok && it.Args == nil {
			e = b.item(a.it, a.in)
		} else if isTerminal(it.Name) {
			e = b.terminal(it, in.scope)
		} else {
			e = syntax.NewRef(pos, b.rule(in.scope, it.Name, it.Args, &in))
		}
	}
	if min, max, ok := b.bounds(it); ok {
		e = syntax.NewRep(pos, e, min, max)
	}
	return e
}

// bounds returns the repetition bounds of an item.
func (b *builder) bounds(it *item) (min, max int, ok bool) {
	switch it.Op {
	case "*":
		return 0, grammar.Unbounded, true
	case "+":
		return 1, grammar.Unbounded, true
	case "?":
		return 0, 1, true
	}
	if it.Least == "" {
		return 0, 0, false
	}
	min, err := strconv.Atoi(it.Least)
	max = min
	if it.Most != "" && err == nil {
		max, err = strconv.Atoi(it.Most)
	}
	if err != nil || min < 0 || max < min || max > maxCount {
		b.l.fail(notation.Pos(it.Pos), fmt.Sprintf("write numbers from 0 to %d, the smaller first", maxCount), "the bounds ~%s..%s cannot be read", it.Least, it.Most)
		return 0, 1, true
	}
	return min, max, true
}
