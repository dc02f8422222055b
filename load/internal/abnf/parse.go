package abnf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Parse reads an ABNF file into a raw rule graph. name is the file's name in
// positions. Every malformed rule is reported; the graph has the others. The first
// rule is the start. Parse takes time linear in the file.
func Parse(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics) {
	b := read(name, src)
	b.addCore()
	b.resolveProse()
	b.ds.Sort()
	return b.g, b.ds
}

type builder struct {
	g      *syntax.Grammar
	ds     grammar.Diagnostics
	names  map[string]*syntax.Rule // by lower-case name
	octets bool                    // numeric values are bytes, not code points
	high   map[string]*syntax.Rule // helper rules for ranges of bytes above 7F
	order  []*syntax.Rule          // the rules in high, in the order of use
}

// read reads the rules of a file. It changes references to the spelling of the
// definitions, except for references to core rules and prose values.
func read(name string, src []byte) *builder {
	b := &builder{
		g:     &syntax.Grammar{Name: name, Notation: "abnf", LenientUndefined: true},
		names: make(map[string]*syntax.Rule), high: make(map[string]*syntax.Rule),
	}
	toks, ds := reader.Tokens(name, src)
	b.ds = ds
	if len(toks) == 0 { // the file is not text
		return b
	}
	b.noteBar(toks)
	b.octets = true
	for _, t := range toks {
		if t.Kind == "Value" && aboveFF(t.Value) {
			b.octets = false
		}
	}
	head, rules := notation.Split(toks, ruleStarts(toks))
	b.ds = append(b.ds, reader.Rules(name, head, rules, b.rule)...)
	b.g.Rules = append(b.g.Rules, b.order...)
	b.g.EachRef(func(e *syntax.Expr) {
		if r := b.names[strings.ToLower(e.Name)]; r != nil {
			e.Name = r.Name
		}
	})
	return b
}

// ruleStarts returns the positions of "name =" or "name =/".
func ruleStarts(toks []notation.Token) (starts []int) {
	last := -1
	for i, t := range toks {
		if reader.Elide[t.Kind] {
			continue
		}
		if t.Kind == "Define" {
			if last >= 0 && (toks[last].Kind == "Name" || toks[last].Kind == "Prose") {
				starts = append(starts, last)
			} else {
				starts = append(starts, i)
			}
		}
		last = i
	}
	return starts
}

// rule adds a rule, or alternatives to an existing one.
func (b *builder) rule(r *rule) {
	pos := notation.Pos(r.Pos)
	name := strings.Trim(r.Name, "<>")
	first := b.names[strings.ToLower(name)]
	body := b.choice(r.Body)
	switch {
	case first == nil:
		if r.Define == "=/" {
			b.warn(pos, "no-first-definition", name, fmt.Sprintf("%q gets alternatives before it is defined", name),
				"write = for its first definition")
		}
		rule := &syntax.Rule{Name: name, Pos: pos, Body: body}
		b.g.Rules = append(b.g.Rules, rule)
		b.names[strings.ToLower(name)] = rule
	case r.Define == "=/":
		alts := alternatives(first.Body)
		first.Body = syntax.NewChoice(first.Body.Pos, append(alts, alternatives(body)...)...)
	case same(first.Body, body):
		b.warn(pos, "defined-again", name, fmt.Sprintf("rule %q is defined again, and alike (first at %v)", name, first.Pos),
			"remove one definition")
	default: // as in collections of several RFCs
		b.warn(pos, "defined-again", name, fmt.Sprintf("rule %q is defined again, differently (first at %v); this definition is not used", name, first.Pos),
			"write =/ to add alternatives, or rename one")
	}
}

func (b *builder) warn(pos grammar.Pos, code, rule, what, do string) {
	b.ds = append(b.ds, grammar.Diagnostic{Severity: grammar.Warning, Pos: pos, Code: code, Rule: rule, Message: what, Hint: do})
}

func alternatives(e *syntax.Expr) []*syntax.Expr {
	if e.Op == grammar.Choice {
		return e.Children
	}
	return []*syntax.Expr{e}
}

// same reports whether two bodies are textually equal.
func same(a, b *syntax.Expr) bool {
	if a.Op != b.Op || a.Text != b.Text || !strings.EqualFold(a.Name, b.Name) || a.Min != b.Min || a.Max != b.Max ||
		len(a.Children) != len(b.Children) || !slices.Equal(grammar.NewSet(a.Ranges...).Ranges(), grammar.NewSet(b.Ranges...).Ranges()) {
		return false
	}
	for i := range a.Children {
		if !same(a.Children[i], b.Children[i]) {
			return false
		}
	}
	return true
}

// addCore appends the core rules that the grammar refers to but does not define. References within
// core rules also go to the grammar's own definitions, if they exist.
func (b *builder) addCore() {
	var rules map[string]*syntax.Rule // read when the first one is needed
	has := make(map[string]bool)
	for _, r := range b.g.Rules {
		has[r.Name] = true
	}
	for i := 0; i < len(b.g.Rules); i++ {
		b.g.Rules[i].Body.Walk(func(e *syntax.Expr) {
			if e.Op != grammar.Ref || has[e.Name] {
				return
			}
			if own := b.names[strings.ToLower(e.Name)]; own != nil {
				e.Name = own.Name
				return
			}
			if rules == nil {
				rules = core()
			}
			r := rules[strings.ToUpper(e.Name)]
			if r == nil {
				r = rules[e.Name] // the helper rules of OCTET
			}
			if r == nil {
				return
			}
			e.Name = r.Name
			if !has[r.Name] {
				has[r.Name] = true
				b.g.Rules = append(b.g.Rules, r)
			}
		})
	}
}

// resolveProse changes references <name> to the rule called name, and warns about other prose.
func (b *builder) resolveProse() {
	b.g.EachRef(func(e *syntax.Expr) {
		if !strings.HasPrefix(e.Name, "<") {
			return
		}
		if r := b.names[strings.ToLower(strings.TrimSpace(strings.Trim(e.Name, "<>")))]; r != nil {
			e.Name = r.Name
			return
		}
		b.warn(e.Pos, "prose", e.Name, e.Name+" is prose: nothing can be generated for it", "say what it means in a companion file")
	})
}

// noteBar notes that | is read as the / of ABNF if the file has a bar.
func (b *builder) noteBar(toks []notation.Token) {
	for _, t := range toks {
		if t.Kind == "Op" && t.Value == "|" {
			b.g.Ignored = append(b.g.Ignored, grammar.Diagnostic{Severity: grammar.Note, Pos: notation.Pos(t.Pos), Code: "bar",
				Message: "| is read as /, which stands between alternatives in ABNF, here and everywhere in the file"})
			return
		}
	}
}
