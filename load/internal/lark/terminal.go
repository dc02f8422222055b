package lark

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/regexps"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// maxPattern bounds the regular expression of a terminal, in bytes.
const maxPattern = 1 << 16

// terminal is a token: one regular expression, or one string.
type terminal struct {
	name     string
	pos      grammar.Pos
	pattern  string
	text     string // of a terminal that is a plain string
	priority int
	layout   bool
	refused  bool         // added by refuse, not in a file
	body     *syntax.Expr // nil after a reported error
}

// add returns the terminal with a pattern, creating it if necessary.
func (b *builder) add(name string, pos grammar.Pos, pattern, text string, priority int) *terminal {
	if t := b.patterns[pattern]; t != nil {
		return t
	}
	t := &terminal{name: name, pos: pos, pattern: pattern, text: text, priority: priority}
	b.patterns[pattern] = t
	b.tokens = append(b.tokens, t)
	if text != "" {
		t.body = syntax.NewLit(pos, text)
		return t
	}
	e, problems := regexps.Parse(pos, pattern, "", regexps.Python)
	for _, p := range problems {
		sev, do := p.Severity, p.Do
		if sev == grammar.Error { // only uses of the terminal are lost, the rest is kept
			sev = grammar.Warning
		}
		b.l.ds = append(b.l.ds, grammar.Diagnostic{Severity: sev, Pos: pos, Code: "pattern", Rule: name, Message: fmt.Sprintf("in the terminal %s: %s", name, p.What), Hint: do})
	}
	t.body = e
	if e != nil {
		b.refuse(t)
	}
	return t
}

// refuse adds a token for the texts that lookaheads in a terminal forbid. No rule refers to this
// token. But it competes like any other: two tokens that would be read as this one need a separator
// between them.
func (b *builder) refuse(t *terminal) {
	if e := regexps.Refused(t.pos, t.pattern, "", regexps.Python); e != nil {
		b.tokens = append(b.tokens, &terminal{name: t.name + " (?!)", pos: t.pos, pattern: t.pattern, priority: t.priority, body: e, refused: true})
	}
}

// text returns the expression of a string, a range or a regular expression of a rule.
func (b *builder) text(it *item, s *scope) *syntax.Expr {
	pos := notation.Pos(it.Pos)
	if it.Text != "" && it.To == "" && !strings.HasSuffix(it.Text, "i") {
		text := b.unescape(pos, it.Text)
		if text == "" {
			b.l.fail(pos, "leave it out, or write [ ] around what may be missing", "the string is empty")
		}
		return syntax.NewLit(pos, text)
	}
	once := *it // the repetition belongs to the rule
	once.Op, once.Least, once.Most = "", "", ""
	pattern := b.pattern(&once, s, nil)
	t := b.add(it.Text+cmp.Or(it.Regexp, rangeEnd(it)), pos, pattern, "", 0)
	return syntax.NewRef(pos, t.name)
}

func rangeEnd(it *item) string {
	if it.To == "" {
		return ""
	}
	return ".." + it.To
}

// terminal returns a use of a terminal in a rule.
func (b *builder) terminal(it *item, s *scope) *syntax.Expr {
	pos := notation.Pos(it.Pos)
	if it.Args != nil {
		b.l.fail(pos, "make it a rule", "a terminal takes no arguments")
	}
	if t := b.named(s, it.Name); t != nil {
		return syntax.NewRef(pos, t.name)
	}
	return syntax.NewRef(pos, s.global(it.Name))
}

// named returns the token of a terminal, or nil if it is undefined.
func (b *builder) named(s *scope, name string) *terminal {
	at, d := s.find(name)
	if d == nil {
		return nil
	}
	if len(d.Params) > 0 {
		b.l.fail(notation.Pos(d.Pos), "make it a rule", "a terminal takes no parameters")
		return nil
	}
	priority := 0
	if d.Priority != "" {
		var err error
		if priority, err = strconv.Atoi(d.Priority); err != nil {
			b.l.fail(notation.Pos(d.Pos), "write a smaller number", "%s is not a priority", d.Priority)
		}
	}
	text := ""
	if it := d.Body.only(); it != nil && it.Text != "" && it.To == "" && !strings.HasSuffix(it.Text, "i") {
		text = b.unescape(notation.Pos(it.Pos), it.Text)
	}
	pattern := b.alternatives(d.Body, at, []*definition{d})
	if t := b.patterns[pattern]; t != nil && t.name != s.global(name) && t.pos.File == notation.Pos(d.Pos).File && t.pos.Line == notation.Pos(d.Pos).Line {
		return t
	} else if t != nil && t.name != s.global(name) {
		pattern += "(?#" + s.global(name) + ")" // two terminals with the same pattern stay two tokens
	}
	return b.add(s.global(name), notation.Pos(d.Pos), pattern, text, priority)
}

// only returns the item of a choice that consists of a single item, or nil.
func (c *choice) only() *item {
	if len(c.Alts) == 1 && len(c.Alts[0].Items) == 1 {
		if it := c.Alts[0].Items[0]; it.Op == "" && it.Least == "" {
			return it
		}
	}
	return nil
}

// alternatives returns Lark's regular expression for a choice. within has the terminals that
// contain it, to detect recursion.
func (b *builder) alternatives(c *choice, s *scope, within []*definition) string {
	var alts []string
	for _, a := range c.Alts {
		var out strings.Builder
		for _, it := range a.Items {
			out.WriteString(b.pattern(it, s, within))
			if out.Len() > maxPattern {
				b.l.fail(notation.Pos(it.Pos), "split the terminal", "a terminal comes to more than %d bytes", maxPattern)
				return ""
			}
		}
		alts = append(alts, out.String())
	}
	if len(alts) == 1 {
		return alts[0]
	}
	return "(?:" + strings.Join(alts, "|") + ")"
}

