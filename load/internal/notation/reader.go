package notation

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// MaxNesting is the maximum nesting of brackets in one rule. Real grammars stay below 20. The limit
// prevents hostile files from exhausting the stack.
const MaxNesting = 400

// Problem is the text of a diagnostic: the mistake, the advice, and the diagnostic's code ("" means
// "syntax").
type Problem struct{ What, Do, Code string }

// Token is a token with the name of its kind.
type Token struct {
	lexer.Token
	Kind string
}

// Reader describes how to read files of a notation. T is the syntax tree of one rule. All fields
// except Lookahead, End, Hint and Explain are required. The lexer and the parser are built at the
// first use. Any number of goroutines may use a reader.
type Reader[T any] struct {
	Lexer     lexer.Rules
	Lookahead int                  // number of tokens that the parser looks ahead; 0 means 1
	Elide     map[string]bool      // kinds hidden from the parser
	Bad       map[string]Problem   // kinds of tokens in broken text
	Brackets  map[string]string    // opening token to its closing token
	Example   string               // a whole rule, for messages
	End       string               // the text that ends a rule; "" for none
	Hint      func(t Token) string // advice for a misplaced token; "" for nothing special

	// Explain returns the message about a misplaced token t in a rule, and the token to show. If
	// the rule ends too early, t is the end of the file. If Explain is nil, the message is made
	// from End and Hint.
	Explain func(rule []Token, t Token) (Token, Problem)

	once   sync.Once
	lexer  *lexer.StatefulDefinition
	kinds  map[lexer.TokenType]string
	parser *participle.Parser[T]
}

// build makes the lexer and the parser, once.
func (r *Reader[T]) build() {
	r.once.Do(func() {
		r.lexer = lexer.MustStateful(r.Lexer)
		r.kinds = make(map[lexer.TokenType]string)
		for name, t := range r.lexer.Symbols() {
			r.kinds[t] = name
		}
		r.parser = participle.MustBuild[T](participle.Lexer(r.lexer), participle.UseLookahead(max(r.Lookahead, 1)))
	})
}

// Tokens cuts src into tokens, layout and comments included. Text that is not a token of the
// notation becomes a diagnostic; the tokens around it are kept.
func (r *Reader[T]) Tokens(file string, src []byte) ([]Token, grammar.Diagnostics) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if d := invalidUTF8(file, src); d != nil {
		return nil, grammar.Diagnostics{*d}
	}
	r.build()
	lex, err := r.lexer.LexString(file, string(src))
	if err != nil {
		return nil, grammar.Diagnostics{problem(grammar.Pos{File: file}, Problem{What: err.Error(), Do: "check the file"})}
	}
	var toks []Token
	var ds grammar.Diagnostics
	for {
		t, err := lex.Next()
		if err != nil { // never happens: every notation's lexer ends in a rule for any character
			var at participle.Error
			pos := grammar.Pos{File: file}
			if errors.As(err, &at) {
				pos = Pos(at.Position())
			}
			return toks, append(ds, problem(pos, Problem{What: "text that is not a token of the notation", Do: "remove it"}))
		}
		tok := Token{t, r.kinds[t.Type]}
		if p, bad := r.Bad[tok.Kind]; bad {
			if strings.Contains(p.What, "%") {
				p.What = fmt.Sprintf(p.What, clip(t.Value))
			}
			ds = append(ds, problem(Pos(t.Pos), p))
		}
		toks = append(toks, tok)
		if t.EOF() {
			return toks, ds
		}
	}
}

// As returns t as a token of another kind.
func (r *Reader[T]) As(kind string, t Token) Token {
	r.build()
	t.Kind, t.Type = kind, r.lexer.Symbols()[kind]
	return t
}

// Rule parses the tokens of one rule. next is the token after it. Elided kinds are skipped. The
// diagnostic is nil if the rule is well formed.
func (r *Reader[T]) Rule(toks []Token, next Token) (*T, *grammar.Diagnostic) {
	r.build()
	list := &tokenList{end: lexer.EOFToken(next.Pos)}
	for _, t := range toks {
		if !r.Elide[t.Kind] {
			list.toks = append(list.toks, t.Token)
		}
	}
	if d := r.unbalanced(toks); d != nil {
		return nil, d
	}
	peeking, err := lexer.Upgrade(list)
	if err == nil {
		var rule *T
		if rule, err = r.parser.ParseFromLexer(peeking); err == nil {
			return rule, nil
		}
	}
	d := r.explain(err, toks, next)
	return nil, &d
}

