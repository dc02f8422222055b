package antlr4

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// lexRule is a lexer rule and its conversion.
type lexRule struct {
	name     string
	fragment bool
	literal  string // text of a rule that is a single literal
	parts    []*lexPart
}

// lexPart is a run of alternatives with the same commands.
type lexPart struct {
	rule  *syntax.Rule
	typ   string // token type passed to the parser
	shown bool   // whether it is passed to the parser
}

// addLexRule converts a lexer rule.
func (b *builder) addLexRule(r sourceRule) {
	p := place{rule: r.Name.Value, fold: r.fold}
	if r.unitRule.fold != nil {
		p.fold = *r.unitRule.fold
	}
	lr := &lexRule{name: r.Name.Value, fragment: r.fragment()}
	b.lexRules = append(b.lexRules, lr)
	if b.lexNames[lr.name] == nil {
		b.lexNames[lr.name] = lr
	}
	b.modes[r.mode] = true
	alts := r.Body.Alts
	for len(alts) > 0 {
		n := 1
		for n < len(alts) && (lr.fragment || sameCommands(alts[0], alts[n])) {
			n++
		}
		part := b.lexPart(p, lr, r, alts[:n])
		if len(lr.parts) > 0 {
			part.rule.Name = fmt.Sprintf("%s'%d", lr.name, len(lr.parts)+1)
		}
		if r := part.rule; part.shown && part.typ != r.Name {
			r.Commands = append(r.Commands, grammar.Command{Name: "type", Arg: part.typ, Pos: r.Pos})
		}
		lr.parts = append(lr.parts, part)
		alts = alts[n:]
	}
	lr.literal = b.soleLiteral(r.Body)
}

func sameCommands(a, b *alt) bool {
	return slices.EqualFunc(a.Commands, b.Commands, func(c, d command) bool { return c.Name == d.Name && c.Arg == d.Arg })
}

// lexPart makes a rule from alternatives with the same commands.
func (b *builder) lexPart(p place, lr *lexRule, r sourceRule, alts []*alt) *lexPart {
	pos := r.pos()
	if len(lr.parts) > 0 {
		pos = position(alts[0].Pos)
	}
	part := &lexPart{typ: lr.name, shown: !lr.fragment}
	part.rule = &syntax.Rule{Name: lr.name, Pos: pos, Kind: grammar.Token, Mode: r.mode}
	part.rule.Body = b.lexAlts(p, alts)
	if lr.fragment {
		part.rule.Kind, part.rule.Mode = grammar.Fragment, ""
		return part
	}
	for _, c := range alts[0].Commands {
		b.command(p, part, c)
	}
	return part
}

// command applies one lexer command. ANTLR allows a capital first letter.
func (b *builder) command(p place, part *lexPart, c command) {
	if first, size := utf8.DecodeRuneInString(c.Name); first != utf8.RuneError {
		c.Name = string(unicode.ToLower(first)) + c.Name[size:]
	}
	needsArg, known := map[string]bool{"skip": false, "more": false, "popMode": false,
		"mode": true, "pushMode": true, "type": true, "channel": true}[c.Name]
	switch {
	case !known:
		b.report(grammar.Error, p, c.Pos, "bad-command", commandHint, "unknown command %q", c.Name)
		return
	case needsArg && c.Arg == "":
		b.report(grammar.Error, p, c.Pos, "bad-command", commandHint, "the command %s needs an argument", c.Name)
		return
	case !needsArg && c.Arg != "":
		b.report(grammar.Error, p, c.Pos, "bad-command", commandHint, "the command %s takes no argument", c.Name)
		return
	}
	switch c.Name {
	case "skip":
		part.rule.Kind, part.shown = grammar.Skip, false
	case "more":
		part.shown = false
	case "channel":
		if c.Arg != "DEFAULT_TOKEN_CHANNEL" && c.Arg != "0" {
			part.rule.Kind, part.shown = grammar.Skip, false
		}
	case "type": // recorded with the name of the rule, which may be the name of another type
		part.typ = c.Arg
		return
	case "mode", "pushMode":
		c.Arg = modeName(c.Arg)
	}
	part.rule.Commands = append(part.rule.Commands, grammar.Command{Name: c.Name, Arg: c.Arg, Pos: position(c.Pos)})
}

