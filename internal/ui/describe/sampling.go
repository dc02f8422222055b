package describe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
)

const (
	averaged = 2000     // sentences drawn for averages that are not computed
	parsed   = 200      // sentences parsed to estimate ambiguity
	tables   = 64 << 20 // memory of the parser's tables; if they need more there is no estimate
	memory   = 4 << 20  // memory of parsing one sentence; one that needs more is left out
	mostHuge = 20       // sentences left out after which no more are parsed
)

// Prediction describes n sentences in advance.
type Prediction struct {
	Grammar     string          `json:"grammar"`
	Strategy    string          `json:"strategy"`
	Bound       derive.BoundRef `json:"bound,omitzero"`
	Measure     string          `json:"measure"`
	N           int             `json:"n"`
	Derivations *Number         `json:"derivations,omitempty"` // within the bound; nil if they cannot be counted
	Names       []Constraint    `json:"names,omitempty"`       // of a grammar whose derivations can be counted
	Terminals   float64         `json:"terminals"`             // of a sentence on average, like the next fields
	Bytes       float64         `json:"bytes"`
	Drawn       int             `json:"drawn,omitempty"`   // the number of sentences drawn for the averages; 0: computed
	Turns       int             `json:"turns,omitempty"`   // parts of the grammar that have their turn
	NoTurn      []string        `json:"no_turn,omitempty"` // parts that no sentence within the bound has
	Possible    int             `json:"possible"`          // alternatives that a sentence of some size takes
	Drowned     int             `json:"drowned"`           // those that n sentences are expected to miss
	Choices     []Choice        `json:"choices"`
	Ambiguity   Ambiguity       `json:"ambiguity"`
	Suggested   *Suggestion     `json:"suggested,omitempty"` // nil if nothing drowns, or no sizes are better

	bound count.Bound
}

// Constraint says how much the annotations of names leave over: of so many derivations in which each
// name is any of its pool, one obeys them.
type Constraint struct {
	Namespace string  `json:"namespace,omitempty"` // "": all together
	OneOf     float64 `json:"one_of,omitempty"`    // 0 if counting takes too much memory or time
}

// Choice has the use of a choice of the grammar by sentences.
type Choice struct {
	Rule         string        `json:"rule"`
	Pos          string        `json:"pos"`
	Uses         float64       `json:"uses"` // per sentence
	Alternatives []Alternative `json:"alternatives"`
}

// Alternative has the use of an alternative.
type Alternative struct {
	Begins   string  `json:"begins"` // the expression, shortened to some symbols
	Uses     float64 `json:"uses"`   // per sentence
	Share    float64 `json:"share"`  // of its choice's uses
	Possible bool    `json:"possible"`
	Drowned  bool    `json:"drowned"`
}

// Mark classifies an alternative: "in no sentence", "drowned" or "".
func (a *Alternative) Mark() string {
	switch {
	case !a.Possible:
		return "in no sentence"
	case a.Drowned:
		return "drowned"
	}
	return ""
}

// Ambiguity estimates the number of texts with several derivations.
type Ambiguity struct {
	None    bool   `json:"none"`   // known to be 0
	Parsed  int    `json:"parsed"` // the number of texts examined
	Several int    `json:"several"`
	Why     string `json:"why,omitempty"` // the reason if there is no estimate
}

// Suggestion has sizes of which the same number of sentences miss fewer alternatives.
type Suggestion struct {
	Min     int `json:"min"`
	Max     int `json:"max"`
	Drowned int `json:"drowned"`
}

// Predict predicts n sentences that src draws by a strategy, which package sample need not have.
// Errors are those of [sample.Explain] and of src.
func Predict(ctx context.Context, g *grammar.Grammar, o sample.Options, strategy string, src Source, n int) (*Prediction, error) {
	var draw func(context.Context, uint64) (*derive.Tree, error)
	if strategy != o.Strategy.String() {
		draw = src.Tree
	}
	x, err := sample.Explain(ctx, g, o, averaged, draw)
	if err != nil {
		return nil, err
	}
	p := &Prediction{
		Grammar: g.Name, Strategy: strategy, Measure: o.Measure.String(), N: n, Terminals: x.Terminals, Bytes: x.Bytes,
		Drawn: x.Drawn, Turns: x.Turns, NoTurn: x.NoTurn, Choices: []Choice{}, bound: x.Bound,
	}
	if x.Bound != (count.Bound{}) {
		p.Bound = record.Bound(x.Bound)
	}
	if x.Total != nil {
		p.Derivations = &Number{x.Total}
	}
	p.names(x)
	p.choices(g, x)
	if p.Ambiguity, err = ambiguity(ctx, g, o.Measure, src); err != nil || p.Drowned == 0 {
		return p, err
	}
	b, missed, err := sample.Suggest(ctx, g, o, n)
	if ctx.Err() != nil {
		return nil, err
	}
	if missed >= 0 && missed < p.Drowned {
		p.Suggested = &Suggestion{b.Min, b.Max, missed}
	}
	return p, nil
}

