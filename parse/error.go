package parse

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
)

// Error is the position where a text stops being a prefix of a sentence.
type Error struct {
	Pos      grammar.Pos // the file is the name of the text; Col counts characters
	Offset   int         // in bytes
	Found    string      // the text there, quoted, or "end of text"
	Expected []string    // quoted literals, classes and names of rules that could stand there; at most 8 and "…"
	Rule     string      // the innermost rule under way, or ""
	Begun    grammar.Pos // where it began
}

// Error formats the error as
// `file:line:col: unexpected "x"; expected "," or "]" (in rule array, begun at 3:1)`.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: unexpected %s", e.Pos, e.Found)
	for i, x := range e.Expected {
		switch {
		case i == 0:
			b.WriteString("; expected ")
		case i == len(e.Expected)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(x)
	}
	if e.Rule != "" {
		fmt.Fprintf(&b, " (in rule %s, begun at %d:%d)", e.Rule, e.Begun.Line, e.Begun.Col)
	}
	return b.String()
}

// maxExpected bounds the length of Error.Expected.
const maxExpected = 8

// position returns the position of a byte offset in a text.
func position(name, text string, offset int) grammar.Pos {
	before := text[:offset]
	line := 1 + strings.Count(before, "\n")
	before = before[strings.LastIndexByte(before, '\n')+1:]
	return grammar.Pos{File: name, Line: line, Col: utf8.RuneCountInString(before) + 1}
}

// explain makes the message for a parser that is stuck.
func (p *Parser) explain(name string, in *input, st *stuck) *Error {
	at := in.offset(st.place)
	e := &Error{Pos: position(name, in.text, at), Offset: at, Found: p.found(in, st.place)}
	for _, term := range p.expected(st) {
		s := "end of text"
		if term >= 0 {
			s = p.t.terms[term].describe(p.lexer)
		}
		if slices.Contains(e.Expected, s) {
			continue
		}
		if len(e.Expected) == maxExpected {
			e.Expected = append(e.Expected, "…")
			break
		}
		e.Expected = append(e.Expected, s)
	}
	begun := int32(-1)
	for _, t := range st.tops {
		if rule, from, ok := p.innermost(t); ok && from > begun {
			begun = from
			e.Rule, e.Begun = rule, position(name, in.text, in.offset(from))
		}
	}
	return e
}

// lexError makes the message for a text that cannot be cut into tokens. The error of the lexer
// says what is missing in the current token. That is more useful than the parser's
// expectations at the beginning of the token, unless the parser stops earlier.
func (p *Parser) lexError(ctx context.Context, name string, in *input, le *lex.Error) *Error {
	e := &Error{Pos: grammar.Pos{File: name, Line: le.Line, Col: le.Col}, Offset: le.At, Found: le.Found, Expected: le.Expected}
	if le.Reason != "" {
		e.Found, e.Expected = foundAt(in.text, le.At)+" ("+le.Reason+")", nil
		return e
	}
	cut := *in
	cut.text = in.text[:le.Offset]
	cut.tokens = append(cut.tokens, token{symNone, int32(le.Offset), int32(le.Offset)}) // where every parser is stuck
	_, st, err := p.run(ctx, p.t, &cut, &packed{})
	switch {
	case err != nil:
		return e
	case int(st.place) < len(in.tokens):
		return p.explain(name, in, st) // an earlier token is already wrong
	}
	before := p.explain(name, &cut, st)
	if le.At == le.Offset {
		e.Expected = before.Expected
	}
	e.Rule, e.Begun = before.Rule, before.Begun
	return e
}

// found describes the unit at a place.
func (p *Parser) found(in *input, place int32) string {
	if in.lexed && int(place) < len(in.tokens) {
		t := in.tokens[place]
		if int(t.start) < len(in.text) && t.start == t.end && t.sym >= symFirst {
			return p.lexer.Kinds()[t.sym-symFirst].Name
		}
		if t.start < t.end {
			return fmt.Sprintf("%q", clip(in.text[t.start:t.end]))
		}
	}
	if in.lexed {
		return "end of text"
	}
	return foundAt(in.text, int(place))
}

func foundAt(text string, at int) string {
	r, size := utf8.DecodeRuneInString(text[at:])
	switch {
	case size == 0:
		return "end of text"
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf("byte %#02x", text[at])
	}
	return fmt.Sprintf("%q", text[at:at+size])
}

// clip shortens a long text for a message.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// expected returns the terminals possible at the place, in the order of the grammar, with -1
// at the end for the end of the text.
func (p *Parser) expected(st *stuck) []int32 {
	var terms []int32
	end := false
	for _, t := range st.tops {
		for sym := int32(symEnd); sym < int32(p.t.alpha.size); sym++ {
			for _, state := range p.shiftable(t.states, sym) {
				if sym == symEnd {
					end = true
					continue
				}
				terms = p.accepting(terms, state, sym)
			}
		}
	}
	slices.SortFunc(terms, func(a, b int32) int { // as the grammar has them
		x, y := &p.t.terms[a], &p.t.terms[b]
		return cmp.Or(cmp.Compare(x.expr.ID, y.expr.ID), cmp.Compare(a, b))
	})
	terms = slices.Compact(terms)
	if end {
		terms = append(terms, -1)
	}
	return terms
}

