package antlr4

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// The token types of a .g4 file.
const (
	tIdent    lexer.TokenType = -(iota + 2)
	tKeyword                  // a reserved word
	tLabel                    // x= or x+= before an element; the value is x
	tLiteral                  // '…' with its quotes
	tSet                      // […] in a lexer rule, with its brackets
	tArg                      // […] in a parser rule: target code
	tAction                   // {…}
	tPred                     // {…}? up to the closing brace
	tElemOpts                 // <…> after an element
	tOptions                  // options {
	tTokens                   // tokens {
	tChannels                 // channels {
	tClose                    // the } of the three above
	tOptSemi                  // ; between options
	tSemi                     // ; at the end of a statement
	tInt
	tPunct
)

// symbols names the token types for participle.
func symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "Ident": tIdent, "Keyword": tKeyword, "Label": tLabel,
		"Literal": tLiteral, "Set": tSet, "Arg": tArg, "Action": tAction, "Pred": tPred,
		"ElemOpts": tElemOpts, "Options": tOptions, "Tokens": tTokens, "Channels": tChannels,
		"Close": tClose, "OptSemi": tOptSemi, "Semi": tSemi, "Int": tInt, "Punct": tPunct,
	}
}

var keywords = map[string]bool{
	"import": true, "fragment": true, "lexer": true, "parser": true, "grammar": true,
	"protected": true, "public": true, "private": true, "returns": true, "locals": true,
	"throws": true, "catch": true, "finally": true, "mode": true,
}

// maxNesting limits the nesting depth of blocks, since parsing them recurses.
const maxNesting = 500

// maxMessages is the number of messages about tokens after which reading stops. A file that is not
// a grammar has one on every line.
const maxMessages = 100

// stmtKind is a kind of statement of a .g4 file. It determines the end of the statement.
type stmtKind uint8

const (
	plainStmt  stmtKind = iota // ends with ;
	ruleStmt                   // ends with ;, and has a name
	blockStmt                  // options {…}: ends with }
	actionStmt                 // @name {…}, catch […] {…}: ends with an action
)

// scanner cuts a file into tokens and the tokens into statements. The meaning of a bracket
// depends on its context (a set in a lexer rule, arguments in a parser rule), so the scanner
// tracks the current statement.
type scanner struct {
	src       string
	at        lexer.Position // of src[at.Offset]
	stmt      []lexer.Token  // the statement so far
	kind      stmtKind
	broken    bool // the statement was reported and must not be parsed
	named     bool // ruleStmt: the name of the rule was read
	lexerRule bool // ruleStmt: the name begins in upper case
	body      bool // ruleStmt: the colon was read
	braces    bool // inside options {…}
	parens    int
	stmts     [][]lexer.Token
	ds        grammar.Diagnostics
}

// scan returns the statements of src, each as a list of tokens, and messages about invalid
// tokens. It takes time linear in src.
func scan(file, src string) ([][]lexer.Token, grammar.Diagnostics) {
	s := &scanner{src: src, at: lexer.Position{Filename: file, Line: 1, Column: 1}}
	if strings.HasPrefix(src, "\ufeff") {
		s.at.Offset += len("\ufeff")
	}
	for s.space(); s.at.Offset < len(s.src) && len(s.ds) < maxMessages; s.space() {
		s.token()
	}
	s.end()
	return s.stmts, s.ds
}

// fail reports an error at the current position.
func (s *scanner) fail(code, hint, format string, args ...any) {
	s.broken = true
	s.ds = append(s.ds, grammar.Diagnostic{Severity: grammar.Error, Pos: position(s.at), Code: code,
		Message: fmt.Sprintf(format, args...), Hint: hint})
}

func position(p lexer.Position) grammar.Pos {
	return grammar.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

// advance moves the position by n bytes.
func (s *scanner) advance(n int) {
	for _, c := range []byte(s.src[s.at.Offset : s.at.Offset+n]) {
		switch {
		case c == '\n':
			s.at.Line++
			s.at.Column = 1
		case utf8.RuneStart(c):
			s.at.Column++
		}
	}
	s.at.Offset += n
}

// space skips white space and comments.
func (s *scanner) space() {
	for s.at.Offset < len(s.src) {
		rest := s.src[s.at.Offset:]
		switch {
		case strings.IndexByte(" \t\r\n\f", rest[0]) >= 0:
			s.advance(1)
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			s.advance(n)
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				s.fail("unclosed", "close it with */", "the comment is not closed")
				s.advance(len(rest))
				return
			}
			s.advance(n + 4)
		default:
			return
		}
	}
}

