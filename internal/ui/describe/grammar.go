package describe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
)

// growthSteps is the number of counted depths or sizes, and growthMemory bounds their tables, so
// that they take well under a second.
const (
	growthSteps  = 8
	growthMemory = 16 << 20
)

// Contents describes a grammar and the growth of the number of its sentences.
type Contents struct {
	Grammar      string   `json:"grammar"`
	Notation     string   `json:"notation"`
	Start        string   `json:"start"`
	Rules        int      `json:"rules"` // of these:
	Tokens       int      `json:"tokens"`
	Fragments    int      `json:"fragments"`
	SkipRules    int      `json:"skip_rules"`
	Choices      int      `json:"choices"`
	Alternatives int      `json:"alternatives"`
	Recursive    []string `json:"recursive"` // names of rules, in order
	Finite       bool     `json:"finite"`    // finitely many sentences
	Least        Least    `json:"least"`
	NameStates   *Number  `json:"name_states,omitempty"` // of the names in play, at most; nil: the grammar has no names
	Growth       *Growth  `json:"growth,omitempty"`      // nil if there is too much to count
}

// Checked is the result of checking a grammar.
type Checked struct {
	*Contents                // nil: it cannot be used
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Diagnostic is a [grammar.Diagnostic] in JSON.
type Diagnostic struct {
	Severity string `json:"severity"` // "error", "warning" or "note"
	File     string `json:"file"`
	Line     int    `json:"line"`   // 0: of the whole file
	Column   int    `json:"column"` // in characters, from 1
	Code     string `json:"code"`   // the stable name of the kind
	Rule     string `json:"rule,omitempty"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
}

// Diagnostics returns diagnostics for JSON.
func Diagnostics(ds grammar.Diagnostics) []Diagnostic {
	out := []Diagnostic{}
	for _, d := range ds {
		out = append(out, Diagnostic{d.Severity.String(), d.Pos.File, d.Pos.Line, d.Pos.Col, d.Code, d.Rule, d.Message, d.Hint})
	}
	return out
}

// Least has the least sizes of sentences.
type Least struct {
	Depth     int `json:"depth"`
	Terminals int `json:"terminals"`
	Bytes     int `json:"bytes"`
}

// Growth is the number of derivations of some depths or sizes.
type Growth struct {
	By     string  `json:"by"` // "depth": at most that deep; "size": exactly that large
	Counts []Count `json:"counts"`
}

// Count is the number of sentences up to a depth, or of a size.
type Count struct {
	N         int    `json:"n"`
	Sentences Number `json:"sentences"`
}

// Number is a number of any length: in JSON a string of its digits, which no reader rounds.
type Number struct{ *big.Int }

// MarshalJSON implements [json.Marshaler].
func (n Number) MarshalJSON() ([]byte, error) { return json.Marshal(n.String()) }

// Learned has the weights of a grammar's alternatives, learnt from sentences.
type Learned struct {
	Grammar string     `json:"grammar"`
	Choices []Weighted `json:"choices"` // choices that some sentence makes
}

// Weighted is a choice with the weights of its alternatives.
type Weighted struct {
	Pos          string                `json:"pos"`
	Alternatives []WeightedAlternative `json:"alternatives"`
}

// WeightedAlternative is an alternative of a choice.
type WeightedAlternative struct {
	Begins string `json:"begins"` // the expression, shortened to some symbols
	Weight int    `json:"weight"`
}

// LearnedFrom lists choices with weights, given by the IDs of the choices.
func LearnedFrom(g *grammar.Grammar, weights map[int][]int) Learned {
	out := Learned{g.Name, []Weighted{}}
	for _, e := range g.Exprs {
		if ws, ok := weights[e.ID]; ok {
			w := Weighted{Pos: e.Pos.String()}
			for i, child := range e.Children {
				w.Alternatives = append(w.Alternatives, WeightedAlternative{brief(child), ws[i]})
			}
			out.Choices = append(out.Choices, w)
		}
	}
	return out
}

// ContentsOf examines a grammar and counts some of its sentences, in well under a second.
func ContentsOf(ctx context.Context, g *grammar.Grammar) (*Contents, error) {
	facts := g.Facts(nil, grammar.Structure)
	c := &Contents{
		Grammar: g.Name, Notation: g.Notation, Start: g.Start.Name, Alternatives: g.Alts, Finite: g.Finite(), Recursive: []string{},
		Least: Least{facts.Depth(g.Root, grammar.Any), facts.Size(g.Root, grammar.Terminals, grammar.Any), facts.Size(g.Root, grammar.Bytes, grammar.Any)},
	}
	for _, r := range g.Rules {
		if r.Inline {
			continue
		}
		c.Rules++
		switch r.Kind {
		case grammar.Token:
			c.Tokens++
		case grammar.Fragment:
			c.Fragments++
		case grammar.Skip:
			c.SkipRules++
		}
	}
	for _, e := range g.Exprs {
		if e.Op == grammar.Choice {
			c.Choices++
		}
	}
	for _, r := range g.Recursive() {
		c.Recursive = append(c.Recursive, r.Name)
	}
	slices.Sort(c.Recursive)
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		return nil, err
	}
	if names != nil {
		c.NameStates = &Number{(*scope.Names)(names).States()}
	}
	c.Growth, err = growth(ctx, g, c.Least)
	return c, err
}

// WriteText writes the contents for people.
func (c *Contents) WriteText(w io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, "grammar %s (%s), start %s\n", c.Grammar, c.Notation, c.Start)
	fmt.Fprint(&out, words.Plural(c.Rules, "rule"))
	var kinds []string
	for _, k := range []struct {
		n    int
		name string
	}{{c.Tokens, "token"}, {c.Fragments, "fragment"}, {c.SkipRules, "skip rule"}} {
		if k.n > 0 {
			kinds = append(kinds, words.Plural(k.n, k.name))
		}
	}
	if len(kinds) > 0 {
		fmt.Fprintf(&out, " (%s)", strings.Join(kinds, ", "))
	}
	fmt.Fprintf(&out, ", %s with %s\n", words.Plural(c.Choices, "choice"), words.Plural(c.Alternatives, "alternative"))
	if len(c.Recursive) > 0 {
		fmt.Fprintf(&out, "recursive: %s\n", firstOf(c.Recursive, 12))
	} else {
		fmt.Fprintln(&out, "no rule is recursive")
	}
	fmt.Fprintln(&out, map[bool]string{true: "finitely many sentences", false: "infinitely many sentences"}[c.Finite])
	fmt.Fprintf(&out, "least sentence: depth %d, %s, %s\n", c.Least.Depth, leastSize(c.Least.Terminals, "terminal"), leastSize(c.Least.Bytes, "byte"))
	if c.NameStates != nil {
		fmt.Fprintf(&out, "names in play: at most %s states\n", words.About(c.NameStates.Int))
	}
	if c.Growth != nil {
		fmt.Fprintf(&out, "sentences by %s:\n", map[string]string{"depth": "depth (gramfuzz count --depth D)", "size": "size (gramfuzz count --size N)"}[c.Growth.By])
		for _, n := range c.Growth.Counts {
			fmt.Fprintf(&out, "  %d\t%s\n", n.N, words.About(n.Sentences.Int))
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// leastSize formats a least size; [grammar.Never] stands for all that are too large.
func leastSize(n int, unit string) string {
	if n == grammar.Never {
		return "more than two billion " + unit + "s"
	}
	return words.Plural(n, unit)
}

// growth counts derivations by depth, from the least depth; by size if the numbers by depth have
// too many digits.
func growth(ctx context.Context, g *grammar.Grammar, least Least) (*Growth, error) {
	if least.Terminals == grammar.Never {
		return nil, nil
	}
	for _, b := range []count.Bound{
		count.Depth(least.Depth + growthSteps - 1), count.Depth(least.Depth),
		count.Sizes(least.Terminals, least.Terminals+growthSteps-1, grammar.Terminals),
	} {
		t, err := count.New(ctx, g, b, count.Options{MaxMemory: growthMemory})
		if uncountable(err) {
			continue
		}
		if errors.As(err, new(*count.EmptyError)) { // names need more than the least depth or size
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		r := &Growth{By: "size"}
		from, to := least.Terminals, b.Max
		if b.ByDepth() {
			r.By, from, to = "depth", least.Depth, b.Depth
		}
		for n := from; n <= to; n++ {
			r.Counts = append(r.Counts, Count{n, Number{t.At(n)}})
		}
		return r, nil
	}
	return nil, nil
}

// uncountable reports whether counting would take too much memory, or has too many states of
// names in play or elements of repetitions. Walks can draw from such a grammar.
func uncountable(err error) bool {
	return errors.Is(err, core.ErrMemory) || errors.As(err, new(*gctx.StatesError)) || errors.As(err, new(*scope.BoundTextError))
}

// Sizes returns the number of derivations of each size within a bound, in terminals or, for a
// binary grammar, in bytes. The bound begins with the least size and has as many sizes as can be
// counted in well under a second; there are no counts if that is none.
func Sizes(ctx context.Context, g *grammar.Grammar) (b count.Bound, counts []*big.Int, err error) {
	unit := grammar.Terminals
	if g.Binary {
		unit = grammar.Bytes
	}
	least := g.Facts(nil, grammar.Structure).Size(g.Root, unit, grammar.Any)
	if least == grammar.Never {
		return b, nil, nil
	}
	for _, steps := range []int{60, 20, growthSteps} {
		b = count.Sizes(least, least+steps, unit)
		t, err := count.New(ctx, g, b, count.Options{MaxMemory: growthMemory})
		if uncountable(err) {
			continue
		}
		if err != nil {
			return b, nil, err
		}
		for n := b.Min; n <= b.Max; n++ {
			counts = append(counts, t.At(n))
		}
		break
	}
	return b, counts, nil
}

// firstOf lists the first max names.
func firstOf(names []string, max int) string {
	if n := len(names) - max; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:max], ", "), n)
	}
	return strings.Join(names, ", ")
}
