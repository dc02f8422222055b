package regexps

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Dialect is a dialect of regular expressions.
type Dialect struct {
	ascii  bool // \w, \d and \s mean ASCII, and letters of ASCII have no other cases beyond
	nested bool // classes may contain classes in brackets
	plain  bool // \s means only blanks, tabs and ends of lines
}

// The dialects.
var (
	TreeSitter    = Dialect{ascii: true, nested: true}              // of JavaScript, as in tree-sitter
	OldTreeSitter = Dialect{ascii: true, nested: true, plain: true} // as in versions of tree-sitter whose files name no schema
	Python        = Dialect{}                                       // of the module re
)

// Problem is an error in an expression, or a note about a part that is not kept.
type Problem struct {
	Offset   int // in characters
	Severity grammar.Severity
	What, Do string
}

const (
	maxNesting = 200     // of groups
	maxText    = 1 << 16 // bytes of an expression
	maxBound   = 1000    // of a counted repetition
	maxCopied  = 100_000 // expressions in copies; a lazy loop may double the part before it
)

// Parse reads a regular expression. flags has a letter for each flag. All parts of the result have
// the position pos. The result is nil if a problem is an error.
func Parse(pos grammar.Pos, text, flags string, d Dialect) (*syntax.Expr, []Problem) {
	p := &parser{pos: pos, d: d, text: text}
	if len(text) > maxText {
		p.fail("split the token", "the regular expression has more than %d bytes", maxText)
		return nil, p.problems
	}
	p.setFlags(flags, true)
	e := p.choice(0)
	if p.at < len(p.text) && !p.failed {
		p.fail(`write \) for a bracket`, "the ) closes nothing")
	}
	if p.failed {
		return nil, p.problems
	}
	return e, p.problems
}

// Refused returns the texts that negative lookaheads in an expression forbid. The arguments are as
// for Parse. Each forbidden text consists of a text of the part before the lookahead and a text
// that the lookahead excludes, which may extend past the expression. Refused returns nil if there
// are none.
func Refused(pos grammar.Pos, text, flags string, d Dialect) *syntax.Expr {
	p := &parser{pos: pos, d: d, text: text}
	if len(text) > maxText {
		return nil
	}
	p.setFlags(flags, true)
	var out []*syntax.Expr
	for _, items := range p.alternatives(0) {
		out = append(out, p.refused(items)...)
	}
	if p.failed || len(out) == 0 {
		return nil
	}
	return syntax.NewChoice(pos, out...)
}

type parser struct {
	pos      grammar.Pos
	d        Dialect
	text     string
	at       int
	flags    flags
	failed   bool
	copied   int // number of copied expressions
	problems []Problem
}

type flags struct{ fold, dot, verbose, ascii bool }

// item is a part of a sequence: an expression, or a lookahead or lookbehind.
type item struct {
	e    *syntax.Expr
	lazy bool // a loop that takes as few elements as possible
	look *look

	refused []*syntax.Expr // of a group: the texts that its lookaheads forbid, from the beginning of the group on
}

// look is a lookahead or lookbehind: a condition on the text after or before a place.
type look struct {
	behind, not bool
	e           *syntax.Expr
}

func (p *parser) fail(do, what string, args ...any) {
	p.report(grammar.Error, do, what, args...)
	p.failed, p.text, p.at = true, "", 0
}

// rest returns the unread text.
func (p *parser) rest() string { return p.text[min(p.at, len(p.text)):] }

func (p *parser) report(s grammar.Severity, do, what string, args ...any) {
	if p.failed { // errors caused by an earlier error do not count
		return
	}
	p.problems = append(p.problems, Problem{utf8.RuneCountInString(p.text[:min(p.at, len(p.text))]), s, fmt.Sprintf(what, args...), do})
}

func (p *parser) setFlags(letters string, on bool) {
	for _, f := range letters {
		switch f {
		case 'i':
			p.flags.fold = on
		case 's':
			p.flags.dot = on
		case 'x':
			p.flags.verbose = on
		case 'a':
			p.flags.ascii = on
		case 'm', 'l', 'u', 'g', 'v', 'y', 'd', 'L':
		default:
			p.fail("use i, m, s, u or x", "unknown flag %q", f)
		}
	}
}