// shiftable returns the states that shift sym (or, at the end, accept the text) after the
// reductions that it allows.
func (p *Parser) shiftable(stack []int32, sym int32) []int32 {
	type virtual struct {
		keep int     // states of the stack that remain
		more []int32 // states pushed on top of them
	}
	var out []int32
	todo := []virtual{{len(stack), nil}}
	const enough = 10_000
	var buf [1]int32
	for n := 0; len(todo) > 0 && n < enough; n++ {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		top := func(v virtual) int32 {
			if len(v.more) > 0 {
				return v.more[len(v.more)-1]
			}
			return stack[v.keep-1]
		}
		for _, act := range p.t.list(top(v), sym, &buf) {
			if act > 0 {
				out = append(out, top(v))
				continue
			}
			pr := &p.t.prods[^act]
			if pr.lhs == 0 {
				out = append(out, top(v))
				continue
			}
			w := virtual{v.keep, v.more}
			if len(pr.rhs) <= len(v.more) {
				w.more = v.more[:len(v.more)-len(pr.rhs)]
			} else {
				w.keep, w.more = v.keep-(len(pr.rhs)-len(v.more)), nil
			}
			w.more = append(slices.Clone(w.more), p.t.next(top(w), pr.lhs))
			todo = append(todo, w)
		}
	}
	return out
}

// accepting appends the terminals that state expects and that accept sym.
func (p *Parser) accepting(terms []int32, state, sym int32) []int32 {
	seen := map[int32]bool{}
	var queue []int32
	look := func(it int32) {
		switch x := p.t.after[it]; {
		case x == itemEnd:
		case x < 0:
			if slices.Contains(p.t.terms[^x].syms, sym) {
				terms = append(terms, ^x)
			}
		case !seen[x]:
			seen[x] = true
			queue = append(queue, x)
		}
	}
	for _, it := range p.t.kernels[state] {
		look(it)
	}
	for i := 0; i < len(queue); i++ {
		for _, pr := range p.t.byLeft[queue[i]] {
			look(p.t.base[pr])
		}
	}
	return terms
}

// innermost returns the name of the innermost unfinished rule and the place where it began.
func (p *Parser) innermost(t top) (rule string, from int32, ok bool) {
	states, places := slices.Clone(t.states), slices.Clone(t.places)
	for steps := 0; steps < 10_000 && len(states) > 1; steps++ {
		done := slices.IndexFunc(p.t.kernels[states[len(states)-1]], func(it int32) bool { return p.t.after[it] == itemEnd })
		if done < 0 {
			return p.owner(states, places)
		}
		pr := &p.t.prods[p.t.prodOf[p.t.kernels[states[len(states)-1]][done]]]
		if pr.lhs == 0 {
			break
		}
		n := len(states) - len(pr.rhs)
		states = append(states[:n], p.t.next(states[n-1], pr.lhs))
		places = places[:n+1]
	}
	return "", 0, false
}

// owner returns the unfinished rule at the top of a stack and the place where it began.
func (p *Parser) owner(states, places []int32) (name string, from int32, ok bool) {
	var owner *grammar.Rule
	for n := len(states) - 1; n > 0; {
		kernel := p.t.kernels[states[n]]
		it := kernel[0]
		for _, other := range kernel { // the one begun last
			if p.dot(other) < p.dot(it) {
				it = other
			}
		}
		nt := p.t.nonterms[p.t.prods[p.t.prodOf[it]].lhs]
		if ok && nt.rule != owner {
			break
		}
		n -= int(p.dot(it))
		owner, from, ok = nt.rule, places[n+1], true
		if nt.main && !nt.rule.Inline {
			break
		}
	}
	if !ok {
		return "", 0, false
	}
	name, _, _ = strings.Cut(owner.Name, "~") // helpers are named after the rule they help
	return name, from, true
}

// dot returns the number of symbols before the dot of an item.
func (p *Parser) dot(it int32) int32 { return it - p.t.base[p.t.prodOf[it]] }

// describe names a terminal in a message.
func (t *terminal) describe(lx *lex.Lexer) string {
	switch {
	case t.expr.Op == grammar.Class:
		return classText(t.expr)
	case t.expr.Op == grammar.Lit && t.rest != "":
		return fmt.Sprintf("%q", clip(t.rest))
	case t.expr.Op == grammar.Lit:
		return fmt.Sprintf("%q", clip(t.expr.Text))
	case t.expr.Rule != nil && t.expr.Rule.Body.Op == grammar.Lit && !t.expr.Rule.Body.Silent: // the text says more than the token's name
		return fmt.Sprintf("%q", clip(t.expr.Rule.Body.Text))
	}
	return t.expr.Name
}

// classText writes a class in the native notation, shortened where it is long.
func classText(e *grammar.Expr) string {
	if e.Negated && len(e.Ranges) == 0 {
		return "any character"
	}
	var b strings.Builder
	b.WriteByte('[')
	if e.Negated {
		b.WriteByte('^')
	}
	one := func(r rune) {
		switch {
		case r >= rawbyte.First:
			fmt.Fprintf(&b, `\x%02x`, r-rawbyte.First)
		case r == '-' || r == ']' || r == '^' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			q := fmt.Sprintf("%q", string(r))
			b.WriteString(strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`))
		}
	}
	for i, r := range e.Ranges {
		if i == 6 {
			b.WriteString("…")
			break
		}
		one(r.Lo)
		if r.Hi > r.Lo {
			if r.Hi > r.Lo+1 {
				b.WriteByte('-')
			}
			one(r.Hi)
		}
	}
	b.WriteByte(']')
	return b.String()
}
