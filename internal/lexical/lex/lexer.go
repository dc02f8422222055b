package lex

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Kind is a kind of token: a literal of the syntax rules, a lexical rule, or
// one character where syntax rules hold classes.
type Kind struct {
	Name string        // for messages: the rule's name, a quoted literal, or "character"
	Rule *grammar.Rule // nil for literals and characters
	Text string        // a literal's text

	// Type is the name of the token type: the argument of the rule's type command, or
	// else Name. In place of one token of a type, the lexer may return another of the
	// same type, depending on its mode.
	Type string

	Hidden bool // layout: skipped or sent to another channel
}

// Lexer cuts texts into tokens by a grammar's token rules. In each mode the longest match
// wins; of equally long ones, the rule written first. Literals of syntax rules come before
// all rules. In a grammar with ContextLexing, only the tokens with which the text can
// continue compete, and layout only where it may stand. A Lexer is immutable to its users
// and safe for concurrent use. Its tables grow as texts need them, up to a bound.
type Lexer struct {
	kinds   []Kind
	byRule  map[*grammar.Rule]int
	byText  map[string]int // literals, and tokens that are one literal's text
	char    int            // the kind of single characters, or -1
	modes   []*mode
	modeNum map[string]int
	grammar *grammar.Grammar
	layout  layouts
	context *contextual // nil: all tokens of a mode compete
	lines   *lines      // nil: indentation is not significant
	ends    bool        // some rule reads the end of the text
}

// mode is a lexer mode: an engine, and an action for each of its candidates.
type mode struct {
	name    string
	engine  *engine
	actions []action // by candidate
	leave   *action  // the action if nothing matches: see leaves; nil for an error
}

// action is the effect of a match.
type action struct {
	kind   int
	rule   *grammar.Rule
	hidden bool
	more   bool
	ops    []modeOp
}

// modeOp is a change of the mode stack: mode, pushMode or popMode.
type modeOp struct {
	name string
	mode int
}

// HasTokens reports whether g has token or skip rules. A grammar without them
// is read character by character and needs no lexer.
func HasTokens(g *grammar.Grammar) bool { return slices.ContainsFunc(g.Rules, competes) }

// UsesLexer reports whether texts of g are cut into tokens before they are parsed, so
// that adjacent tokens have to be kept apart. This is so if g has token rules, and has
// layout or comes from a notation whose lexer always runs first. In other grammars, tokens
// are units of counting, and their texts are simply concatenated.
func UsesLexer(g *grammar.Grammar) bool {
	if !HasTokens(g) {
		return false
	}
	return HasLines(g) || g.Notation == "antlr4" || g.Notation == "tree-sitter" || g.Notation == "lark" || slices.ContainsFunc(g.Rules, func(r *grammar.Rule) bool { return competes(r) && hidden(r) })
}

// New returns the lexer of a frozen grammar. It fails if the rules are too large to be
// compiled. The cost is linear in the rules; automata are built later, as texts need them.
func New(g *grammar.Grammar) (*Lexer, error) {
	l := &Lexer{byRule: make(map[*grammar.Rule]int), byText: make(map[string]int), char: -1,
		modeNum: make(map[string]int), grammar: g}
	for _, text := range literals(g.Rules, nil) {
		l.byText[text] = l.addKind(Kind{Name: strconv.Quote(text), Text: text})
	}
	chars := syntaxClasses(g.Rules, nil)
	if chars.Len() > 0 {
		l.char = l.addKind(Kind{Name: "character"})
	}
	l.addRules()
	l.findLines()
	p := newProgram(maxNFA)
	for i, m := range l.modes {
		if err := l.compileMode(p, m, i == 0, chars); err != nil {
			return nil, err
		}
	}
	for _, m := range l.modes {
		m.engine.code = p.code
	}
	l.ends = p.ends
	if g.ContextLexing {
		newContextual(l)
	}
	return l, nil
}

func (l *Lexer) addKind(k Kind) int {
	k.Type = cmp.Or(k.Type, k.Name)
	l.kinds = append(l.kinds, k)
	return len(l.kinds) - 1
}

// addRules makes kinds of the lexical rules and numbers the modes.
func (l *Lexer) addRules() {
	l.modes = []*mode{{}}
	l.modeNum[""] = 0
	for _, r := range l.grammar.Rules {
		if !competes(r) {
			continue
		}
		k := l.addKind(Kind{Name: r.Name, Rule: r, Type: tokenType(r), Hidden: hidden(r)})
		l.byRule[r] = k
		if text := source(r).Text; isLiteral(r) && !r.Glued {
			if _, ok := l.byText[text]; !ok {
				l.byText[text] = k
			}
		}
		l.addMode(r.Mode)
		for _, c := range r.Commands {
			if c.Name == "mode" || c.Name == "pushMode" {
				l.addMode(modeArg(c)) // it may have no rules: then nothing can be read in it
			}
		}
	}
}

func (l *Lexer) addMode(name string) {
	if _, ok := l.modeNum[name]; !ok {
		l.modeNum[name] = len(l.modes)
		l.modes = append(l.modes, &mode{name: name})
	}
}

// hidden reports whether the matches of r are layout.
func hidden(r *grammar.Rule) bool {
	if r.Kind == grammar.Skip {
		return true
	}
	for _, c := range r.Commands {
		switch {
		case c.Name == "skip":
			return true
		case c.Name == "channel" && c.Arg != "DEFAULT_TOKEN_CHANNEL" && c.Arg != "0":
			return true
		}
	}
	return false
}