// accept reads s if the text continues with it.
func (p *parser) accept(s string) bool {
	if strings.HasPrefix(p.rest(), s) {
		p.at += len(s)
		return true
	}
	return false
}

// until reads the text up to and including end.
func (p *parser) until(end string) string {
	i := strings.Index(p.rest(), end)
	if i < 0 {
		p.fail("write "+end, "%q is missing", end)
		return ""
	}
	out := p.text[p.at : p.at+i]
	p.at += i + len(end)
	return out
}

// choice reads alternatives, up to a closing bracket or the end.
func (p *parser) choice(depth int) *syntax.Expr {
	alts := p.alternatives(depth)
	out := make([]*syntax.Expr, len(alts))
	for i, items := range alts {
		out[i] = p.sequence(items)
	}
	return syntax.NewChoice(p.pos, out...)
}

func (p *parser) alternatives(depth int) (alts [][]item) {
	if depth > maxNesting {
		p.fail("split the token", "groups nest more than %d deep", maxNesting)
	}
	var now []item
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ')':
			return append(alts, now)
		case c == '|':
			p.at++
			alts, now = append(alts, now), nil
		case p.flags.verbose && strings.IndexByte(" \t\r\n\f\v", c) >= 0:
			p.at++
		case p.flags.verbose && c == '#':
			if _, _, more := strings.Cut(p.rest(), "\n"); !more {
				p.at = len(p.text)
			} else {
				p.until("\n")
			}
		default:
			now = append(now, p.quantified(p.atom(depth))...)
		}
	}
	return append(alts, now)
}

// quantified reads the repetitions after an atom.
func (p *parser) quantified(items []item) []item {
	for p.at < len(p.text) && !p.failed {
		lo, hi := 0, grammar.Unbounded
		switch {
		case p.accept("*"):
		case p.accept("+"):
			lo = 1
		case p.accept("?"):
			hi = 1
		default:
			var ok bool
			lo, hi, ok = p.bounds()
			if !ok {
				return items
			}
		}
		lazy := p.accept("?")
		if !lazy {
			p.accept("+") // possessive: ignored, since the lexer takes the longest match anyway
		}
		if len(items) == 1 && items[0].look != nil {
			continue
		}
		refused := p.refused(items)
		if hi != 1 {
			refused = nil
		}
		items = []item{{e: syntax.NewRep(p.pos, p.sequence(items), lo, hi), refused: refused, lazy: lazy && hi != lo && !p.d.nested}} // tree-sitter has no lazy loops
	}
	return items
}

// bounds reads {m}, {m,} or {m,n}. Other text in braces is literal.
func (p *parser) bounds() (lo, hi int, ok bool) {
	if p.text[p.at] != '{' {
		return 0, 0, false
	}
	inner, _, closed := strings.Cut(p.text[p.at+1:], "}")
	from, to, two := strings.Cut(inner, ",")
	lo, err := strconv.Atoi(from)
	if from == "" && two && !p.d.nested {
		lo, err = 0, nil
	}
	hi = lo
	if two && to == "" {
		hi = grammar.Unbounded
	} else if two && err == nil {
		hi, err = strconv.Atoi(to)
	}
	if !closed || err != nil || inner == "," {
		return 0, 0, false
	}
	if lo > maxBound || hi > maxBound || hi >= 0 && hi < lo || lo < 0 {
		p.fail(fmt.Sprintf("write numbers up to %d, the smaller first", maxBound), "the bounds {%s} cannot be read", inner)
		return 0, 0, false
	}
	p.at += len(inner) + 2
	return lo, hi, true
}

