package lex

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Bounds of the separators: texts for each skip rule, texts for a mode, and steps of the
// search for them.
const (
	maxPerRule = 6
	maxPerMode = 24
	maxSearch  = 20_000
)

// layouts is the texts that may stand between tokens, computed once on first use.
type layouts struct {
	once   sync.Once
	byMode [][]string // by mode: "", then the separators, best first
	al     *alphabet
	chars  []rune // by symbol: the character that represents it; -1 for a stray byte
}

// Separators returns texts that may stand between tokens in a mode ("" or "DEFAULT_MODE"
// is the default one). They are some short texts of each skip rule and of each rule on
// another channel, of rules that keep the mode. The shortest come first, and a blank
// before a newline before others. The result is empty if the mode has no layout. The
// caller must not change it.
func (l *Lexer) Separators(mode string) []string {
	if mode == "DEFAULT_MODE" {
		mode = ""
	}
	num, ok := l.modeNum[mode]
	if !ok {
		return nil
	}
	return l.separators(num)
}

func (l *Lexer) separators(mode int) []string { return l.layouts(mode)[1:] }

// layouts returns "" and the separators of a mode.
func (l *Lexer) layouts(mode int) []string {
	l.layout.once.Do(l.findLayout)
	return l.layout.byMode[mode]
}

// leastText returns a shortest text of a kind of token; false if none was found.
func (l *Lexer) leastText(kind int) (string, bool) {
	l.layout.once.Do(l.findLayout)
	k := l.kinds[kind]
	if k.Rule == nil {
		return k.Text, k.Text != ""
	}
	texts := l.layout.texts(k.Rule, 1)
	if len(texts) == 0 {
		return "", false
	}
	return texts[0], true
}

func (l *Lexer) findLayout() {
	y := &l.layout
	var bodies []*grammar.Expr
	for _, r := range l.grammar.Rules {
		if r.Kind.Lexical() || l.context != nil { // there layout may refer to syntax rules
			bodies = append(bodies, r.Body)
		}
	}
	y.al = newAlphabet(bodies)
	for c := range y.al.size() {
		y.chars = append(y.chars, favourite(y.al.sets[c]))
	}
	y.byMode = make([][]string, len(l.modes))
	for i, m := range l.modes {
		var seps []string
		for _, a := range m.actions {
			if a.hidden && !a.more && len(a.ops) == 0 {
				seps = append(seps, y.texts(a.rule, maxPerRule)...)
			}
		}
		slices.SortFunc(seps, bySimplicity)
		seps = slices.Compact(seps)
		y.byMode[i] = append([]string{""}, seps[:min(len(seps), maxPerMode)]...)
	}
}

// favourite picks a character of s. It prefers blanks, then letters, digits, other
// printable ASCII, and then any character. It is -1 for an empty set.
func favourite(s grammar.Set) rune {
	for _, c := range " \n\tabcdefghijklmnopqrstuvwxyz0123456789" {
		if s.Has(c) {
			return c
		}
	}
	if p := s.Intersect(grammar.NewSet(grammar.Range{Lo: ' ', Hi: '~'})); p.Len() > 0 {
		return p.At(0)
	}
	if s.Len() > 0 {
		return s.At(0)
	}
	return -1
}

// bySimplicity orders texts by length, then letter by letter: a blank before a
// newline before a tab before others.
func bySimplicity(a, b string) int {
	weight := func(r rune) int {
		if i := strings.IndexRune(" \n\t", r); i >= 0 {
			return i
		}
		return 3 + int(r)
	}
	x, y := []rune(a), []rune(b)
	return cmp.Or(cmp.Compare(len(x), len(y)),
		slices.CompareFunc(x, y, func(r, s rune) int { return cmp.Compare(weight(r), weight(s)) }), cmp.Compare(a, b))
}

