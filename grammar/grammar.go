package grammar

import "sync/atomic"

// Kind is the role of a rule.
type Kind uint8

// The kinds of rules.
const (
	Syntax   Kind = iota // a rule of the language
	Token                // lexical: its text is one unit and one terminal
	Skip                 // layout: may occur between tokens, generates nothing by itself
	Fragment             // lexical helper: a part of tokens, never a token itself
)

func (k Kind) String() string { return [...]string{"rule", "token", "skip", "fragment"}[k] }

// Lexical reports whether the rule belongs to the lexer.
func (k Kind) Lexical() bool { return k != Syntax }

// Command is an action of a token rule on the lexer: "skip", "more", "mode",
// "pushMode", "popMode", "type" or "channel", with its argument. Indentation is "newline"
// on the token that ends a line, with "open" and "close" for the texts of brackets, and
// "indent" and "dedent" on the tokens that begin and end blocks.
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

	// Written is the body as in the file if Body was computed from it (a token's difference or
	// shadowing resolved); else nil. Its expressions are not in the grammar's Exprs and have
	// neither IDs nor sets.
	Written *Expr

	// Inline marks a generated helper, which is in no file: a reference to it adds neither a
	// level of depth nor a node. Inline rules are never recursive.
	Inline bool

	// Glued forbids layout: for a syntax rule, between the parts of its body (W3C's "ws:
	// explicit"); for a token, before it. Lexers apply it if the grammar has ContextLexing.
	Glued bool

	// Priority is the priority of a lexical rule: if a rule of higher priority matches, a lower
	// one does not, whatever the lengths of the matches. Lexers apply it if the grammar has
	// ContextLexing.
	Priority int

	// Word marks a token that is read as a whole word, even where the parser does not expect
	// it: `or` `b` is never written `orb`. In a grammar with ContextLexing but without a Word
	// token, every token is one.
	Word bool

	Mode     string    // lexical rules: the lexer mode; "" is the default mode
	Commands []Command // lexical rules: effects of a match on the lexer

	Annotations []Annotation // on the rule as a whole

	// Recursive reports that the rule leads to itself, as written in its file.
	Recursive bool

	ID int // index in the grammar's Rules
}

// Grammar is a complete and checked rule graph. Package load makes it. It never changes and is
// safe for concurrent use.
type Grammar struct {
	Name     string // for messages and records: a shipped grammar's name or a file's base name
	Notation string // the notation it was read from, e.g. "ebnf", "antlr4"
	SHA256   string // of the files it was read from, hex
	Rules    []*Rule
	Start    *Rule

	// ContextLexing reports that only the tokens acceptable to the parser compete for a text,
	// so no token shadows another.
	ContextLexing bool

	// Binary reports that the grammar has computed fields or classes of bytes. Such a grammar
	// has no tokens.
	Binary bool

	// Compresses reports that texts have compressed parts, so sizes in bytes differ from their
	// own.
	Compresses bool

	Root  *Expr   // a generated reference to Start
	Exprs []*Expr // every expression by ID
	Alts  int     // number of alternatives of all choices together

	alpha Set
	names map[string]*Rule
	users [][]*Rule                 // by rule: the rules that refer to it, without duplicates
	facts *[2]atomic.Pointer[Facts] // by measure, with an empty mask; nil before the grammar is complete
}

// Rule returns the rule called name, or nil.
func (g *Grammar) Rule(name string) *Rule { return g.names[name] }

// findUsers records the references between rules.
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

// bodyExprs returns the expressions of a rule's body, which are contiguous.
func (g *Grammar) bodyExprs(r *Rule) []*Expr {
	end := g.Root.ID
	if r.ID+1 < len(g.Rules) {
		end = g.Rules[r.ID+1].Body.ID
	}
	return g.Exprs[r.Body.ID:end]
}