// names adds the constraints of names, if there are names.
func (p *Prediction) names(x *sample.Explanation) {
	free := x.Kept[""]
	if free == nil {
		return
	}
	oneOf := func(kept *big.Int) float64 {
		if kept == nil {
			return 0
		}
		ratio, _ := new(big.Rat).SetFrac(free, kept).Float64()
		return ratio
	}
	p.Names = []Constraint{{OneOf: oneOf(x.Total)}}
	for _, kind := range slices.Sorted(maps.Keys(x.Kept)) {
		if kind != "" && len(x.Kept) > 2 {
			p.Names = append(p.Names, Constraint{kind, oneOf(x.Kept[kind])})
		}
	}
}

// choices adds the uses of choices.
func (p *Prediction) choices(g *grammar.Grammar, x *sample.Explanation) {
	drowned := map[int]bool{}
	for _, alt := range x.Missed(p.N) {
		drowned[alt] = true
	}
	p.Drowned = len(drowned)
	add := func(r *grammar.Rule, e *grammar.Expr) {
		c := Choice{Rule: r.Name, Pos: e.Pos.String()}
		for i := range e.Children {
			c.Uses += x.Alternatives[e.FirstAlt+i]
		}
		possible := 0
		for i, child := range e.Children {
			k := e.FirstAlt + i
			a := Alternative{Begins: brief(child), Uses: x.Alternatives[k], Possible: x.Possible[k], Drowned: drowned[k]}
			if c.Uses > 0 {
				a.Share = a.Uses / c.Uses
			}
			if a.Possible {
				possible++
			}
			c.Alternatives = append(c.Alternatives, a)
		}
		p.Possible += possible
		if possible > 0 {
			p.Choices = append(p.Choices, c)
		}
	}
	for _, r := range g.Rules {
		r.Body.Walk(func(e *grammar.Expr) {
			if e.Op == grammar.Choice {
				add(r, e)
			}
		})
	}
}

// Which selects the choices that [Prediction.WriteText] lists.
type Which int

// The choices listed.
const (
	NoChoices      Which = iota
	DrownedChoices       // choices with a drowned alternative
	AllChoices
)