// punctuation, longest first.
var punctuation = []string{"::", "->", "..", "+=", ":", ";", "|", "(", ")", "*", "+", "?", "~", ".", ",", "#", "@", "=", "}"}

// token scans one token.
func (s *scanner) token() {
	rest := s.src[s.at.Offset:]
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case unicode.IsLetter(r):
		s.word(rest)
		return
	case r >= '0' && r <= '9':
		s.emit(tInt, rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))])
		return
	case r == '\'':
		s.literal(rest)
		return
	case r == '[':
		s.bracket(rest)
		return
	case r == '{':
		s.action(rest)
		return
	case r == '<':
		if n := elemOptionsEnd(rest); n > 0 {
			s.emit(tElemOpts, rest[:n])
			return
		}
		s.fail("unclosed", "close it, as in <assoc=right>", "the element option is not closed")
		s.advance(1)
		return
	}
	for _, p := range punctuation {
		if strings.HasPrefix(rest, p) {
			s.punct(p)
			return
		}
	}
	if r == utf8.RuneError && size == 1 {
		s.fail("not-utf8", "save the file as UTF-8", "a byte that is not UTF-8 (0x%02x)", rest[0])
	} else {
		s.fail("unexpected", `literals stand in single quotes, sets in [ ]`, "unexpected character %q", r)
	}
	s.advance(size)
}

func (s *scanner) punct(p string) {
	switch p {
	case ";":
		if s.braces {
			s.emit(tOptSemi, p)
			return
		}
		s.emit(tSemi, p)
		return
	case "}":
		if s.braces {
			s.emit(tClose, p)
			return
		}
		s.fail("unexpected", "remove it, or open it with {", "a } without a {")
		s.advance(1)
		return
	case ":":
		s.body = s.body || !s.braces
	case "(":
		s.parens++
		if s.parens > maxNesting {
			if s.parens == maxNesting+1 {
				s.fail("too-deep", "give inner blocks rules of their own", "blocks nest deeper than %d", maxNesting)
			}
			s.broken = true
		}
	case ")":
		s.parens--
	}
	s.emit(tPunct, p)
}

// word scans an identifier, a keyword, a label or the head of options {.
func (s *scanner) word(rest string) {
	n := strings.IndexFunc(rest, func(r rune) bool {
		return !(unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Pc) || r == '\u00b7') || r == utf8.RuneError
	})
	if n < 0 {
		n = len(rest)
	}
	text := rest[:n]
	after := strings.TrimLeft(rest[n:], " \t\r\n\f")
	gap := len(rest) - n - len(after)
	if strings.HasPrefix(after, "{") && !s.braces {
		start := len(s.stmt) == 0
		switch {
		case text == "options":
			s.open(tOptions, text, n+gap+1)
			return
		case text == "tokens" && start:
			s.open(tTokens, text, n+gap+1)
			return
		case text == "channels" && start:
			s.open(tChannels, text, n+gap+1)
			return
		}
	}
	switch {
	case keywords[text]:
		s.emit(tKeyword, text)
	case s.kind == ruleStmt && s.body && !s.braces && strings.HasPrefix(after, "+="):
		s.put(tLabel, text, n+gap+2)
	case s.kind == ruleStmt && s.body && !s.braces && strings.HasPrefix(after, "="):
		s.put(tLabel, text, n+gap+1)
	default:
		s.emit(tIdent, text)
	}
}

func (s *scanner) open(t lexer.TokenType, text string, length int) {
	s.put(t, text, length)
	s.braces = true
}

func (s *scanner) literal(rest string) {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
			if i < len(rest) && (rest[i] == '\n' || rest[i] == '\r') {
				i = len(rest)
			}
		case '\'':
			s.emit(tLiteral, rest[:i+1])
			return
		case '\n', '\r':
			i = len(rest)
		}
	}
	s.fail("unclosed", `close it with '; a quote inside is written \'`, "the literal is not closed on its line")
	s.skipLine(rest)
}

// skipLine skips the rest of a line after an error. A semicolon there ends the statement, so
// that the next one is read.
func (s *scanner) skipLine(rest string) {
	n := lineLength(rest)
	s.advance(n)
	if strings.Contains(rest[:n], ";") {
		s.end()
	}
}

// lineLength returns the number of bytes of rest before the end of the line.
func lineLength(rest string) int {
	if n := strings.IndexAny(rest, "\r\n"); n >= 0 {
		return n
	}
	return len(rest)
}

