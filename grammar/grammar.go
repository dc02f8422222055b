package grammar

import "sync/atomic"

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

	// Written is the body as the file has it where Body is a form computed
	// from it (a token's difference or shadowing resolved); else nil. Its
	// expressions are not among the grammar's Exprs and have neither IDs nor sets.
	Written *Expr

	// Inline marks a helper that no file wrote: a reference to it adds
	// neither a level of depth nor a node. Inline rules are never recursive.
	Inline bool

	// Glued says of a syntax rule that no layout may stand between the parts of
	// its body (W3C's "ws: explicit"), and of a token that none may stand before it.
	// Lexers heed it where the grammar says ContextLexing.
	Glued bool

	// Priority of a lexical rule: where one of a higher priority matches, a lower one
	// does not, be its match longer or not. Lexers heed it where the grammar says
	// ContextLexing.
	Priority int

	// Word says of a token that what begins like one of its texts is read as the whole
	// text, also where the parser expects no such token: `or` `b` is never written `orb`.
	// In grammars with ContextLexing but without a word every token is one.
	Word bool

	Mode     string    // lexical rules: the lexer mode; "" is the default mode
	Commands []Command // lexical rules: what matching it does to the lexer

	Annotations []Annotation // on the rule as a whole

	// Recursive says that the rule leads to itself, as its file has it.
	Recursive bool

	ID int // index in the grammar's Rules
}

// Grammar is a rule graph, complete and checked. Package load makes it. It is
// never changed, and safe for concurrent use.
type Grammar struct {
	Name     string // for messages and records: a shipped grammar's name or a file's base name
	Notation string // the notation it was read from, e.g. "ebnf", "antlr4"
	SHA256   string // of the files it was read from, hex
	Rules    []*Rule
	Start    *Rule

	// ContextLexing says that only the tokens that the parser can take next
	// compete for a text, so that no token is shadowed by another.
	ContextLexing bool

	// Binary says that the grammar has computed fields, or classes of bytes. It has no
	// tokens then.
	Binary bool

	// Compresses says that texts have compressed parts, so that sizes in bytes are not theirs.
	Compresses bool

	Root  *Expr   // a reference to Start that no file wrote
	Exprs []*Expr // every expression by ID
	Alts  int     // how many alternatives all choices have together

	alpha Set
	names map[string]*Rule
	users [][]*Rule                 // by rule: the rules that refer to it, each once
	facts *[2]atomic.Pointer[Facts] // by measure, with everything on; nil before the grammar is complete
}

// Rule returns the rule called name, or nil.
func (g *Grammar) Rule(name string) *Rule { return g.names[name] }

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
