package grammar

import (
	"cmp"
	"fmt"
)

// Kind says what part a rule plays.
type Kind uint8

// The kinds of rules.
const (
	Syntax   Kind = iota // a rule of the language
	Token                // lexical: its text is one unit, and one terminal
	Skip                 // layout: may stand between tokens, generates nothing by itself
	Fragment             // lexical helper: a part of tokens, never a token
)

func (k Kind) String() string { return [...]string{"rule", "token", "skip", "fragment"}[k] }

// Lexical reports whether the rule belongs to the lexer.
func (k Kind) Lexical() bool { return k != Syntax }

// Command is an action of a token rule on the lexer: "skip", "more", "mode",
// "pushMode", "popMode", "type" or "channel", with its argument.
type Command struct {
	Name, Arg string
	Pos       Pos
}

// Rule is one rule of a grammar.
type Rule struct {
	Name string
	Pos  Pos
	Kind Kind
	Body *Expr

	// Written is the body as the file has it where Body is a form computed
	// from it (a token's difference or shadowing resolved); else nil.
	Written *Expr

	// Inline marks a helper that no file wrote: a reference to it adds
	// neither a level of depth nor a node. Inline rules are never recursive.
	Inline bool

	// Glued says of a syntax rule that no layout may stand between the parts of
	// its body (W3C's "ws: explicit"). Lexers heed it where the grammar says
	// ContextLexing.
	Glued bool

	Mode     string    // lexical rules: the lexer mode; "" is the default mode
	Commands []Command // lexical rules: what matching it does to the lexer

	Annotations []Annotation // on the rule as a whole

	ID int // index in the grammar's Rules; set by Freeze
}

// Grammar is a rule graph. Build one by filling Rules (and Start), then call
// [Grammar.Freeze]; from then on it is immutable and safe for concurrent use.
type Grammar struct {
	Name     string // for messages and records: a shipped grammar's name or a file's base name
	Notation string // the notation it was read from, e.g. "ebnf", "antlr4"
	Rules    []*Rule
	Start    *Rule  // nil until Freeze: then the one asked for, or Entry, or the first syntax rule
	Entry    string // the rule that the notation's conventions make the start; "" is the first syntax rule
	SHA256   string // of the files it was read from, hex; "" when built in memory

	// Ignored lists what the reader kept as a note only, e.g. actions.
	Ignored Diagnostics

	// LenientUndefined makes an undefined rule a warning as long as the start
	// stays productive: for notations whose files leave rules to prose.
	LenientUndefined bool

	// ContextLexing says that only the tokens that the parser can take next
	// compete for a text, so that no token is shadowed by another.
	ContextLexing bool

	Root  *Expr   // a reference to Start that no file wrote; set by Freeze
	Exprs []*Expr // every expression by ID; set by Freeze
	Alts  int     // how many alternatives all choices have together; set by Freeze
	alpha Set
	names map[string]*Rule
	users [][]*Rule // by rule: the rules that refer to it, each once
}

// Rule returns the rule called name, or nil.
func (g *Grammar) Rule(name string) *Rule { return g.names[name] }

// Alphabet returns the alphabet that negated classes were cut to.
func (g *Grammar) Alphabet() Set { return g.alpha }

// Alphabet selects what negated classes and "any character" generate.
type Alphabet uint8

// The alphabets. What a class means when parsing does not depend on them.
const (
	ASCII   Alphabet = iota // printable ASCII and the characters that the grammar names itself
	Unicode                 // every scalar value
)

// Options tells Freeze what to do; the zero value is valid.
type Options struct {
	Start    string   // the start rule; "" is the Entry, or the first syntax rule, or else the first rule
	Alphabet Alphabet // what negated classes generate; the zero value is ASCII
}