// checkModes reports commands that refer to a mode without rules.
func (b *builder) checkModes() {
	for _, lr := range b.lexRules {
		for _, part := range lr.parts {
			for _, c := range part.rule.Commands {
				if (c.Name == "mode" || c.Name == "pushMode") && !b.modes[c.Arg] {
					b.ds = append(b.ds, grammar.Diagnostic{Severity: grammar.Warning, Pos: c.Pos, Code: "unknown-mode", Rule: lr.name,
						Message: fmt.Sprintf("unknown mode %q", c.Arg), Hint: "a mode begins with mode NAME; and needs a rule"})
				}
			}
		}
	}
}

// textTwins returns fragments X'text for hidden or split rules X that other lexer rules use. It
// changes the references in those rules to the fragments.
func (b *builder) textTwins() []*syntax.Rule {
	twin := map[string]string{}
	var out []*syntax.Rule
	for _, lr := range b.lexRules {
		if !b.lexRefs[lr.name] || lr.fragment || twin[lr.name] != "" {
			continue
		}
		if len(lr.parts) == 1 && lr.parts[0].rule.Kind == grammar.Token {
			continue
		}
		twin[lr.name] = lr.name + "'text"
		var bodies []*syntax.Expr
		for _, part := range lr.parts {
			bodies = append(bodies, part.rule.Body.Clone())
		}
		first := lr.parts[0].rule
		out = append(out, &syntax.Rule{Name: twin[lr.name], Pos: first.Pos, Kind: grammar.Fragment, Body: syntax.NewChoice(first.Pos, bodies...)})
	}
	redirect := func(e *syntax.Expr) {
		if t := twin[e.Name]; e.Op == grammar.Ref && t != "" {
			e.Name = t
		}
	}
	for _, lr := range b.lexRules {
		for _, part := range lr.parts {
			part.rule.Body.Walk(redirect)
		}
	}
	for _, r := range out {
		r.Body.Walk(redirect)
	}
	return out
}

// settleTypes determines the rules that produce each token type, and the literals that are
// aliases of one.
func (b *builder) settleTypes() {
	for _, lr := range b.lexRules {
		for _, part := range lr.parts {
			if part.shown {
				b.producers[part.typ] = append(b.producers[part.typ], part.rule.Name)
			}
		}
		if _, taken := b.aliases[lr.literal]; lr.literal != "" && !lr.fragment && !taken {
			b.aliases[lr.literal] = lr.name
		}
	}
}

// soleLiteral returns the text of a rule that consists of one literal, or "".
func (b *builder) soleLiteral(l *altList) string {
	var only *element
	for _, a := range l.Alts {
		for _, e := range a.Elements {
			switch {
			case e.Kind == elAction || e.Kind == elPredicate:
			case only != nil:
				return ""
			default:
				only = e
			}
		}
	}
	if len(l.Alts) != 1 || only == nil || only.Kind != elLiteral || only.Suffix != 0 || only.Not {
		return ""
	}
	return text(only.Text)
}