// explain turns an error of participle into a diagnostic.
func (r *Reader[T]) explain(err error, toks []Token, next Token) grammar.Diagnostic {
	var unexpected *participle.UnexpectedTokenError
	if !errors.As(err, &unexpected) {
		var at participle.Error
		if errors.As(err, &at) {
			return problem(Pos(at.Position()), Problem{What: at.Message(), Do: "check the rule"})
		}
		return problem(Pos(next.Pos), Problem{What: err.Error(), Do: "check the rule"})
	}
	tok := Token{Token: unexpected.Unexpected}
	for _, t := range toks {
		if t.Pos == tok.Pos {
			tok = t
		}
	}
	if r.Explain != nil {
		shown, p := r.Explain(toks, tok)
		return problem(Pos(shown.Pos), p)
	}
	if tok.EOF() {
		last := next
		for _, t := range toks {
			if !r.Elide[t.Kind] {
				last = t
			}
		}
		do := "write the rest of the rule, or remove what is left open"
		if r.End != "" {
			do = fmt.Sprintf("write the rest of the rule, and %q at its end", r.End)
		}
		return problem(Pos(last.Pos), Problem{What: fmt.Sprintf("the rule ends too early, after %q", clip(last.Value)), Do: do})
	}
	do := ""
	if r.Hint != nil {
		do = r.Hint(tok)
	}
	if do == "" {
		do = "remove it, or quote it if it is meant as text"
	}
	return problem(Pos(tok.Pos), Problem{What: fmt.Sprintf("%q does not fit here", clip(tok.Value)), Do: do})
}

// unbalanced reports the first unmatched bracket of the rule, or nesting beyond MaxNesting.
func (r *Reader[T]) unbalanced(toks []Token) *grammar.Diagnostic {
	closing := make(map[string]bool)
	for _, c := range r.Brackets {
		closing[c] = true
	}
	var open []Token
	for _, t := range toks {
		if r.Elide[t.Kind] {
			continue
		}
		var p Problem
		switch {
		case r.Brackets[t.Value] != "":
			open = append(open, t)
			if len(open) <= MaxNesting {
				continue
			}
			p = Problem{What: fmt.Sprintf("brackets nest more than %d deep", MaxNesting), Do: "give the inner part a rule of its own"}
		case !closing[t.Value]:
			continue
		case len(open) == 0:
			p = Problem{What: fmt.Sprintf("%q closes nothing", t.Value), Do: "remove it, or write the opening bracket before it"}
		case r.Brackets[open[len(open)-1].Value] != t.Value:
			o := open[len(open)-1]
			p = Problem{What: fmt.Sprintf("%q does not close the %q at %d:%d", t.Value, o.Value, o.Pos.Line, o.Pos.Column),
				Do: fmt.Sprintf("write %q before it", r.Brackets[o.Value])}
		default:
			open = open[:len(open)-1]
			continue
		}
		d := problem(Pos(t.Pos), p)
		return &d
	}
	if len(open) > 0 {
		o := open[len(open)-1]
		d := problem(Pos(o.Pos), Problem{What: fmt.Sprintf("%q is never closed", o.Value),
			Do: fmt.Sprintf("write %q where the group ends", r.Brackets[o.Value])})
		return &d
	}
	return nil
}

// Errorf returns a syntax error at pos with the mistake and the advice.
func Errorf(pos lexer.Position, do, what string, args ...any) grammar.Diagnostic {
	return problem(Pos(pos), Problem{What: fmt.Sprintf(what, args...), Do: do})
}

// Pos converts a position of the lexer.
func Pos(p lexer.Position) grammar.Pos {
	return grammar.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

func problem(pos grammar.Pos, p Problem) grammar.Diagnostic {
	return grammar.Diagnostic{Severity: grammar.Error, Pos: pos, Code: cmp.Or(p.Code, "syntax"), Message: p.What, Hint: p.Do}
}

// clip shortens text for a message, to its first line and to 40 characters.
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
	d := problem(pos, Problem{What: fmt.Sprintf("byte 0x%02x is not UTF-8", src[0]), Do: "save the file as UTF-8"})
	return &d
}

// tokenList is a lexer.Lexer over existing tokens.
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