// pattern returns the regular expression of an item of a terminal.
func (b *builder) pattern(it *item, s *scope, within []*definition) string {
	pos := notation.Pos(it.Pos)
	out := ""
	switch {
	case it.Group != nil:
		out = b.alternatives(it.Group, s, within)
	case it.Maybe != nil:
		out = "(?:" + b.alternatives(it.Maybe, s, within) + ")?"
	case it.To != "":
		lo, hi := []rune(b.unescape(pos, it.Text)), []rune(b.unescape(pos, it.To))
		if len(lo) != 1 || len(hi) != 1 || lo[0] > hi[0] {
			b.l.fail(pos, `write one character each, the smaller first: "a".."z"`, "the range %s..%s cannot be read", it.Text, it.To)
			return ""
		}
		out = fmt.Sprintf(`[\U%08x-\U%08x]`, lo[0], hi[0])
	case it.Text != "":
		body, fold := strings.CutSuffix(it.Text, "i")
		out = regexp.QuoteMeta(b.unescape(pos, body))
		if fold {
			out = "(?i:" + out + ")"
		}
	case it.Regexp != "":
		end := strings.LastIndexByte(it.Regexp, '/')
		out = it.Regexp[1:end]
		if flags := it.Regexp[end+1:]; flags != "" {
			out = "(?" + flags + ":" + out + ")"
		}
	case !isTerminal(it.Name):
		b.l.fail(pos, "write terminals and strings, or make it a rule", "a terminal cannot use the rule %q", it.Name)
	default:
		out = b.part(it, s, within)
	}
	if lo, hi, ok := b.bounds(it); ok {
		out = "(?:" + out + ")"
		switch {
		case it.Op != "":
			out += it.Op
		case lo == hi:
			out += fmt.Sprintf("{%d}", lo)
		default:
			out += fmt.Sprintf("{%d,%d}", lo, hi)
		}
	}
	return out
}

// part returns the regular expression of a terminal used by another terminal.
func (b *builder) part(it *item, s *scope, within []*definition) string {
	pos := notation.Pos(it.Pos)
	at, d := s.find(it.Name)
	switch {
	case d == nil:
		b.l.fail(pos, "define or import it", "the terminal %q is not defined", it.Name)
		return ""
	case slices.Contains(within, d):
		b.l.fail(pos, "make it a rule", "the terminal %q leads to itself", it.Name)
		return ""
	}
	key := place{d, at}
	if out, ok := b.parts[key]; ok {
		return out
	}
	out := b.alternatives(d.Body, at, append(within[:len(within):len(within)], d))
	b.parts[key] = out
	return out
}

// place is a definition in a scope.
type place struct {
	d *definition
	s *scope
}

// unescape returns the text of a string.
func (b *builder) unescape(pos grammar.Pos, quoted string) string {
	body := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(quoted, "i"), `"`), `"`)
	var out strings.Builder
	for len(body) > 0 {
		i := strings.IndexByte(body, '\\')
		if i < 0 || i+1 == len(body) {
			out.WriteString(body)
			break
		}
		out.WriteString(body[:i])
		body = body[i+1:]
		switch c := body[0]; {
		case c == '\\' || c == '"':
			out.WriteByte(c)
			body = body[1:]
		case strings.IndexByte("nftrxuU", c) >= 0:
			r, _, rest, err := strconv.UnquoteChar(`\`+body, '"')
			if err != nil {
				b.l.fail(pos, `write \xXX, \uXXXX or \UXXXXXXXX`, `\%c is no code of a character in %s`, c, quoted)
				return out.String()
			}
			out.WriteRune(r)
			body = rest
		default: // keep the backslash
			out.WriteByte('\\')
		}
	}
	return out.String()
}

// ignore turns the terminal of an %ignore into layout.
func (b *builder) ignore(s *scope, c *choice) {
	var t *terminal
	if it := c.only(); it != nil && it.Name != "" {
		t = b.named(s, it.Name)
		if t == nil {
			b.l.fail(notation.Pos(it.Pos), "define or import it", "the terminal %q is not defined", it.Name)
			return
		}
	} else {
		pattern := b.alternatives(c, s, nil)
		t = b.add("/"+pattern+"/", notation.Pos(c.Pos), pattern, "", 0)
	}
	t.layout = true
}

// finish adds the rules of tokens, in the order in which Lark tries them. At the same priority,
// strings precede regular expressions.
func (b *builder) finish() {
	slices.SortStableFunc(b.tokens, func(x, y *terminal) int {
		plain := func(t *terminal) int {
			if t.text != "" {
				return 0
			}
			return 1
		}
		return cmp.Or(y.priority-x.priority, plain(x)-plain(y), len(y.pattern)-len(x.pattern), cmp.Compare(x.name, y.name))
	})
	for _, t := range b.tokens {
		if t.body == nil {
			continue
		}
		r := &syntax.Rule{Name: t.name, Pos: t.pos, Kind: grammar.Token, Body: t.body, Priority: t.priority, Inline: t.refused}
		if t.layout {
			r.Kind = grammar.Skip
		}
		b.g.Rules = append(b.g.Rules, r)
	}
}