// text returns the characters of a literal as a string. It reports no errors; the conversion of the
// literal does.
func text(literal string) string {
	if body := literal[1 : len(literal)-1]; !strings.Contains(body, `\`) && utf8.ValidString(body) {
		return body
	}
	var out []byte
	for _, c := range unescape(literal, false, func(grammar.Severity, int, string, string, string) {}) {
		out = utf8.AppendRune(out, c.r)
	}
	return string(out)
}

// lexAlts converts alternatives of a lexer rule.
func (b *builder) lexAlts(p place, alts []*alt) *syntax.Expr {
	children := make([]*syntax.Expr, len(alts))
	for i, a := range alts {
		var seq []*syntax.Expr
		for _, e := range a.Elements {
			if !b.ignoredElement(e) {
				seq = append(seq, repeat(e, b.lexElement(p, e)))
			}
		}
		children[i] = syntax.NewSeq(position(a.Pos), seq...)
	}
	if set := oneSet(children); len(children) > 1 && set != nil {
		return set
	}
	return syntax.NewChoice(position(alts[0].Pos), children...)
}

// oneSet merges alternatives that are single characters or sets into one set, like ANTLR itself. It
// returns nil if there is any other alternative. Some grammars list categories of Unicode in
// hundreds of such alternatives.
func oneSet(children []*syntax.Expr) *syntax.Expr {
	var ranges []grammar.Range
	for _, k := range children {
		r, size := utf8.DecodeRuneInString(k.Text)
		switch {
		case k.Op == grammar.Class && !k.Negated:
			ranges = append(ranges, k.Ranges...)
		case k.Op == grammar.Lit && size == len(k.Text) && r != utf8.RuneError:
			ranges = append(ranges, grammar.Range{Lo: r, Hi: r})
		default:
			return nil
		}
	}
	return syntax.NewClass(children[0].Pos, false, ranges...)
}

// endOfText is the range that EOF means in a lexer rule.
var endOfText = grammar.Range{Lo: grammar.EndOfText, Hi: grammar.EndOfText}

// lexElement converts an element of a lexer rule without its suffix.
func (b *builder) lexElement(p place, e *element) *syntax.Expr {
	pos := position(e.Pos)
	if e.Not {
		return syntax.NewClass(pos, true, b.charSet(p, e)...)
	}
	switch e.Kind {
	case elLiteral:
		chars := unescape(e.Text, false, b.reporter(p, e.At))
		if len(chars) == 0 {
			b.report(grammar.Error, p, e.Pos, "empty-literal", "leave the alternative empty instead", "the literal is empty")
		}
		return literalExpr(pos, chars, p.fold)
	case elRange, elSet:
		return syntax.NewClass(pos, false, b.charSet(p, e)...)
	case elAny:
		return syntax.NewClass(pos, true)
	case elBlock:
		b.noCommands(p, e.Block)
		return b.lexAlts(p, e.Block.Alts)
	}
	if e.Text == "EOF" {
		return syntax.NewClass(pos, false, endOfText)
	}
	if !isTokenName(e.Text) {
		b.report(grammar.Error, p, e.Pos, "misplaced-rule", "a lexer rule is made of lexer rules alone, whose names begin with a capital letter",
			"lexer rule %q uses parser rule %q", p.rule, e.Text)
		return nothing(e.Pos)
	}
	b.lexRefs[e.Text] = true
	return syntax.NewRef(pos, e.Text)
}

// noCommands reports commands inside a block, where they are not allowed.
func (b *builder) noCommands(p place, l *altList) {
	for _, a := range l.Alts {
		for _, c := range a.Commands {
			b.report(grammar.Error, p, c.Pos, "bad-command", "commands end an outermost alternative", "the command %q stands inside a block", c.Name)
		}
	}
}

// charSet returns the characters of the set e, which may follow ~.
func (b *builder) charSet(p place, e *element) []grammar.Range {
	switch e.Kind {
	case elSet:
		return setRanges(e.Text, p.fold, b.reporter(p, e.At))
	case elLiteral:
		if r, ok := b.oneChar(p, e.At, e.Text); ok {
			return foldRange(r, r, p.fold)
		}
		return nil
	case elRange:
		lo, okLo := b.oneChar(p, e.At, e.Text)
		hi, okHi := b.oneChar(p, e.At, e.To)
		if okLo && okHi && lo > hi {
			b.report(grammar.Error, p, e.At, "bad-range", "swap its ends", "the range %s..%s goes backwards", e.Text, e.To)
		}
		if !okLo || !okHi || lo > hi {
			return nil
		}
		return foldRange(lo, hi, p.fold)
	case elBlock:
		var out []grammar.Range
		for _, a := range e.Block.Alts {
			if len(a.Elements) != 1 || a.Elements[0].Suffix != 0 || a.Elements[0].Not {
				b.notASet(p, a.Pos)
				continue
			}
			out = append(out, b.charSet(p, a.Elements[0])...)
		}
		return out
	}
	b.notASet(p, e.Pos)
	return nil
}

func (b *builder) notASet(p place, pos lexer.Position) {
	b.report(grammar.Error, p, pos, "not-a-set", "~ takes a character, a range, a set, or alternatives of these", "~ of something that is not one character")
}

// oneChar returns the single character of a literal, and reports a literal of any other length.
func (b *builder) oneChar(p place, pos lexer.Position, literal string) (rune, bool) {
	chars := unescape(literal, false, b.reporter(p, pos))
	if len(chars) != 1 {
		b.report(grammar.Error, p, pos, "not-a-set", "a set and the end of a range are single characters", "%s is not one character", literal)
		return 0, false
	}
	return chars[0].r, true
}