// atom reads the operand of a repetition.
func (p *parser) atom(depth int) []item {
	r, n := utf8.DecodeRuneInString(p.rest())
	switch {
	case r == '(':
		p.at++
		return p.group(depth)
	case r == '[':
		p.at++
		return p.oneOf(p.class(depth))
	case r == '.':
		p.at++
		if p.flags.dot {
			return p.oneOf(grammar.Set{}, true)
		}
		return p.oneOf(set("\n"), true)
	case r == '^', r == '$':
		p.report(grammar.Note, "", "%q is not kept: it looks out of the token", r)
		p.at++
		return nil
	case r == '*', r == '+', r == '?':
		p.fail(`write \ before the sign if it is meant as text`, "%q repeats nothing", r)
		return nil
	case r == '\\':
		return p.escaped()
	}
	p.at += n
	return []item{{e: p.char(r)}}
}

// oneOf returns the item for a class. It reports an empty class. In tree-sitter's lexers the
// character 0 is the end of the text, so no negated class contains it.
func (p *parser) oneOf(s grammar.Set, negated bool) []item {
	if !negated && s.Len() == 0 && !p.failed {
		p.report(grammar.Warning, "name at least one character", "a class has no characters")
	}
	if negated && p.d.nested {
		s = union(s, set("\x00"))
	}
	return []item{{e: syntax.NewClass(p.pos, negated, s.Ranges()...)}}
}

// char returns an expression for one character.
func (p *parser) char(r rune) *syntax.Expr {
	if p.flags.fold {
		if set := p.d.folded(grammar.Range{Lo: r, Hi: r}); set.Len() > 1 {
			ranges := []grammar.Range{{Lo: r, Hi: r}} // the character as written comes first
			for _, o := range set.Ranges() {
				for c := o.Lo; c <= o.Hi; c++ {
					if c != r {
						ranges = append(ranges, grammar.Range{Lo: c, Hi: c})
					}
				}
			}
			return syntax.NewClass(p.pos, false, ranges...)
		}
	}
	return syntax.NewLit(p.pos, string(r))
}

// group reads a group after its opening bracket, up to and including the closing one.
func (p *parser) group(depth int) []item {
	before := p.flags
	defer func() { p.flags = before }()
	var l *look
	switch {
	case p.accept("?#"):
		p.until(")")
		return nil
	case p.accept("?="):
		l = &look{}
	case p.accept("?!"):
		l = &look{not: true}
	case p.accept("?<="):
		l = &look{behind: true}
	case p.accept("?<!"):
		l = &look{behind: true, not: true}
	case p.accept("?P="):
		p.fail("say in a companion file what the token's texts are", "a reference to a group has no automaton")
		return nil
	case p.accept("?P<"), p.accept("?<"):
		p.until(">")
	case p.accept("?:"), p.accept("?>"):
	case p.accept("?"):
		end := strings.IndexAny(p.rest(), ":)")
		if end < 0 {
			p.fail(`write "(?:"`, "the group is never closed")
			return nil
		}
		on, off, _ := strings.Cut(p.text[p.at:p.at+end], "-")
		p.setFlags(on, true)
		p.setFlags(off, false)
		if p.failed {
			return nil
		}
		p.at += end + 1
		if p.text[p.at-1] == ')' { // applies to the rest of the enclosing group
			before = p.flags
			return nil
		}
	}
	alts := p.alternatives(depth + 1)
	if !p.accept(")") {
		p.fail("write ) where the group ends", "a group is never closed")
		return nil
	}
	if l == nil && len(alts) == 1 { // its loops and lookarounds become items of the surrounding sequence
		if next := p.at; next == len(p.text) || strings.IndexByte("*+?{", p.text[next]) < 0 {
			return alts[0]
		}
		refused := p.refused(alts[0])
		return []item{{e: p.sequence(alts[0]), refused: refused}}
	}
	out := make([]*syntax.Expr, len(alts))
	var refused []*syntax.Expr
	for i, a := range alts {
		refused = append(refused, p.refused(a)...)
		out[i] = p.sequence(a)
	}
	e := syntax.NewChoice(p.pos, out...)
	if l != nil {
		l.e = e
		return []item{{look: l}}
	}
	return []item{{e: e, refused: refused}}
}
