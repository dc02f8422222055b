package dist

import (
	"context"
	"fmt"
	"math"
)

// estimate draws sentences, each from a configuration of its own. Leaves can be rows only if all
// are known, since samples may miss some.
func (a *accounting) estimate(ctx context.Context) error {
	a.Samples = a.o.Samples
	byLeaf := a.o.By != Alternatives && a.all != nil
	if a.o.By == Leaves && !byLeaf {
		return fmt.Errorf("the sentences cannot be listed: %s; alternatives can be accounted for", a.Why)
	}
	alts := make([]int, a.g.Alts)
	leaves := make([]int, len(a.all))
	index := make(map[string]int, len(a.all))
	for i, l := range a.all {
		index[key(l.structure)] = i
	}
	src := a.s.Source()
	for i := range a.Samples {
		t, err := src.Tree(ctx, uint64(i))
		if err != nil {
			return fmt.Errorf("sentence %d: %w", i, err)
		}
		choices, taken := structure(t, a.facts)
		for _, alt := range taken {
			alts[alt]++
		}
		if byLeaf {
			leaves[index[key(choices)]]++
		}
	}
	if byLeaf {
		a.Account.By = Leaves
		for i, l := range a.all {
			a.Rows = append(a.Rows, estimated(Row{Name: l.text, Choices: l.choices, Alt: -1, structure: l.structure}, leaves[i], a.Samples))
		}
		return nil
	}
	a.Account.By = Alternatives
	for _, n := range a.alternatives() {
		a.Rows = append(a.Rows, estimated(Row{Name: n.name, Alt: n.alt}, alts[n.alt], a.Samples))
	}
	return nil
}

// estimated fills in a row from hits in n draws: Wilson's score interval (1927)
// at 99%.
func estimated(r Row, hits, n int) Row {
	const z = 2.5758293035489
	p, m := float64(hits)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	r.Hits, r.Share = hits, p
	r.Lo, r.Hi = max(0, mid-half), min(1, mid+half)
	return r
}
