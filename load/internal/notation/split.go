package notation

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Split cuts tokens into rules. The rules begin at the given indices, and each ends before the
// next. The last token is the end of the file. head has the tokens before the first rule.
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
		rules = append(rules, toks[s:to+1]) // with the token after the rule, which Rules needs
	}
	return toks[:starts[0]], rules
}

// Rules parses each rule of a Split and calls build with its tree. It returns a diagnostic for
// every malformed rule, and one for a head with tokens that are not elided.
func (r *Reader[T]) Rules(file string, head []Token, rules [][]Token, build func(rule *T)) (ds grammar.Diagnostics) {
	headBad := false // the head has a bad token, which is already reported
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
			continue // already reported with its tokens
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

// IsBad reports whether t is of a kind for broken text.
func (r *Reader[T]) IsBad(t Token) bool {
	_, bad := r.Bad[t.Kind]
	return bad
}
