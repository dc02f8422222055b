package antlr4

import (
	"fmt"
	"regexp"

	"github.com/alecthomas/participle/v2/lexer"
)

// altList is the right-hand side of a rule or the inside of a block. It implements participle's
// Parseable, because parsing the right-hand sides of a large grammar by reflection takes ten times
// as long.
type altList struct {
	Alts []*alt
}

// alt is an alternative.
type alt struct {
	Pos      lexer.Position
	Elements []*element
	Label    string // # Label
	Right    bool   // <assoc=right>
	Commands []command
}

// command is a lexer command.
type command struct {
	Pos       lexer.Position
	Name, Arg string
}

// elementKind is the kind of an element of an alternative.
type elementKind uint8

const (
	elRef elementKind = iota
	elLiteral
	elRange // Text .. To
	elSet
	elAny
	elBlock
	elAction
	elPredicate
)

// element is an element of an alternative.
type element struct {
	Pos    lexer.Position
	At     lexer.Position // of Text: after a label and ~
	Kind   elementKind
	Text   string // a name, or a literal or set as written
	To     string
	Args   bool // a rule reference with arguments
	Not    bool // ~ before it
	Block  *altList
	Suffix byte // '*', '+', '?' or 0
	Lazy   bool
}

// bodyError is a mistake in a right-hand side; it implements participle.Error.
type bodyError struct {
	pos           lexer.Position
	message, hint string
}

func (e *bodyError) Error() string            { return e.message + "; " + e.hint }
func (e *bodyError) Message() string          { return e.message }
func (e *bodyError) Position() lexer.Position { return e.pos }

func unexpected(t *lexer.Token, hint string) error {
	if t.EOF() {
		return &bodyError{t.Pos, "the file ends inside a statement", "end it with ;"}
	}
	return &bodyError{t.Pos, fmt.Sprintf("unexpected %q", t.Value), hint}
}

// is reports whether t is the punctuation p.
func is(t *lexer.Token, p string) bool { return t.Type == tPunct && t.Value == p }

// accept consumes the punctuation p if it comes next.
func accept(lex *lexer.PeekingLexer, p string) bool {
	if is(lex.Peek(), p) {
		lex.Next()
		return true
	}
	return false
}

// Parse parses a whole right-hand side, up to the semicolon.
func (l *altList) Parse(lex *lexer.PeekingLexer) error {
	if err := l.parse(lex); err != nil {
		return err
	}
	t := lex.Peek()
	switch {
	case t.Type == tSemi:
		return nil
	case is(t, ")"):
		return unexpected(t, "its ( is missing")
	case is(t, ":"):
		return unexpected(t, "the ; of the rule before is missing")
	case t.Type == tKeyword:
		return unexpected(t, "it is a reserved word, or the ; of the rule before is missing")
	case is(t, "*") || is(t, "+") || is(t, "?"):
		return unexpected(t, "it repeats the element before it, and there is none")
	case is(t, "->"):
		return unexpected(t, "commands end an alternative and are joined by commas")
	case t.Type == tArg:
		return unexpected(t, "[ ] is a set in lexer rules alone, whose names begin with a capital letter")
	}
	return unexpected(t, "an element, | or ; comes here")
}

// parse parses as many alternatives as it can. Blocks nest at most maxNesting deep, which the
// scanner ensures.
func (l *altList) parse(lex *lexer.PeekingLexer) error {
	for {
		a, err := parseAlt(lex)
		if err != nil {
			return err
		}
		l.Alts = append(l.Alts, a)
		if !accept(lex, "|") {
			return nil
		}
	}
}

func parseAlt(lex *lexer.PeekingLexer) (*alt, error) {
	a := &alt{Pos: lex.Peek().Pos}
	for lex.Peek().Type == tElemOpts {
		a.Right = a.Right || rightAssoc.MatchString(lex.Next().Value)
	}
	for {
		e, err := parseElement(lex)
		if err != nil {
			return nil, err
		}
		if e == nil {
			break
		}
		a.Elements = append(a.Elements, e)
	}
	if accept(lex, "#") {
		t := lex.Next()
		if t.Type != tIdent && t.Type != tKeyword {
			return nil, unexpected(t, "the label of an alternative is a name, as in # Sum")
		}
		a.Label = t.Value
	}
	if !accept(lex, "->") {
		return a, nil
	}
	for {
		c, err := parseCommand(lex)
		if err != nil {
			return nil, err
		}
		a.Commands = append(a.Commands, c)
		if !accept(lex, ",") {
			return a, nil
		}
	}
}