// Freeze resolves references, numbers the expressions, settles every class and
// runs all checks. It returns everything it found; the grammar may be used when
// the diagnostics' Err is nil. Calling it again (with another start, after a
// pass changed bodies) does the same afresh. It costs time linear in the
// grammar, but for the search for duplicate alternatives (n log n).
func (g *Grammar) Freeze(o Options) Diagnostics {
	var ds Diagnostics
	ds = append(ds, g.index()...)
	ds = append(ds, g.pickStart(o.Start)...)
	if g.Start == nil {
		return ds
	}
	g.settleClasses(o.Alphabet)
	ds = append(ds, g.check()...)
	ds.Sort()
	return ds
}

// index numbers rules and expressions and resolves names.
func (g *Grammar) index() (ds Diagnostics) {
	g.names = make(map[string]*Rule, len(g.Rules))
	for _, r := range g.Rules {
		if first := g.names[r.Name]; first != nil {
			ds = append(ds, Diagnostic{Error, r.Pos, "duplicate-rule", r.Name,
				fmt.Sprintf("rule %q is defined twice (first at %v)", r.Name, first.Pos),
				"join both with | or rename one"})
			continue
		}
		g.names[r.Name] = r
	}
	g.Exprs, g.Alts = nil, 0
	for i, r := range g.Rules {
		r.ID = i
		r.Body.Walk(func(e *Expr) {
			e.ID = len(g.Exprs)
			g.Exprs = append(g.Exprs, e)
			switch e.Op {
			case Ref:
				e.Rule = g.names[e.Name]
			case Choice:
				e.FirstAlt = g.Alts
				g.Alts += len(e.Children)
			}
		})
	}
	g.findUsers()
	return ds
}

// findUsers notes which rules refer to which.
func (g *Grammar) findUsers() {
	g.users = make([][]*Rule, len(g.Rules))
	at := 0
	for i, r := range g.Rules {
		end := len(g.Exprs)
		if i+1 < len(g.Rules) {
			end = g.Rules[i+1].Body.ID
		}
		for ; at < end; at++ {
			e := g.Exprs[at]
			if e.Op != Ref || e.Rule == nil {
				continue
			}
			if known := g.users[e.Rule.ID]; len(known) == 0 || known[len(known)-1] != r {
				g.users[e.Rule.ID] = append(known, r)
			}
		}
	}
}

// bodyExprs returns the expressions of a rule's body, which stand side by side.
func (g *Grammar) bodyExprs(r *Rule) []*Expr {
	end := g.Root.ID
	if r.ID+1 < len(g.Rules) {
		end = g.Rules[r.ID+1].Body.ID
	}
	return g.Exprs[r.Body.ID:end]
}

func (g *Grammar) pickStart(name string) Diagnostics {
	g.Start = nil
	if len(g.Rules) == 0 {
		return Diagnostics{{Error, Pos{File: g.Name}, "empty-grammar", "", "the grammar has no rules", "write at least one, as in: start = \"x\" ;"}}
	}
	if name != "" {
		if g.Start = g.names[name]; g.Start == nil {
			return Diagnostics{{Error, Pos{File: g.Rules[0].Pos.File}, "no-start", name,
				fmt.Sprintf("there is no rule %q to start from", name), cmp.Or(g.suggest(name), fmt.Sprintf("name one of its rules, such as %q", g.Rules[0].Name))}}
		}
	}
	if g.Start == nil {
		g.Start = g.names[g.Entry]
	}
	for _, r := range g.Rules {
		if g.Start == nil && r.Kind == Syntax {
			g.Start = r
		}
	}
	for _, r := range g.Rules {
		if g.Start == nil && r.Kind != Skip {
			g.Start = r
		}
	}
	if g.Start == nil {
		return Diagnostics{{Error, g.Rules[0].Pos, "no-start", "", "every rule is @skip: there is nothing to generate", "add a rule without @skip"}}
	}
	g.Root = &Expr{Op: Ref, Pos: g.Start.Pos, Name: g.Start.Name, Rule: g.Start, ID: len(g.Exprs)}
	g.Exprs = append(g.Exprs, g.Root)
	return nil
}
