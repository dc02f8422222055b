package jsong

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// The limits of what is spelled out in helper rules.
const (
	maxMembers = 4096 // members of a class
	maxCopies  = 4096 // elements of a bounded repetition
)

// Print writes a grammar in JSON, alternatives as lists. Groups, classes
// and repetitions become helper rules. The diagnostics list what cannot be said:
// tokens, layout, annotations, bytes that are not UTF-8, very large classes and
// bounds, unbounded repetitions of what may be empty. What is left reads back
// with the same counts by bytes.
func Print(g *grammar.Grammar) (string, grammar.Diagnostics) {
	w := &writer{g: g, facts: g.Facts(nil, grammar.Exact), taken: make(map[string]bool), keys: make(map[string]string), classes: make(map[string]string)}
	for _, e := range g.Exprs { // a literal must not read as the name of a rule
		if e.Op == grammar.Lit {
			w.taken[e.Text] = true
		}
	}
	w.taken["<start>"] = true // kept for the start
	for _, r := range g.Rules {
		if r != g.Start {
			w.keys[r.Name] = w.key(r.Name)
		}
	}
	delete(w.taken, "<start>")
	w.keys[g.Start.Name] = w.key("start")
	notation.LoseMarks(g, notation.Can{Weights: true}, w.lose)
	w.rule(w.keys[g.Start.Name], g.Start, g.Start.Body)
	for _, r := range g.Rules {
		if r != g.Start {
			w.rule(w.keys[r.Name], r, r.Body)
		}
	}
	return w.text(), w.lost
}

type writer struct {
	g       *grammar.Grammar
	facts   *grammar.Facts
	taken   map[string]bool   // keys, and texts that no key may be
	keys    map[string]string // by rule name
	classes map[string]string // keys of class helpers by their set
	out     []entry
	lost    grammar.Diagnostics
}

// entry is one rule of the file.
type entry struct {
	key  string
	alts []alt
}

type alt struct {
	tokens []string
	prob   float64 // 0 for none
}

// key returns a free key like <name>.
func (w *writer) key(name string) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune("<> ", r) {
			return '-'
		}
		return r
	}, strings.Trim(name, "<>"))
	key := "<" + name + ">"
	for i := 2; w.taken[key]; i++ {
		key = fmt.Sprintf("<%s-%d>", name, i)
	}
	w.taken[key] = true
	return key
}

func (w *writer) lose(r *grammar.Rule, pos grammar.Pos, code, what, do string) {
	name := ""
	if r != nil {
		name = r.Name
	}
	w.lost = append(w.lost, grammar.Diagnostic{Severity: grammar.Warning, Pos: pos, Code: code, Rule: name,
		Message: what + " cannot be said in JSON", Hint: do})
}

// rule adds the rule key with the alternatives of e.
func (w *writer) rule(key string, r *grammar.Rule, e *grammar.Expr) {
	at := len(w.out)
	w.out = append(w.out, entry{key: key})
	alts := []alt{{}}
	if e.Op == grammar.Choice {
		sum := 0
		for _, n := range e.Weights {
			sum += n
		}
		alts = make([]alt, len(e.Children))
		for i, k := range e.Children {
			alts[i].tokens = w.tokens(r, k)
			if sum > 0 {
				alts[i].prob = float64(e.Weights[i]) / float64(sum)
			}
		}
	} else {
		alts[0].tokens = w.tokens(r, e)
	}
	w.out[at].alts = alts
}

// tokens returns e as a list of literals and keys, with helper rules for what
// is no such list.
func (w *writer) tokens(r *grammar.Rule, e *grammar.Expr) []string {
	switch e.Op {
	case grammar.Lit:
		if !utf8.ValidString(e.Text) {
			w.lose(r, e.Pos, "lost-literal", fmt.Sprintf("the literal %q (it is not UTF-8)", e.Text), "rewrite the rule without it")
			return nil
		}
		if e.Text == "" {
			return nil
		}
		return []string{e.Text}
	case grammar.Ref:
		if key, ok := w.keys[e.Name]; ok {
			return []string{key}
		}
		w.lose(r, e.Pos, "lost-rule", fmt.Sprintf("the undefined rule %q", e.Name), "define it")
		return nil
	case grammar.Seq:
		var out []string
		for _, k := range e.Children {
			out = append(out, w.tokens(r, k)...)
		}
		return out
	case grammar.Class:
		return []string{w.class(r, e)}
	case grammar.Diff:
		w.lose(r, e.Pos, "lost-difference", "the difference A - B", "only A is written; resolve the difference first")
		return w.tokens(r, e.Children[0])
	case grammar.Rep:
		return w.rep(r, e)
	}
	key := w.key(r.Name)
	w.rule(key, r, e)
	return []string{key}
}

