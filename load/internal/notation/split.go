package notation

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Split cuts tokens into rules. Every rule begins at one of the given indices and ends before
// the next. The last token is the end of the file. Tokens before the first rule are returned
// as head.
func Split(toks []Token, starts []int) (head []Token, rules [][]Token) {
	end := len(toks) - 1
	if len(starts) == 0 {
		return toks[:max(end, 0)], nil
	}
	for i, s := range starts {
		to := end
		if i+1 < len(starts) {
			to = starts[i+1]
		}
		rules = append(rules, toks[s:to+1]) // including the token after it, see Rules
	}
	return toks[:starts[0]], rules
}

// Rules parses each rule of a Split and calls build with the tree. It returns one diagnostic
// for every malformed rule, and one for a head with tokens that are not elided.
func (r *Reader[T]) Rules(file string, head []Token, rules [][]Token, build func(rule *T)) (ds grammar.Diagnostics) {
	headBad := false // and reported
	for _, t := range head {
		if r.IsBad(t) {
			headBad = true
			break
		}
		if !r.Elide[t.Kind] {
			do := ""
			if r.Hint != nil {
				do = r.Hint(t)
			}
			if do == "" {
				do = "begin with a rule, as in: " + r.Example
			}
			ds = append(ds, Errorf(t.Pos, do, "%q stands before the first rule", clip(t.Value)))
			break
		}
	}
	if len(rules) == 0 && len(ds) == 0 && !headBad {
		ds = append(ds, grammar.Diagnostic{Severity: grammar.Error, Pos: grammar.Pos{File: file, Line: 1, Col: 1},
			Code: "empty-grammar", Message: "this file has no rules", Hint: "write at least one, as in: " + r.Example})
	}
	for _, toks := range rules {
		if slices.ContainsFunc(toks[:len(toks)-1], r.IsBad) {
			continue // reported with its tokens
		}
		rule, d := r.Rule(toks[:len(toks)-1], toks[len(toks)-1])
		if d != nil {
			ds = append(ds, *d)
			continue
		}
		build(rule)
	}
	return ds
}

// IsBad reports whether tokens of t's kind occur in broken text only.
func (r *Reader[T]) IsBad(t Token) bool {
	_, bad := r.Bad[t.Kind]
	return bad
}