// texts returns up to limit non-empty texts of a rule, shortest first. It uses one
// character of each set that the rules do not tell apart. Texts of a recursive rule are
// those without recursion.
func (y *layouts) texts(r *grammar.Rule, limit int) []string {
	n := newNFA(y.al, nil)
	n.flat = true
	start, err := n.rule(r, 0)
	if err != nil {
		return nil
	}
	d, err := n.plain(start)
	if err != nil {
		return nil
	}
	type node struct {
		s    int32
		text string
	}
	order := make([]int, y.al.size())
	for c := range order {
		order[c] = c
	}
	slices.SortFunc(order, func(a, b int) int { return bySimplicity(y.text(a), y.text(b)) })
	var out []string
	queue := []node{{0, ""}}
	for i := 0; i < len(queue) && i < maxSearch && len(out) < limit; i++ {
		if q := queue[i]; d.accept[q.s] && q.text != "" {
			out = append(out, q.text)
		}
		row := d.row(queue[i].s)
		for _, c := range order {
			if row[c] != dead && len(queue) < maxSearch {
				queue = append(queue, node{row[c], queue[i].text + y.text(c)})
			}
		}
	}
	return out
}

func (y *layouts) text(c int) string {
	if y.chars[c] < 0 {
		return string(y.al.bytes[c : c+1])
	}
	return string(y.chars[c])
}

// ModeLayout is the layout of a mode: the separators between its tokens.
type ModeLayout struct {
	Mode       string   // "DEFAULT_MODE" for the default one
	Separators []string // see [Lexer.Separators]
	// Glued are the kinds of tokens of the mode that no separator can follow: each
	// separator would be read as a part of the token. nil if the mode has no separators.
	Glued []string
}

// entered returns the modes that rules enter, the default one first.
func (l *Lexer) entered() []int {
	out := []int{0}
	for i := 0; i < len(out); i++ {
		for _, a := range l.modes[out[i]].actions {
			for _, op := range a.ops {
				if op.name != "popMode" && !slices.Contains(out, op.mode) {
					out = append(out, op.mode)
				}
			}
		}
	}
	return out
}

// Layout returns the layout of every mode that has tokens and that rules enter.
func (l *Lexer) Layout() []ModeLayout {
	var out []ModeLayout
	for _, i := range l.entered() {
		m := l.modes[i]
		if len(m.actions) == 0 {
			continue
		}
		ml := ModeLayout{Mode: modeName(m.name), Separators: append([]string(nil), l.separators(i)...)}
		for _, a := range m.actions {
			text, ok := l.leastText(a.kind)
			if a.hidden || a.more || len(a.ops) > 0 || !ok || l.lines != nil && a.kind == l.lines.newline || len(ml.Separators) == 0 {
				continue
			}
			s, ok := l.read(joint{place: place{stack: []int{i}}}, text, nil)
			if !ok {
				continue
			}
			glued := !slices.ContainsFunc(ml.Separators, func(sep string) bool {
				_, ok := l.read(s, sep, isHidden)
				return ok
			})
			if glued {
				ml.Glued = append(ml.Glued, l.kinds[a.kind].Name)
			}
		}
		out = append(out, ml)
	}
	return out
}

// Check reports, as notes, tokens that cannot be separated: modes without layout, and
// tokens that swallow any layout after them.
func (l *Lexer) Check() grammar.Diagnostics {
	var ds grammar.Diagnostics
	for _, m := range l.Layout() {
		name := m.Mode
		if name == "DEFAULT_MODE" {
			name = ""
		}
		first := slices.IndexFunc(l.grammar.Rules, func(r *grammar.Rule) bool { return competes(r) && r.Mode == name })
		if len(m.Separators) == 0 && first >= 0 {
			ds = append(ds, grammar.Diagnostic{Severity: grammar.Note, Pos: l.grammar.Rules[first].Pos, Code: "no-layout",
				Message: fmt.Sprintf("nothing can stand between the tokens of mode %s", m.Mode),
				Hint:    "tokens that would join are not generated side by side"})
		}
		for _, token := range m.Glued {
			d := grammar.Diagnostic{Severity: grammar.Note, Code: "glued-token", Rule: token,
				Message: fmt.Sprintf("token %s takes in any layout after it in mode %s", token, m.Mode),
				Hint:    "what follows has to begin with a character that it does not take"}
			if r := l.grammar.Rule(token); r != nil {
				d.Pos = r.Pos
			}
			ds = append(ds, d)
		}
	}
	return ds
}