// bracket scans a set in a lexer rule, arguments anywhere else.
func (s *scanner) bracket(rest string) {
	if !s.lexerRule {
		n := codeEnd(rest, '[', ']')
		if n < 0 {
			s.fail("unclosed", "close it with ]", "the arguments are not closed")
			s.advance(len(rest))
			return
		}
		s.emit(tArg, rest[:n])
		return
	}
	for i := 1; i < len(rest) && rest[i] != '\n' && rest[i] != '\r'; i++ {
		switch rest[i] {
		case '\\':
			if i+1 < len(rest) && rest[i+1] != '\n' && rest[i+1] != '\r' {
				i++
			}
		case ']':
			s.emit(tSet, rest[:i+1])
			return
		}
	}
	s.fail("unclosed", `close it with ]; a bracket inside is written \]`, "the set is not closed on its line")
	s.skipLine(rest)
}

func (s *scanner) action(rest string) {
	n := codeEnd(rest, '{', '}')
	switch {
	case n < 0:
		s.fail("unclosed", "close it with }; a lone brace in a literal of the target language has to be escaped", "the action is not closed")
		s.advance(len(rest))
	case strings.HasPrefix(rest[n:], "?"):
		s.put(tPred, rest[:n], n+1)
	default:
		s.emit(tAction, rest[:n])
	}
}

// codeEnd returns the length of the target code at the front of rest, up to the bracket that closes
// the first one, or -1 if there is no such bracket. It skips strings and comments. A quote that
// does not close on its line is an ordinary character.
func codeEnd(rest string, open, shut byte) int {
	depth := 0
	comments := true // whether a /* may still have an end
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; c {
		case open:
			depth++
		case shut:
			depth--
			if depth == 0 {
				return i + 1
			}
		case '\\':
			i++
		case '"', '\'':
			i += quotedLength(rest[i:])
		case '/':
			if strings.HasPrefix(rest[i:], "//") && open == '{' {
				i += lineLength(rest[i:]) - 1
			} else if comments && strings.HasPrefix(rest[i:], "/*") {
				n := strings.Index(rest[i+2:], "*/")
				comments = n >= 0
				if comments {
					i += n + 3
				}
			}
		}
	}
	return -1
}

// quotedLength returns the distance of the closing quote from the quote at the front of rest,
// or 0 if there is none on the line.
func quotedLength(rest string) int {
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch rest[i] {
		case '\\':
			i++
		case rest[0]:
			return i
		}
	}
	return 0
}

// maxElemOptions bounds the length of <…>, so that an unclosed < costs little.
const maxElemOptions = 1000

// elemOptionsEnd returns the length of the <…> at the front of rest, or 0.
func elemOptionsEnd(rest string) int {
	rest = rest[:min(len(rest), maxElemOptions)]
	for i := 1; i < len(rest) && rest[i] != ';'; i++ {
		switch rest[i] {
		case '\'', '"':
			i += quotedLength(rest[i:])
		case '{':
			if n := codeEnd(rest[i:], '{', '}'); n > 0 {
				i += n - 1
			}
		case '>':
			return i + 1
		}
	}
	return 0
}

// emit adds a token whose value is its text in the file.
func (s *scanner) emit(t lexer.TokenType, text string) { s.put(t, text, len(text)) }

// put adds a token of length bytes in the file, and ends the statement after its last token.
func (s *scanner) put(t lexer.TokenType, value string, length int) {
	if len(s.stmt) == 0 {
		s.begin(t, value)
	}
	if s.kind == ruleStmt && t == tIdent && !s.named {
		s.named = true
		first, _ := utf8.DecodeRuneInString(value)
		s.lexerRule = unicode.IsUpper(first)
	}
	s.stmt = append(s.stmt, lexer.Token{Type: t, Value: value, Pos: s.at})
	s.advance(length)
	last := t == tSemi
	switch t {
	case tClose:
		s.braces = false
		last = s.kind == blockStmt
	case tAction:
		last = s.kind == actionStmt
	}
	if last {
		s.end()
	}
}

// begin starts a statement with its first token.
func (s *scanner) begin(t lexer.TokenType, value string) {
	switch {
	case t == tOptions || t == tTokens || t == tChannels:
		s.kind = blockStmt
	case value == "@" || t == tKeyword && (value == "catch" || value == "finally"):
		s.kind = actionStmt
	case t == tKeyword && (value == "import" || value == "mode" || value == "lexer" || value == "parser" || value == "grammar"):
		s.kind = plainStmt
	default:
		s.kind = ruleStmt
	}
}

// end ends a statement. It drops a statement with a scanning error.
func (s *scanner) end() {
	if len(s.stmt) > 0 && !s.broken {
		s.stmts = append(s.stmts, slices.Clone(append(s.stmt, lexer.EOFToken(s.at))))
	}
	s.stmt, s.kind = s.stmt[:0], plainStmt
	s.broken, s.named, s.lexerRule, s.body, s.braces, s.parens = false, false, false, false, false, 0
}
