package brute

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

// RandomNames returns a random small grammar, and its text, with names in play: plain or typed, of one namespace
// or two, with definitions of every kind, scopes, commits, hidden names and names that are used
// before they are defined. Its names are characters and literals, so that a derivation has the same
// depth and size whether they are derived or not.
func RandomNames(rng *rand.Rand) (g *grammar.Grammar, source string) {
	for {
		r := &namesWriter{rng: rng, rules: 1 + rng.IntN(3), name: []string{"[ab]", `("a" | "b")`, `("a" | "bb")`, "[abc]"}[rng.IntN(4)]}
		for range 1 + rng.IntN(4)/3 {
			r.spaces = append(r.spaces, r.namespace(string("vw"[len(r.spaces)])))
		}
		g, source = r.grammar()
		if g != nil {
			return g, source
		}
	}
}

// namesWriter writes a grammar with names in the native notation.
type namesWriter struct {
	rng    *rand.Rand
	rules  int
	name   string
	spaces []nameSpace
}

type nameSpace struct {
	name                    string
	types                   []string
	define                  []string // the kinds of definitions
	forward, commit, scopes bool
}

func (r *namesWriter) namespace(name string) nameSpace {
	ns := nameSpace{name: name, types: [][]string{nil, nil, {"x"}, {"x", "y"}}[r.rng.IntN(4)], scopes: r.rng.IntN(3) > 0}
	switch r.rng.IntN(5) {
	case 0, 1:
		ns.forward, ns.define = true, []string{"fresh"}
	case 2:
		ns.define = [][]string{{"shadow"}, {"shadow", "fresh"}, {"shadow", "define"}}[r.rng.IntN(3)]
	default:
		ns.define = [][]string{{"define"}, {"fresh"}, {"define", "fresh"}}[r.rng.IntN(3)]
		ns.commit = r.rng.IntN(2) == 0
	}
	return ns
}

func (r *namesWriter) grammar() (*grammar.Grammar, string) {
	var src strings.Builder
	for i := range r.rules {
		if i == 0 {
			for _, ns := range r.spaces {
				if ns.forward {
					fmt.Fprintf(&src, "@forward(%s%s) ", ns.name, []string{"", ", 1"}[r.rng.IntN(2)])
				}
			}
		}
		fmt.Fprintf(&src, "r%d = %s ;\n", i, r.sequence(3))
	}
	g, _, err := load.Source("", []byte(src.String()), load.Options{Notation: "ebnf"})
	if err != nil {
		return nil, ""
	}
	return g, src.String()
}

func (r *namesWriter) sequence(depth int) string {
	var parts []string
	for range 1 + r.rng.IntN(3) {
		parts = append(parts, r.expr(depth-1))
	}
	if r.rng.IntN(3) == 0 {
		parts = append(parts, "|", r.expr(depth-1))
	}
	return strings.Join(parts, " ")
}

func (r *namesWriter) expr(depth int) string {
	ns := r.spaces[r.rng.IntN(len(r.spaces))]
	pick := r.rng.IntN(12)
	if depth <= 0 {
		pick = r.rng.IntN(8)
	}
	switch {
	case pick < 3:
		args := ns.name
		if ns.types != nil {
			args += ", " + ns.types[r.rng.IntN(len(ns.types))]
		}
		return fmt.Sprintf("%s @%s(%s)", r.name, ns.define[r.rng.IntN(len(ns.define))], args)
	case pick < 6:
		args := ns.name
		if ns.types != nil && r.rng.IntN(4) > 0 {
			args += ", " + ns.types[r.rng.IntN(len(ns.types))]
			if r.rng.IntN(3) == 0 {
				args = ns.name + ", " + strings.Join(ns.types, ", ")
			}
		}
		return fmt.Sprintf("%s @use(%s)", r.name, args)
	case pick == 6:
		return []string{`"."`, `""`}[r.rng.IntN(2)]
	case pick == 7:
		return fmt.Sprint("r", r.rng.IntN(r.rules))
	case pick == 8:
		return "(" + r.sequence(depth) + ")" + []string{"?", "*", "{1,2}"}[r.rng.IntN(3)]
	case pick == 9 && ns.commit:
		return fmt.Sprintf("(%s) @commit(%s)", r.sequence(depth), ns.name)
	case ns.scopes:
		return fmt.Sprintf(`("(" %s) @scope(%s)`, r.sequence(depth), ns.name)
	}
	return "(" + r.sequence(depth) + ")"
}
