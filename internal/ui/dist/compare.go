package dist

import (
	"context"
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// Compared is one leaf or alternative in several accounts. Cells are in the order
// of the accounts. An account that lacks the row has a zero Row, with P nil and
// Share 0.
type Compared struct {
	Name    string
	Choices []int // of a leaf
	Alt     int   // of an alternative; of a leaf -1
	Cells   []Row

	structure []int
}

// Compare merges the rows of accounts of one grammar, in the order of choice sequences or
// alternatives. The accounts must be all by leaves or all by alternatives.
func Compare(accounts ...*Account) []Compared {
	var rows []Compared
	index := map[string]int{}
	for n, a := range accounts {
		for _, r := range a.Rows {
			k := key(append([]int{r.Alt}, r.structure...))
			at, ok := index[k]
			if !ok {
				at = len(rows)
				index[k] = at
				rows = append(rows, Compared{r.Name, r.Choices, r.Alt, make([]Row, len(accounts)), r.structure})
			}
			rows[at].Cells[n] = r
		}
	}
	slices.SortStableFunc(rows, func(x, y Compared) int {
		if x.Alt != y.Alt {
			return x.Alt - y.Alt
		}
		return slices.Compare(x.structure, y.structure)
	})
	return rows
}

// SideBySide computes the account of every strategy with every mode of a swarm. All have rows of
// one kind: alternatives if any account has alternatives. Errors name the account.
func SideBySide(ctx context.Context, g *grammar.Grammar, plan *stream.SwarmPlan, strategies []sample.Strategy, modes []string, o Options) ([]*Account, error) {
	var all []*Account
	for _, strategy := range strategies {
		for _, mode := range modes {
			o.Sample.Strategy, plan.Mode = strategy, mode
			sw, _, err := plan.Open(g, o.Sample.Measure)
			if err != nil {
				return nil, err
			}
			a, err := New(ctx, sw, o)
			if err != nil {
				return nil, fmt.Errorf("strategy %v, swarm %s: %w", strategy, mode, err)
			}
			all = append(all, a)
			if a.By != all[0].By {
				o.By = Alternatives
				return SideBySide(ctx, g, plan, strategies, modes, o)
			}
		}
	}
	return all, nil
}