func (w *writer) class(r *grammar.Rule, e *grammar.Expr) string {
	id := fmt.Sprint(e.Gen.Ranges())
	if key, ok := w.classes[id]; ok {
		return key
	}
	if e.Negated {
		w.lose(r, e.Pos, "lost-class", "a negated class", "written are the characters that it generates")
	}
	n := e.Gen.Len()
	if n > maxMembers {
		w.lose(r, e.Pos, "lost-class", fmt.Sprintf("a class of %d characters", n), fmt.Sprintf("the first %d are written", maxMembers))
		n = maxMembers
	}
	key := w.key(r.Name + "-char")
	w.classes[id] = key
	alts := make([]alt, n)
	for i := range alts {
		alts[i].tokens = []string{string(e.Gen.At(i))}
	}
	w.out = append(w.out, entry{key, alts})
	return key
}

// rep spells a repetition: the least number of elements, then a helper rule.
func (w *writer) rep(r *grammar.Rule, e *grammar.Expr) []string {
	lo, hi := e.Min, e.Max
	if max(lo, hi) > maxCopies {
		w.lose(r, e.Pos, "lost-bounds", fmt.Sprintf("a repetition %d to %d times", lo, hi), fmt.Sprintf("it is written for at most %d", maxCopies))
		lo, hi = min(lo, maxCopies), min(hi, maxCopies)
	}
	if hi < 0 && w.facts.Nullable(e.Children[0]) {
		w.lose(r, e.Pos, "lost-repetition", "an unbounded repetition of what may be empty", "it is written once or not at all; make its element non-empty")
		hi = lo + 1
	}
	elem := w.tokens(r, e.Children[0])
	if len(elem) > 1 && max(lo, hi) > 1 {
		key := w.key(r.Name)
		w.out = append(w.out, entry{key, []alt{{tokens: elem}}})
		elem = []string{key}
	}
	var out []string
	for range lo {
		out = append(out, elem...)
	}
	if hi < 0 {
		key := w.key(r.Name)
		w.out = append(w.out, entry{key, []alt{{}, {tokens: append(elem[:len(elem):len(elem)], key)}}})
		return append(out, key)
	}
	tail := []string(nil)
	for i := lo; i < hi; i++ { // from the innermost optional element outwards
		key := w.key(r.Name)
		w.out = append(w.out, entry{key, []alt{{}, {tokens: append(elem[:len(elem):len(elem)], tail...)}}})
		tail = []string{key}
	}
	return append(out, tail...)
}

// text writes the rules as JSON, one alternative a line.
func (w *writer) text() string {
	var b strings.Builder
	b.WriteString("{\n")
	for i, e := range w.out {
		fmt.Fprintf(&b, "  %s: [\n", quote(e.key))
		for j, a := range e.alts {
			line := "[" + joinQuoted(a.tokens) + "]"
			if a.prob > 0 {
				line = fmt.Sprintf("[%s, {\"prob\": %.6f}]", line, a.prob)
			}
			b.WriteString("    " + line + comma(j < len(e.alts)-1))
		}
		b.WriteString("  ]" + comma(i < len(w.out)-1))
	}
	b.WriteString("}\n")
	return b.String()
}

func comma(more bool) string {
	if more {
		return ",\n"
	}
	return "\n"
}

func joinQuoted(tokens []string) string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = quote(t)
	}
	return strings.Join(out, ", ")
}

func quote(text string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil { // a string always encodes
		panic(err)
	}
	return strings.TrimSpace(b.String())
}