// tokenType returns the type that a command of r gives its tokens, or "".
func tokenType(r *grammar.Rule) string {
	for _, c := range r.Commands {
		if c.Name == "type" {
			return c.Arg
		}
	}
	return ""
}

// syntaxClasses returns the union of the classes of the syntax rules in a grammar with
// tokens: each of these characters is a token.
func syntaxClasses(rules []*grammar.Rule, bodies map[*grammar.Rule]*grammar.Expr) grammar.Set {
	if !slices.ContainsFunc(rules, competes) {
		return grammar.Set{}
	}
	var ranges []grammar.Range
	for _, r := range rules {
		if r.Kind != grammar.Syntax {
			continue
		}
		bodyOf(bodies, r).Walk(func(e *grammar.Expr) {
			if e.Op == grammar.Class {
				ranges = append(ranges, classSet(e).Ranges()...)
			}
		})
	}
	return grammar.NewSet(ranges...)
}

func (l *Lexer) compileMode(p *program, m *mode, first bool, chars grammar.Set) error {
	var starts []int32
	add := func(a action, at int32, err error) error {
		if err != nil {
			return err
		}
		starts = append(starts, at)
		m.actions = append(m.actions, a)
		return nil
	}
	for _, k := range l.ranked() {
		var err error
		switch kind := l.kinds[k]; {
		case l.isTurn(k): // has no text
		case kind.Rule != nil && kind.Rule.Mode == m.name:
			a := l.action(kind.Rule)
			if m.leave == nil && leaves(&a) {
				m.leave = &a
			}
			at, e := p.rule(kind.Rule, 0)
			err = add(a, at, e)
		case kind.Rule != nil || !first:
		case k == l.char:
			at, e := p.add(instr{op: opSet, set: &chars})
			err = add(action{kind: k}, at, e)
		default:
			at, e := p.text(kind.Text, 0)
			err = add(action{kind: k}, at, e)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", l.kinds[k].Name, err)
		}
	}
	m.engine = newEngine(nil, starts)
	return nil
}

// ranked returns the kinds, better ones first: glued literals, other literals, rules. So a
// literal with a glued twin begins behind layout only.
func (l *Lexer) ranked() []int {
	glued := func(k int) bool { r := l.kinds[k].Rule; return r != nil && r.Glued && isLiteral(r) }
	out := make([]int, 0, len(l.kinds))
	for k := range l.kinds {
		if glued(k) {
			out = append(out, k)
		}
	}
	for k := range l.kinds {
		if !glued(k) {
			out = append(out, k)
		}
	}
	return out
}

// leaves reports whether a rule matches only the empty text, to leave its mode if no other
// rule matches: OTHER : -> mode(DEFAULT_MODE), skip; Its target must be another mode.
func leaves(a *action) bool {
	return a.hidden && !a.more && source(a.rule).IsEmpty() && len(a.ops) == 1 && a.ops[0].name != "pushMode"
}

// action reads the commands of a rule.
func (l *Lexer) action(r *grammar.Rule) action {
	a := action{kind: l.byRule[r], rule: r, hidden: hidden(r)}
	for _, c := range r.Commands {
		switch c.Name {
		case "more":
			a.more = true
		case "mode", "pushMode", "popMode":
			a.ops = append(a.ops, modeOp{c.Name, l.modeNum[modeArg(c)]})
		}
	}
	return a
}

// Kinds returns the kinds of tokens by number. The caller must not change them.
func (l *Lexer) Kinds() []Kind { return l.kinds }

// KindOf returns the kind of token of a terminal in a syntax rule: a literal, a class, or
// a reference to a token rule. It is -1 for other expressions, for the empty literal and
// for references to layout.
//
// A class stands for tokens of one character in its set. Such a token may also be read as
// a literal of just that character (see [Lexer.IsChar]).
func (l *Lexer) KindOf(e *grammar.Expr) int {
	switch e.Op {
	case grammar.Lit:
		if k, ok := l.byText[e.Text]; ok {
			return k
		}
	case grammar.Class:
		return l.char
	case grammar.Ref:
		if k, ok := l.byRule[e.Rule]; ok && e.Rule.Kind == grammar.Token {
			return k
		}
	}
	return -1
}

// IsChar reports whether a token of this kind can stand for a class of a syntax rule,
// provided that its text is one character of the class.
func (l *Lexer) IsChar(kind int) bool {
	return l.char >= 0 && kind >= 0 && l.kinds[kind].Rule == nil
}

// modeOpsError is the error for a popMode without a pushMode before it.
type modeOpsError struct{ rule string }

func (e *modeOpsError) Error() string {
	return fmt.Sprintf("rule %q leaves a mode (popMode) that no pushMode entered", e.rule)
}

// enter returns the mode stack after a match. The top is the last element. Stacks share
// memory, but appending never overwrites an element of another one.
func (a *action) enter(stack []int) ([]int, error) {
	for _, op := range a.ops {
		switch op.name {
		case "mode":
			stack = append(stack[:len(stack)-1:len(stack)-1], op.mode)
		case "pushMode":
			stack = append(stack[:len(stack):len(stack)], op.mode)
		case "popMode":
			if len(stack) == 1 {
				return stack, &modeOpsError{a.rule.Name}
			}
			stack = stack[:len(stack)-1]
		}
	}
	return stack, nil
}

// left leaves a mode in which nothing matches, if a rule allows it. The new mode must not
// have such a rule itself, so that there are no endless loops.
func (l *Lexer) left(m *mode, p *place) bool {
	if m.leave == nil {
		return false
	}
	stack, err := m.leave.enter(p.stack)
	if err != nil || l.modes[stack[len(stack)-1]].leave != nil {
		return false
	}
	p.stack = stack
	return true
}
