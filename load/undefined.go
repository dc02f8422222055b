package load

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/load/internal/bind"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// definition matches the name of a rule before the defining sign.
var definition = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<[^<>\n]+>\s*(?::|=)|[\pL_][\pL\pN_.-]*(?:[ \t]+[\pL_][\pL\pN_.-]*)*[\s?]*(?::|=)`)
})

// maxUndefined bounds the undefined rules reported beside other errors.
const maxUndefined = 50

// undefined returns the diagnostics about undefined rules of a file with other errors. read
// holds the rules without errors; nil where nothing could be read. A name that src defines in a rule with an error does not
// count as undefined.
func undefined(read *syntax.Grammar, src []byte) (ds grammar.Diagnostics) {
	if read == nil || len(read.Rules) == 0 {
		return nil
	}
	defined := make(map[string]bool)
	for _, d := range definition().FindAllString(string(src), -1) {
		name := strings.TrimRight(d, ":=? \t\r\n")
		words := strings.Fields(strings.Trim(name, "<>"))
		defined[name] = true
		for i := range words { // a name may have blanks, and another word may precede it
			defined[strings.Join(words[i:], " ")] = true
		}
	}
	bound, _ := bind.Bind(read)
	g, found := bound.Freeze(nil, nil, "")
	names := slices.Sorted(maps.Keys(defined))
	missing := make(map[grammar.Pos]string) // names without a rule, by the positions of their uses
	for _, e := range g.Exprs {
		if e.Op == grammar.Ref && e.Rule == nil && !defined[e.Name] {
			missing[e.Pos] = e.Name
		}
	}
	for _, d := range found {
		if name, ok := missing[d.Pos]; ok && d.Code == "undefined-rule" && len(ds) < maxUndefined {
			if near := words.Nearest(name, names); near != "" {
				d.Hint = fmt.Sprintf("did you mean %q?", near)
			}
			ds = append(ds, d)
		}
	}
	return ds
}
