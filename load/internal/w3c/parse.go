package w3c

import (
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Parse reads a W3C EBNF file into a raw rule graph. name is the file's name in
// positions. Every malformed rule is reported; the graph has the others. Parse takes time
// linear in the file.
func Parse(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics) {
	b := &builder{
		g:    &syntax.Grammar{Name: name, Notation: "w3c", LenientUndefined: true},
		told: make(map[string]bool),
	}
	toks, ds := reader.Tokens(name, src)
	if len(toks) == 0 { // the file is not text
		return b.g, ds
	}
	b.ds = append(ds, notation.Backslash(toks, "W3C EBNF", "Literal", "Class")...)
	toks = b.numbersAsClasses(toks)
	parts := b.cut(toks)
	var head []notation.Token
	var rules [][]notation.Token
	for i, p := range parts {
		end := len(toks) - 1
		if i+1 < len(parts) {
			end = parts[i+1].at
		}
		switch p.kind {
		case headPart:
			head = toks[p.at:end]
		case rulePart:
			rules = append(rules, toks[p.at:end+1])
		case tokensPart:
			rules = append(rules, nil) // marks the beginning of the lexical rules
		}
	}
	b.parse(name, head, rules)
	b.kinds()
	b.ds.Sort()
	return b.g, b.ds
}

// partKind is a kind of part of a file.
type partKind uint8

const (
	headPart   partKind = iota // text before the first rule
	rulePart                   // a rule, or @pass
	tokensPart                 // lexical rules follow
	otherPart                  // a part without a meaning for the graph
)

type part struct {
	at   int
	kind partKind
}

// numbersAsClasses turns [12] into a class unless it numbers a rule.
func (b *builder) numbersAsClasses(toks []notation.Token) []notation.Token {
	starts := make(map[int]bool)
	for _, s := range ruleStarts(toks) {
		starts[s] = true
	}
	for i := range toks {
		if toks[i].Kind == "Number" && !starts[i] {
			toks[i] = reader.As("Class", toks[i])
		}
	}
	return toks
}

// ruleStarts returns the beginnings of rules. A rule begins at the name before ::=, or at
// the number before the name if the number is the first token of its line.
func ruleStarts(toks []notation.Token) (starts []int) {
	var seen []int // indices of the tokens so far that are not elided
	back := func(n int) (int, string) {
		if len(seen) < n {
			return -1, ""
		}
		return seen[len(seen)-n], toks[seen[len(seen)-n]].Kind
	}
	for i, t := range toks {
		if reader.Elide[t.Kind] {
			continue
		}
		if t.Kind == "Define" {
			at, kind := back(1)
			n := 1
			if at >= 0 && toks[at].Value == "?" { // REx marks rules with Name? ::=
				n = 2
				at, kind = back(2)
			}
			if kind != "Name" && kind != "AngleName" {
				starts = append(starts, i)
			} else {
				number, kind := back(n + 1)
				before, _ := back(n + 2)
				if kind == "Number" && (before < 0 || toks[before].Pos.Line < toks[number].Pos.Line) {
					at = number
				}
				starts = append(starts, at)
			}
		}
		seen = append(seen, i)
	}
	return starts
}

// cut finds the parts of the file.
func (b *builder) cut(toks []notation.Token) []part {
	parts := []part{{0, headPart}}
	starts := ruleStarts(toks)
	last := -1 // the last token that can be the left side of a preference
	for i, t := range toks {
		if len(starts) > 0 && starts[0] == i {
			parts, starts = append(parts, part{i, rulePart}), starts[1:]
		}
		switch t.Kind {
		case "Pass":
			parts = append(parts, part{i, rulePart})
		case "Tokens":
			b.g.ContextLexing = strings.HasPrefix(t.Value, "<?")
			parts = append(parts, part{i, tokensPart}, part{i + 1, otherPart})
		case "Encore":
			b.note(t, "encore", "all that follows <?ENCORE?> is not used")
			return append(parts, part{i, otherPart})
		case "Prefer":
			b.note(t, "preference", "preferences between tokens are not used; tokens are told apart by length, then by order")
			if at := parts[len(parts)-1].at; last > at {
				parts = append(parts, part{last, otherPart})
			}
		case "Instruction":
			b.note(t, "instruction", "processing instructions are not used")
		case "Name", "AngleName", "Literal", "Class":
			last = i
		}
	}
	return parts
}

// parse parses the rules. A nil among them marks the beginning of the lexical rules.
func (b *builder) parse(name string, head []notation.Token, rules [][]notation.Token) {
	var toks [][]notation.Token
	for _, r := range rules {
		if r != nil {
			toks = append(toks, r)
		}
	}
	byPos := make(map[grammar.Pos]int, len(toks)) // indices in toks, by the position of a rule's first token
	lexical := make(map[grammar.Pos]bool)
	after := false
	for _, r := range rules {
		if r == nil {
			after = true
			continue
		}
		pos := notation.Pos(r[0].Pos)
		byPos[pos], lexical[pos] = len(byPos), after
	}
	b.ds = append(b.ds, reader.Rules(name, head, toks, func(r *rule) {
		pos := notation.Pos(r.Pos)
		b.rule(r, lexical[pos], comments(toks[byPos[pos]]))
	})...)
}

// comments returns the text of a rule's comments that contain ws:.
func comments(toks []notation.Token) string {
	var b strings.Builder
	for _, t := range toks[:len(toks)-1] {
		if t.Kind == "Comment" && strings.Contains(t.Value, "ws:") {
			b.WriteString(strings.Join(strings.Fields(t.Value), " "))
		}
	}
	return b.String()
}
