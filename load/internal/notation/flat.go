package notation

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Limits of parts that are written out in helper rules.
const (
	maxMembers = 4096 // members of a class
	maxCopies  = 4096 // elements of a bounded repetition
)

// Flat describes a notation without groups, classes and repetitions. They become helper rules.
type Flat struct {
	Name    string // of the notation, for messages: "JSON"
	Start   string // the required name of the start rule; "" for any name
	Weights bool   // alternatives can have probabilities
	// Legal replaces a character that is not allowed in a rule's name.
	Legal func(r rune) rune
	// Lit writes a nonempty literal as tokens of a rule. reason is "", or the reason why the
	// literal cannot be written.
	Lit func(text string) (tokens []string, reason string)
}

// FlatRule is a rule of a [Flat] notation.
type FlatRule struct {
	Name string // in angle brackets, as in references among tokens
	Alts []FlatAlt
}

// FlatAlt is an alternative.
type FlatAlt struct {
	Tokens []string
	Prob   float64 // 0 for none
}

// Rules returns the rules of g, the start first, and reports the losses: tokens, layout,
// annotations, literals that Lit refuses, very large classes and bounds, unbounded repetitions of
// elements that may be empty. The rest has the same counts by bytes.
func (t *Flat) Rules(g *grammar.Grammar) ([]FlatRule, grammar.Diagnostics) {
	w := &flattener{Flat: t, g: g, facts: g.Facts(nil, grammar.Exact), taken: make(map[string]bool), keys: make(map[string]string), classes: make(map[string]string)}
	for _, e := range g.Exprs { // a literal must not be equal to a rule's name
		if e.Op == grammar.Lit {
			w.taken[e.Text] = true
		}
	}
	start := t.Start
	if start == "" {
		start = g.Start.Name
		w.keys[start] = w.key(start)
	} else {
		w.taken["<"+start+">"] = true // reserved for the start
	}
	for _, r := range g.Rules {
		if r != g.Start {
			w.keys[r.Name] = w.key(r.Name)
		}
	}
	if t.Start != "" {
		delete(w.taken, "<"+start+">")
		w.keys[g.Start.Name] = w.key(start)
	}
	loseMarks(g, false, t.Weights, w.lose)
	w.rule(w.keys[g.Start.Name], g.Start, g.Start.Body)
	for _, r := range g.Rules {
		if r != g.Start {
			w.rule(w.keys[r.Name], r, r.Body)
		}
	}
	return w.out, w.lost
}

type flattener struct {
	*Flat
	g       *grammar.Grammar
	facts   *grammar.Facts
	taken   map[string]bool   // keys in use, and texts that must not become keys
	keys    map[string]string // by rule name
	classes map[string]string // keys of helper rules for classes, by their sets
	out     []FlatRule
	lost    grammar.Diagnostics
}

// key returns an unused key similar to <name>.
func (w *flattener) key(name string) string {
	name = cmp.Or(strings.TrimLeft(strings.Map(w.Legal, strings.Trim(name, "<>")), "-"), "r")
	key := "<" + name + ">"
	for i := 2; w.taken[key]; i++ {
		key = fmt.Sprintf("<%s-%d>", name, i)
	}
	w.taken[key] = true
	return key
}

func (w *flattener) lose(r *grammar.Rule, pos grammar.Pos, code, what, do string) {
	name := ""
	if r != nil {
		name = r.Name
	}
	w.lost = append(w.lost, grammar.Diagnostic{Severity: grammar.Warning, Pos: pos, Code: code, Rule: name,
		Message: what + " cannot be expressed in " + w.Name, Hint: do})
}

// rule adds the rule named key with the alternatives of e.
func (w *flattener) rule(key string, r *grammar.Rule, e *grammar.Expr) {
	at := len(w.out)
	w.out = append(w.out, FlatRule{Name: key})
	alts := []FlatAlt{{}}
	if e.Op == grammar.Choice {
		sum := 0
		for _, n := range e.Weights {
			sum += n
		}
		alts = make([]FlatAlt, len(e.Children))
		for i, k := range e.Children {
			alts[i].Tokens = w.tokens(r, k)
			if sum > 0 {
				alts[i].Prob = float64(e.Weights[i]) / float64(sum)
			}
		}
	} else {
		alts[0].Tokens = w.tokens(r, e)
	}
	w.out[at].Alts = alts
}

// tokens returns e as a list of literals and keys, with helper rules where necessary.
func (w *flattener) tokens(r *grammar.Rule, e *grammar.Expr) []string {
	switch e.Op {
	case grammar.Lit:
		return w.lit(r, e, e.Text)
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

func (w *flattener) lit(r *grammar.Rule, e *grammar.Expr, text string) []string {
	if text == "" {
		return nil
	}
	tokens, reason := w.Lit(text)
	if reason != "" {
		w.lose(r, e.Pos, "lost-literal", fmt.Sprintf("the literal %q (%s)", text, reason), "rewrite the rule without it")
	}
	return tokens
}

func (w *flattener) class(r *grammar.Rule, e *grammar.Expr) string {
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
	alts := make([]FlatAlt, 0, n)
	for i := range n {
		if tokens := w.lit(r, e, string(e.Gen.At(i))); len(tokens) > 0 {
			alts = append(alts, FlatAlt{Tokens: tokens})
		}
	}
	w.out = append(w.out, FlatRule{key, alts})
	return key
}

// rep writes a repetition: the minimum number of elements, then a helper rule for the rest.
func (w *flattener) rep(r *grammar.Rule, e *grammar.Expr) []string {
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
		w.out = append(w.out, FlatRule{key, []FlatAlt{{Tokens: elem}}})
		elem = []string{key}
	}
	var out []string
	for range lo {
		out = append(out, elem...)
	}
	if hi < 0 {
		key := w.key(r.Name)
		w.out = append(w.out, FlatRule{key, []FlatAlt{{}, {Tokens: append(elem[:len(elem):len(elem)], key)}}})
		return append(out, key)
	}
	tail := []string(nil)
	for i := lo; i < hi; i++ { // the innermost optional element first
		key := w.key(r.Name)
		w.out = append(w.out, FlatRule{key, []FlatAlt{{}, {Tokens: append(elem[:len(elem):len(elem)], tail...)}}})
		tail = []string{key}
	}
	return append(out, tail...)
}
