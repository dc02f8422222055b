package dist

import "slices"

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

// Compare puts the rows of accounts of one grammar side by side, in the order of
// choice sequences or alternatives. The accounts must be all by leaves or all by
// alternatives.
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
