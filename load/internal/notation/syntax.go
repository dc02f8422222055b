package notation

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// MaxNesting is how deep brackets may nest in one rule. People's grammars stay
// below 20; the limit keeps hostile files from exhausting the stack.
const MaxNesting = 400

// Problem is the text of a diagnostic: what is wrong, and what to do.
type Problem struct{ What, Do string }

// Token is a token with the name of its kind.
type Token struct {
	lexer.Token
	Kind string
}

// Syntax says how the files of a notation are read. T is the syntax tree of one
// rule. All fields but Hint are required.
type Syntax[T any] struct {
	Lexer    *lexer.StatefulDefinition
	Parser   *participle.Parser[T]
	Elide    map[string]bool      // kinds that the parser does not see
	Bad      map[string]Problem   // kinds that only broken text makes
	Brackets map[string]string    // opening token to its closing token
	Example  string               // a whole rule, for messages
	End      string               // what ends a rule; "" for nothing
	Hint     func(t Token) string // what to do about a token that does not fit; "" for nothing special
}

// Tokens cuts src into tokens, layout and comments included. Text that is no
// token of the notation becomes a diagnostic; the tokens around it are kept.
func (s *Syntax[T]) Tokens(file string, src []byte) ([]Token, grammar.Diagnostics) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if d := invalidUTF8(file, src); d != nil {
		return nil, grammar.Diagnostics{*d}
	}
	kinds := make(map[lexer.TokenType]string)
	for name, t := range s.Lexer.Symbols() {
		kinds[t] = name
	}
	lex, err := s.Lexer.LexString(file, string(src))
	if err != nil {
		return nil, grammar.Diagnostics{problem(grammar.Pos{File: file}, Problem{err.Error(), "check the file"})}
	}
	var toks []Token
	var ds grammar.Diagnostics
	for {
		t, err := lex.Next()
		if err != nil { // every notation's lexer ends in a rule for any character
			var at participle.Error
			pos := grammar.Pos{File: file}
			if errors.As(err, &at) {
				pos = Pos(at.Position())
			}
			return toks, append(ds, problem(pos, Problem{"text that is no token of the notation", "remove it"}))
		}
		tok := Token{t, kinds[t.Type]}
		if p, bad := s.Bad[tok.Kind]; bad {
			ds = append(ds, problem(Pos(t.Pos), Problem{fmt.Sprintf(p.What, clip(t.Value)), p.Do}))
		}
		toks = append(toks, tok)
		if t.EOF() {
			return toks, ds
		}
	}
}

// Rule parses the tokens of one rule; next is the token after it, which ends it.
// Elided kinds are skipped. The diagnostic is nil when the rule is well formed.
func (s *Syntax[T]) Rule(toks []Token, next Token) (*T, *grammar.Diagnostic) {
	list := &tokenList{end: lexer.EOFToken(next.Pos)}
	for _, t := range toks {
		if !s.Elide[t.Kind] {
			list.toks = append(list.toks, t.Token)
		}
	}
	if d := s.unbalanced(toks); d != nil {
		return nil, d
	}
	peeking, err := lexer.Upgrade(list)
	if err == nil {
		var rule *T
		if rule, err = s.Parser.ParseFromLexer(peeking); err == nil {
			return rule, nil
		}
	}
	d := s.explain(err, toks, next)
	return nil, &d
}

// explain turns participle's error into a diagnostic of ours.
func (s *Syntax[T]) explain(err error, toks []Token, next Token) grammar.Diagnostic {
	var unexpected *participle.UnexpectedTokenError
	if !errors.As(err, &unexpected) {
		var at participle.Error
		if errors.As(err, &at) {
			return problem(Pos(at.Position()), Problem{at.Message(), "check the rule"})
		}
		return problem(Pos(next.Pos), Problem{err.Error(), "check the rule"})
	}
	if unexpected.Unexpected.EOF() {
		last := next
		for _, t := range toks {
			if !s.Elide[t.Kind] {
				last = t
			}
		}
		do := "write the rest of the rule, or remove what is left open"
		if s.End != "" {
			do = fmt.Sprintf("write the rest of the rule, and %q at its end", s.End)
		}
		return problem(Pos(last.Pos), Problem{fmt.Sprintf("the rule ends too early, after %q", clip(last.Value)), do})
	}
	tok := Token{Token: unexpected.Unexpected}
	for _, t := range toks {
		if t.Pos == tok.Pos {
			tok = t
		}
	}
	do := ""
	if s.Hint != nil {
		do = s.Hint(tok)
	}
	if do == "" {
		do = "remove it, or quote it if it is meant as text"
	}
	return problem(Pos(tok.Pos), Problem{fmt.Sprintf("%q does not fit here", clip(tok.Value)), do})
}

