package load

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/load/internal/abnf"
	"github.com/gramfuzz/gramfuzz/load/internal/antlr4"
	"github.com/gramfuzz/gramfuzz/load/internal/bnf"
	"github.com/gramfuzz/gramfuzz/load/internal/ebnf"
	"github.com/gramfuzz/gramfuzz/load/internal/gbnf"
	"github.com/gramfuzz/gramfuzz/load/internal/jsong"
	"github.com/gramfuzz/gramfuzz/load/internal/w3c"
)

// printers returns the table of the notations that can be written. To add one, add a line.
func printers() map[string]func(*grammar.Grammar) (string, grammar.Diagnostics) {
	return map[string]func(*grammar.Grammar) (string, grammar.Diagnostics){
		"ebnf": native,
		"antlr4": func(g *grammar.Grammar) (string, grammar.Diagnostics) {
			text, ds := antlr4.Print(g)
			return text, append(ds, contexts(g, "ANTLR")...)
		},
		"abnf":  abnf.Print,
		"bnf":   bnf.Print,
		"gbnf":  gbnf.Print,
		"jsong": jsong.Print,
		"w3c":   w3c.Print,
	}
}

// native writes the native notation. An undefined rule is an error there, so it becomes a rule
// that derives no text.
func native(g *grammar.Grammar) (string, grammar.Diagnostics) {
	text, ds := ebnf.Print(g), contexts(g, "the native notation")
	told := make(map[string]bool)
	var more strings.Builder
	for _, e := range g.Exprs {
		if e.Op != grammar.Ref || e.Rule != nil || told[e.Name] {
			continue
		}
		told[e.Name] = true
		ds = append(ds, grammar.Diagnostic{Severity: grammar.Warning, Pos: e.Pos, Code: "undefined-rule", Rule: e.Name,
			Message: fmt.Sprintf("what the undefined rule %q means cannot be said", e.Name), Hint: "define it; written is a rule that derives no text"})
		name := ebnf.Name(e.Name)
		rule, _ := ebnf.Format("", []byte(fmt.Sprintf(`%s = "?" %s ;`, name, name)))
		fmt.Fprintf(&more, "\n# Defined nowhere: it derives no text.\n%s", rule)
	}
	return text + more.String(), ds
}

// contexts lists the features that only the notation of REx can express.
func contexts(g *grammar.Grammar, target string) (ds grammar.Diagnostics) {
	lose := func(r *grammar.Rule, what, do string) {
		ds = append(ds, grammar.Diagnostic{Severity: grammar.Warning, Pos: r.Pos, Code: "lost-context", Rule: r.Name,
			Message: what + " cannot be expressed in " + target, Hint: do})
	}
	if g.ContextLexing {
		lose(g.Start, "that the parser's state tells tokens apart", "check where tokens overlap: the first of the longest is taken")
	}
	for _, r := range g.Rules {
		if r.Glued {
			lose(r, fmt.Sprintf("that no layout stands between the parts of %q", r.Name), "make it a token, if it is regular")
		}
	}
	return ds
}

// Printable returns the names of the notations that [Print] writes, sorted.
func Printable() []string {
	var names []string
	for name := range printers() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Print writes a grammar in a notation, given by its name or by g4 or json. The diagnostics
// list parts that the notation cannot express and that are left out. The error is not nil if
// the notation is unknown.
func Print(g *grammar.Grammar, notation string) (string, grammar.Diagnostics, error) {
	p := printers()[canonical(notation)]
	if p == nil {
		return "", nil, fmt.Errorf("unknown notation %q to write; %s", notation, words.DidYouMean(notation, Printable()))
	}
	text, ds := p(g)
	return text, ds, nil
}
