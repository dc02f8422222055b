package load

import (
	"regexp"
	"strings"
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/bind"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// definition matches the name of a rule before the sign that defines it.
var definition = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<[^<>\n]+>\s*(?::|=)|[\pL_][\pL\pN_.-]*(?:[ \t]+[\pL_][\pL\pN_.-]*)*[\s?]*(?::|=)`)
})

// undefined returns what there is to say about undefined rules of a file with other
// mistakes. read has the rules without one. A name that src defines, in a rule with
// a mistake, is none of them.
func undefined(read *syntax.Grammar, src []byte) (ds grammar.Diagnostics) {
	if len(read.Rules) == 0 {
		return nil
	}
	defined := make(map[string]bool)
	for _, d := range definition().FindAllString(string(src), -1) {
		name := strings.TrimRight(d, ":=? \t\r\n")
		words := strings.Fields(strings.Trim(name, "<>"))
		defined[name] = true
		for i := range words { // a name may have blanks, and another word may stand before it
			defined[strings.Join(words[i:], " ")] = true
		}
	}
	bound, _ := bind.Bind(read)
	g, found := bound.Freeze(nil, nil, "", false)
	spoilt := make(map[grammar.Pos]bool) // uses of rules that have a mistake
	for _, e := range g.Exprs {
		if e.Op == grammar.Ref && e.Rule == nil && defined[e.Name] {
			spoilt[e.Pos] = true
		}
	}
	for _, d := range found {
		if d.Code == "undefined-rule" && !spoilt[d.Pos] {
			ds = append(ds, d)
		}
	}
	return ds
}
