package notation

import (
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// SplitAfter cuts tokens into rules that each end with a token of kind end. Tokens after the last
// such token are an unfinished rule, unless all of them are elided. Use it with [Reader.Rules].
func (r *Reader[T]) SplitAfter(toks []Token, end string) (rules [][]Token) {
	from := 0
	for i, t := range toks {
		last := i == len(toks)-1
		if t.Kind != end && !last {
			continue
		}
		to := i + 1
		if last {
			to = i
		}
		first := from // without leading layout
		for first < to && r.Elide[toks[first].Kind] {
			first++
		}
		if first < to {
			rules = append(rules, toks[first:min(to+1, len(toks))])
		}
		from = to
	}
	return rules
}

// Prose returns a reference to a rule named by prose, and the warning about it.
func Prose(pos grammar.Pos, text string) (*syntax.Expr, grammar.Diagnostic) {
	name := strings.Join(strings.Fields(text), " ")
	return syntax.NewRef(pos, name), grammar.Diagnostic{Severity: grammar.Warning, Pos: pos, Code: "prose", Rule: name,
		Message: name + " is prose: nothing can be generated for it", Hint: "say what it means in a companion file"}
}

// Backslash returns a note for the first literal with a backslash, in notations
// without escapes.
func Backslash(toks []Token, notation string, kinds ...string) grammar.Diagnostics {
	for _, t := range toks {
		for _, k := range kinds {
			if t.Kind == k && strings.Contains(t.Value, `\`) {
				return grammar.Diagnostics{{Severity: grammar.Note, Pos: Pos(t.Pos), Code: "backslash",
					Message: "a backslash stands for itself in " + notation + ", here and everywhere in the file"}}
			}
		}
	}
	return nil
}
