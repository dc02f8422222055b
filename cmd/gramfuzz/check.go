package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/hint"
)

const checkAbout = `
Check a grammar. Every mistake in it goes to standard error, as file:line:col:
what is wrong; what to do. Of a usable grammar, standard output shows the contents
and how the number of sentences grows.`

// growthSteps is the number of depths, or sizes, that check counts, and growthMemory
// bounds the tables for them, so that they take well under a second.
const (
	growthSteps  = 8
	growthMemory = 16 << 20
)

func runCheck(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "check -g GRAMMAR [flags]", checkAbout)
	gf := f.addGrammar()
	f.addQuiet()
	if err := f.parse(args, 1); err != nil {
		return err
	}
	if f.NArg() == 1 && !gf.given() {
		gf.path = f.Arg(0)
	}
	g, ds, err := gf.read()
	var errs grammar.Diagnostics
	if err != nil && !errors.As(err, &errs) {
		return err
	}
	for _, d := range ds {
		if d.Severity != grammar.Note || !f.quiet {
			std.diagnose(d)
		}
	}
	if err != nil {
		return &exitError{code: exitWrong}
	}
	if d, ok := hint.Note(ctx, g); ok && !f.quiet {
		std.diagnose(d)
	}
	return summarise(ctx, std.out, g)
}

// summarise writes the contents of the grammar.
func summarise(ctx context.Context, w io.Writer, g *grammar.Grammar) error {
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
		plural(facts.Size(g.Root, grammar.Terminals, grammar.Any), "terminal"),
		plural(facts.Size(g.Root, grammar.Bytes, grammar.Any), "byte"))
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
	s := plural(rules, "rule")
	var kinds []string
	for _, k := range []struct {
		n    int
		name string
	}{{tokens, "token"}, {fragments, "fragment"}, {skips, "skip rule"}} {
		if k.n > 0 {
			kinds = append(kinds, plural(k.n, k.name))
		}
	}
	if len(kinds) > 0 {
		s += " (" + strings.Join(kinds, ", ") + ")"
	}
	return fmt.Sprintf("%s, %s with %s", s, plural(choices, "choice"), plural(g.Alts, "alternative"))
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
			fmt.Fprintf(w, "  %d\t%s\n", n, about(t.At(n)))
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
