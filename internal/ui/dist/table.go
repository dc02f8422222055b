package dist

import (
	"fmt"
	"io"
	"math/big"
	"strings"
	"text/tabwriter"

	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// ColumnName names an account by its difference from the others.
func ColumnName(accounts []*Account, i int) string {
	strategies, modes := map[sample.Strategy]bool{}, map[swarm.Mode]bool{}
	for _, a := range accounts {
		strategies[a.Strategy], modes[a.Mode] = true, true
	}
	a := accounts[i]
	switch {
	case a.Mode == swarm.Off && (len(modes) == 1 || len(strategies) > 1):
		return a.Strategy.String()
	case a.Mode == swarm.Off:
		return "no swarm"
	case len(strategies) == 1 && len(modes) > 1:
		return a.Mode.String()
	}
	return a.Strategy.String() + " " + a.Mode.String()
}

// longestFraction is the greatest length of a fraction in the table.
const longestFraction = 15

// WriteTable writes a row for each sentence or alternative, a column for each account.
func WriteTable(to io.Writer, accounts []*Account) error {
	w := tabwriter.NewWriter(to, 0, 8, 2, ' ', 0)
	head := []string{"sentence"}
	if accounts[0].By == Alternatives {
		head[0] = "alternative"
	}
	for i := range accounts {
		head = append(head, ColumnName(accounts, i))
	}
	fmt.Fprintln(w, strings.Join(head, "\t"))
	for _, row := range Compare(accounts...) {
		line := []string{row.Name}
		if row.Alt < 0 {
			line[0] = oneLine(row.Name)
		}
		for i, c := range row.Cells {
			line = append(line, cell(c, accounts[i].Exact))
		}
		fmt.Fprintln(w, strings.Join(line, "\t"))
	}
	return w.Flush()
}

// oneLine quotes a text that would break the table.
func oneLine(s string) string {
	if quoted := fmt.Sprintf("%q", s); s == "" || s != strings.TrimSpace(s) || len(quoted) > len(s)+2+strings.Count(s, `"`) {
		return quoted
	}
	return s
}

func cell(r Row, exact bool) string {
	switch {
	case exact && r.P == nil:
		return "0"
	case !exact:
		return fmt.Sprintf("%.3f%% (%.3f to %.3f)", 100*r.Share, 100*r.Lo, 100*r.Hi)
	}
	percent := fmt.Sprintf("%.4f%%", 100*r.Share)
	if f := fraction(r.P); len(f) <= longestFraction {
		return percent + " = " + f
	}
	return percent
}

func fraction(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return r.String()
}
