package describe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/numbers"
)

// growthSteps is the number of depths, or sizes, that are counted, and growthMemory
// bounds the tables for them, so that they take well under a second.
const (
	growthSteps  = 8
	growthMemory = 16 << 20
)

// Grammar writes the contents of a grammar, its recursive rules, its least sentence, and
// how the number of its sentences grows. Counting takes well under a second.
func Grammar(ctx context.Context, w io.Writer, g *grammar.Grammar) error {
	facts := g.Facts(nil, grammar.Structure)
	var out strings.Builder
	fmt.Fprintf(&out, "grammar %s (%s), start %s\n", g.Name, g.Notation, g.Start.Name)
	fmt.Fprintln(&out, contents(g))
	recursive := g.Recursive()
	switch {
	case len(recursive) > 0:
		fmt.Fprintf(&out, "recursive: %s\n", ruleNames(recursive, 12))
	default:
		fmt.Fprintln(&out, "no rule is recursive")
	}
	if g.Finite() {
		fmt.Fprintln(&out, "finitely many sentences")
	} else {
		fmt.Fprintln(&out, "infinitely many sentences")
	}
	fmt.Fprintf(&out, "least sentence: depth %d, %s, %s\n", facts.Depth(g.Root, grammar.Any),
		numbers.Plural(facts.Size(g.Root, grammar.Terminals, grammar.Any), "terminal"),
		numbers.Plural(facts.Size(g.Root, grammar.Bytes, grammar.Any), "byte"))
	if err := growth(ctx, &out, g, facts); err != nil {
		return err
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// contents returns the numbers of rules, choices and alternatives.
func contents(g *grammar.Grammar) string {
	var rules, tokens, fragments, skips, choices int
	for _, r := range g.Rules {
		if r.Inline {
			continue
		}
		rules++
		switch r.Kind {
		case grammar.Token:
			tokens++
		case grammar.Fragment:
			fragments++
		case grammar.Skip:
			skips++
		}
	}
	for _, e := range g.Exprs {
		if e.Op == grammar.Choice {
			choices++
		}
	}
	s := numbers.Plural(rules, "rule")
	var kinds []string
	for _, k := range []struct {
		n    int
		name string
	}{{tokens, "token"}, {fragments, "fragment"}, {skips, "skip rule"}} {
		if k.n > 0 {
			kinds = append(kinds, numbers.Plural(k.n, k.name))
		}
	}
	if len(kinds) > 0 {
		s += " (" + strings.Join(kinds, ", ") + ")"
	}
	return fmt.Sprintf("%s, %s with %s", s, numbers.Plural(choices, "choice"), numbers.Plural(g.Alts, "alternative"))
}

// growth writes the number of derivations by depth, from the least depth; by size
// where the numbers by depth have too many digits.
func growth(ctx context.Context, w io.Writer, g *grammar.Grammar, facts *grammar.Facts) error {
	least := facts.Depth(g.Root, grammar.Any)
	bounds := []count.Bound{count.Depth(least + growthSteps - 1), count.Depth(least)}
	least = facts.Size(g.Root, grammar.Terminals, grammar.Any)
	bounds = append(bounds, count.Sizes(least, least+growthSteps-1, grammar.Terminals))
	for _, b := range bounds {
		t, err := count.New(ctx, g, b, count.Options{MaxMemory: growthMemory})
		if tooBig := new(count.MemoryError); errors.As(err, &tooBig) {
			continue
		}
		if err != nil {
			return err
		}
		from, to := least, b.Max
		fmt.Fprintf(w, "sentences by %s:\n", map[bool]string{true: "depth (gramfuzz count --depth D)", false: "size (gramfuzz count --size N)"}[b.ByDepth()])
		if b.ByDepth() {
			from, to = facts.Depth(g.Root, grammar.Any), b.Depth
		}
		for n := from; n <= to; n++ {
			fmt.Fprintf(w, "  %d\t%s\n", n, numbers.About(t.At(n)))
		}
		return nil
	}
	return nil
}

// ruleNames lists names, the first max of them.
func ruleNames(rules []*grammar.Rule, max int) string {
	var names []string
	for _, r := range rules {
		names = append(names, r.Name)
	}
	slices.Sort(names)
	if n := len(names) - max; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:max], ", "), n)
	}
	return strings.Join(names, ", ")
}