// unbalanced reports the first bracket of the rule without a partner, or
// nesting beyond MaxNesting.
func (s *Syntax[T]) unbalanced(toks []Token) *grammar.Diagnostic {
	closing := make(map[string]bool)
	for _, c := range s.Brackets {
		closing[c] = true
	}
	var open []Token
	for _, t := range toks {
		if s.Elide[t.Kind] {
			continue
		}
		var p Problem
		switch {
		case s.Brackets[t.Value] != "":
			if open = append(open, t); len(open) <= MaxNesting {
				continue
			}
			p = Problem{fmt.Sprintf("brackets nest more than %d deep", MaxNesting), "give the inner part a rule of its own"}
		case !closing[t.Value]:
			continue
		case len(open) == 0:
			p = Problem{fmt.Sprintf("%q closes nothing", t.Value), "remove it, or write the opening bracket before it"}
		case s.Brackets[open[len(open)-1].Value] != t.Value:
			o := open[len(open)-1]
			p = Problem{fmt.Sprintf("%q does not close the %q at %d:%d", t.Value, o.Value, o.Pos.Line, o.Pos.Column),
				fmt.Sprintf("write %q before it", s.Brackets[o.Value])}
		default:
			open = open[:len(open)-1]
			continue
		}
		d := problem(Pos(t.Pos), p)
		return &d
	}
	if len(open) > 0 {
		o := open[len(open)-1]
		d := problem(Pos(o.Pos), Problem{fmt.Sprintf("%q is never closed", o.Value),
			fmt.Sprintf("write %q where the group ends", s.Brackets[o.Value])})
		return &d
	}
	return nil
}

// Errorf returns a syntax error at pos that says what is wrong and what to do.
func Errorf(pos lexer.Position, do, what string, args ...any) grammar.Diagnostic {
	return problem(Pos(pos), Problem{fmt.Sprintf(what, args...), do})
}

// Pos converts a position of the lexer.
func Pos(p lexer.Position) grammar.Pos {
	return grammar.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

func problem(pos grammar.Pos, p Problem) grammar.Diagnostic {
	return grammar.Diagnostic{Severity: grammar.Error, Pos: pos, Code: "syntax", Message: p.What, Hint: p.Do}
}

// clip shortens text for a message to its first line and 40 characters.
func clip(text string) string {
	if i := bytes.IndexByte([]byte(text), '\n'); i > 0 {
		text = text[:i]
	}
	if r := []rune(text); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return text
}

func invalidUTF8(file string, src []byte) *grammar.Diagnostic {
	if utf8.Valid(src) {
		return nil
	}
	pos := grammar.Pos{File: file, Line: 1, Col: 1}
	for len(src) > 0 {
		r, n := utf8.DecodeRune(src)
		if r == utf8.RuneError && n == 1 {
			break
		}
		pos.Col++
		if r == '\n' {
			pos.Line, pos.Col = pos.Line+1, 1
		}
		src = src[n:]
	}
	d := problem(pos, Problem{fmt.Sprintf("byte 0x%02x is not UTF-8", src[0]), "save the file as UTF-8"})
	return &d
}

// tokenList is a lexer.Lexer over tokens that are there already.
type tokenList struct {
	toks []lexer.Token
	end  lexer.Token
}

func (l *tokenList) Next() (lexer.Token, error) {
	if len(l.toks) == 0 {
		return l.end, nil
	}
	t := l.toks[0]
	l.toks = l.toks[1:]
	return t, nil
}