// WriteText writes the prediction for people.
func (p *Prediction) WriteText(w io.Writer, which Which) error {
	var out strings.Builder
	fmt.Fprintf(&out, "grammar %s, strategy %s", p.Grammar, p.Strategy)
	if p.bound != (count.Bound{}) {
		fmt.Fprintf(&out, ", %v, measure %v", p.bound, p.Measure)
	}
	fmt.Fprintln(&out)
	switch {
	case p.Derivations != nil:
		fmt.Fprintf(&out, "%s derivations\n", words.About(p.Derivations.Int))
	case p.bound != (count.Bound{}):
		fmt.Fprintln(&out, "derivations not counted, which takes too much memory or time")
	}
	for _, c := range p.Names {
		of := "the annotations of names"
		if c.Namespace != "" {
			of = fmt.Sprintf("those of namespace %q", c.Namespace)
		}
		one, _ := big.NewFloat(c.OneOf).Int(nil)
		switch {
		case c.OneOf == 0:
			fmt.Fprintf(&out, "not counted, which takes too much memory or time: the derivations that obey %s\n", of)
		case c.OneOf < 1.01:
			fmt.Fprintf(&out, "if names are chosen freely, at least 99 of 100 derivations obey %s\n", of)
		case c.OneOf < 1000:
			fmt.Fprintf(&out, "if names are chosen freely, one derivation in %s obeys %s\n", Amount(c.OneOf), of)
		default:
			fmt.Fprintf(&out, "if names are chosen freely, one derivation in %s obeys %s\n", words.About(one), of)
		}
	}
	fmt.Fprintf(&out, "a sentence has on average %.1f terminals and %.1f bytes\n", p.Terminals, p.Bytes)
	if p.Turns > 0 {
		fmt.Fprintf(&out, "in turn: %s of the grammar\n", words.Plural(p.Turns, "part"))
	}
	if len(p.NoTurn) > 0 {
		fmt.Fprintf(&out, "in no sentence within the bound: %s\n", strings.Join(p.NoTurn, " "))
	}
	if p.Drawn > 0 {
		fmt.Fprintf(&out, "(averages of %d sentences drawn)\n", p.Drawn)
	}
	if p.Drowned == 0 {
		fmt.Fprintf(&out, "no alternative is drowned: %d sentences are expected to take each of %d\n", p.N, p.Possible)
	} else {
		fmt.Fprintf(&out, "drowned: %d of %d alternatives, which %d sentences are expected to miss\n", p.Drowned, p.Possible, p.N)
	}
	for _, c := range p.Choices {
		if which == AllChoices || which == DrownedChoices && slices.ContainsFunc(c.Alternatives, func(a Alternative) bool { return a.Drowned }) {
			c.writeText(&out)
		}
	}
	switch a := p.Ambiguity; {
	case a.Why != "":
		fmt.Fprintf(&out, "ambiguity not estimated: %s\n", a.Why)
	case a.None:
		fmt.Fprintln(&out, "not ambiguous: no text has two derivations")
	case a.Several == 0:
		fmt.Fprintf(&out, "ambiguity: none of %d texts has more than one derivation\n", a.Parsed)
	default:
		fmt.Fprintf(&out, "ambiguity: %d of %d texts have more than one derivation, and so are more likely than others\n", a.Several, a.Parsed)
	}
	if s := p.Suggested; s != nil {
		fmt.Fprintf(&out, "suggested: --size %d..%d, which misses %d\n", s.Min, s.Max, s.Drowned)
	} else if p.Drowned > 0 {
		fmt.Fprintln(&out, "no range of sizes that was tried misses fewer; draw more sentences (-n)")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// writeText lists the alternatives of a choice: the share of each, and its uses per sentence.
func (c *Choice) writeText(w io.Writer) {
	fmt.Fprintf(w, "%s: taken %s times a sentence\n", c.Pos, Amount(c.Uses))
	for _, a := range c.Alternatives {
		mark := a.Mark()
		if mark != "" {
			mark = "  " + mark
		}
		fmt.Fprintf(w, "  %7.3f %%  %-8s %s%s\n", 100*a.Share, Amount(a.Uses), a.Begins, mark)
	}
}

// Lengths returns the lengths in bytes of sentences of src, as many as averages take; fewer if it
// ends earlier.
func Lengths(ctx context.Context, src Source) (lengths []int, err error) {
	var text []byte
	for i := range uint64(averaged) {
		text, err = src.Append(ctx, text[:0], i)
		if errors.Is(err, sample.ErrExhausted) {
			break
		}
		if err != nil {
			return nil, err
		}
		lengths = append(lengths, len(text))
	}
	return lengths, nil
}

// Source draws sentences, like those of packages sample and stream.
type Source interface {
	Append(ctx context.Context, dst []byte, i uint64) ([]byte, error)
	Tree(ctx context.Context, i uint64) (*derive.Tree, error)
}

// Amount formats a number with three significant digits.
func Amount(x float64) string { return fmt.Sprintf("%.3g", x) }

// brief returns the beginning of an expression, for people.
func brief(x *grammar.Expr) string {
	var words []string
	var walk func(x *grammar.Expr)
	walk = func(x *grammar.Expr) {
		if len(words) > 6 {
			return
		}
		switch x.Op {
		case grammar.Lit:
			words = append(words, fmt.Sprintf("%q", x.Text))
		case grammar.Ref:
			words = append(words, x.Name)
		case grammar.Class:
			words = append(words, "[…]")
		case grammar.Seq:
			for _, k := range x.Children {
				walk(k)
			}
		default:
			words = append(words, "(…)")
		}
	}
	walk(x)
	if len(words) > 6 {
		words = append(words[:6], "…")
	}
	return strings.Join(words, " ")
}

// ambiguity estimates the number of texts with several derivations, by parsing some.
func ambiguity(ctx context.Context, g *grammar.Grammar, m grammar.Measure, src Source) (a Ambiguity, err error) {
	p, err := parse.New(ctx, g, parse.Options{Measure: m, MaxMemory: tables})
	if ctx.Err() != nil {
		return a, ctx.Err()
	}
	if err != nil {
		a.Why = err.Error()
		return a, nil
	}
	a.None = p.Deterministic()
	if a.None {
		return a, nil
	}
	p = p.Clone(memory)
	huge := 0
	for i := uint64(0); i < parsed && huge < mostHuge; i++ {
		text, err := src.Append(ctx, nil, i)
		if errors.Is(err, sample.ErrExhausted) {
			break
		}
		if err != nil {
			return a, err
		}
		forest, err := p.Parse(ctx, "sentence", string(text))
		if err != nil && !errors.Is(err, parse.ErrMemory) {
			return a, fmt.Errorf("a sentence is not read back, which is a mistake of gramfuzz: %w", err)
		}
		var trees *big.Int
		if err == nil {
			trees, err = forest.Count(ctx)
		}
		if errors.Is(err, parse.ErrMemory) {
			huge++
			continue
		}
		if err != nil {
			return a, err
		}
		a.Parsed++
		if trees.Cmp(big.NewInt(1)) > 0 {
			a.Several++
		}
	}
	if a.Parsed == 0 {
		a.Why = fmt.Sprintf("each of %d texts takes more than %d MiB to parse", huge, memory>>20)
	}
	return a, nil
}