const commandHint = "a command is skip, more, popMode, channel(C), type(T), mode(M) or pushMode(M)"

func parseCommand(lex *lexer.PeekingLexer) (command, error) {
	t := lex.Next()
	if t.Type != tIdent && t.Value != "mode" {
		return command{}, unexpected(t, commandHint)
	}
	c := command{Pos: t.Pos, Name: t.Value}
	if !accept(lex, "(") {
		return c, nil
	}
	t = lex.Next()
	if t.Type != tIdent && t.Type != tKeyword && t.Type != tInt {
		return c, unexpected(t, commandHint)
	}
	c.Arg = t.Value
	t = lex.Peek()
	if !accept(lex, ")") {
		return c, unexpected(t, "close the argument with )")
	}
	return c, nil
}

// rightAssoc matches the options of an alternative that associates to the right.
var rightAssoc = regexp.MustCompile(`[<,]\s*assoc\s*=\s*right\s*[,>]`)

// skipElementOptions skips options of an element, which ANTLR ignores, too.
func skipElementOptions(lex *lexer.PeekingLexer) {
	for lex.Peek().Type == tElemOpts {
		lex.Next()
	}
}

// parseElement parses an element; it returns nil if there is none.
func parseElement(lex *lexer.PeekingLexer) (*element, error) {
	t := lex.Peek()
	e := &element{Pos: t.Pos}
	switch t.Type {
	case tAction, tPred:
		lex.Next()
		skipElementOptions(lex)
		e.Kind = elAction
		if t.Type == tPred {
			e.Kind = elPredicate
		}
		return e, nil
	}
	labelled := t.Type == tLabel
	if labelled {
		lex.Next()
	}
	e.Not = accept(lex, "~")
	ok, err := parseAtom(lex, e)
	if err != nil {
		return nil, err
	}
	if !ok {
		if labelled || e.Not {
			return nil, unexpected(lex.Peek(), "an element has to follow a label or ~")
		}
		return nil, nil
	}
	skipElementOptions(lex)
	switch s := lex.Peek(); {
	case is(s, "*"), is(s, "+"), is(s, "?"):
		e.Suffix = s.Value[0]
		lex.Next()
		e.Lazy = accept(lex, "?")
		skipElementOptions(lex)
	}
	return e, nil
}

// parseAtom parses an element without its suffix into e. It returns false if there is none.
func parseAtom(lex *lexer.PeekingLexer, e *element) (bool, error) {
	t := lex.Peek()
	e.At = t.Pos
	switch t.Type {
	case tIdent:
		lex.Next()
		e.Kind, e.Text = elRef, t.Value
		if lex.Peek().Type == tArg {
			lex.Next()
			e.Args = true
		}
		return true, nil
	case tLiteral:
		lex.Next()
		e.Kind, e.Text = elLiteral, t.Value
		if accept(lex, "..") {
			to := lex.Next()
			if to.Type != tLiteral {
				return false, unexpected(to, "a range is written 'a'..'z'")
			}
			e.Kind, e.To = elRange, to.Value
		}
		return true, nil
	case tSet:
		lex.Next()
		e.Kind, e.Text = elSet, t.Value
		return true, nil
	}
	switch {
	case accept(lex, "."):
		e.Kind = elAny
		return true, nil
	case accept(lex, "("):
		e.Kind, e.Block = elBlock, &altList{}
		skipBlockHead(lex)
		if err := e.Block.parse(lex); err != nil {
			return false, err
		}
		if end := lex.Peek(); !accept(lex, ")") {
			return false, unexpected(end, fmt.Sprintf("the ( of line %d is not closed", t.Pos.Line))
		}
		return true, nil
	}
	return false, nil
}

// skipBlockHead skips the options and actions at the beginning of a block: (options
// {greedy=false;} @init {…} : …), or a single colon.
func skipBlockHead(lex *lexer.PeekingLexer) {
	start := lex.MakeCheckpoint()
	if t := lex.Peek(); t.Type != tOptions && !is(t, "@") && !is(t, ":") {
		return
	}
	for {
		switch t := lex.Next(); {
		case t.Type == tOptions:
			for t := lex.Peek(); t.Type != tClose && !t.EOF(); t = lex.Peek() {
				lex.Next()
			}
			lex.Next()
		case is(t, "@"), is(t, "::"), t.Type == tAction, t.Type == tIdent:
		case is(t, ":"):
			return
		default:
			lex.LoadCheckpoint(start)
			return
		}
	}
}
