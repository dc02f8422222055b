package dist

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/ui/report"
)

// Chart returns a bar chart of accounts of g, at most [report.MostSeries].
func Chart(g *grammar.Grammar, accounts []*Account) *report.Bars {
	b := &report.Bars{Title: fmt.Sprintf("%s: how likely is each sentence?", g.Name), Note: accounts[0].Bound.String()}
	if accounts[0].By == Alternatives {
		b.Title = fmt.Sprintf("%s: how likely does a sentence take each alternative?", g.Name)
	}
	for i, a := range accounts {
		b.Series = append(b.Series, report.Series{Name: ColumnName(accounts, i)})
		if !a.Exact {
			b.Note = fmt.Sprintf("%v; lines are intervals at 99 %%", a.Bound)
		}
	}
	for _, row := range Compare(accounts...) {
		b.Labels = append(b.Labels, row.Name)
		for i, c := range row.Cells {
			s := &b.Series[i]
			s.Values = append(s.Values, c.Share)
			if !accounts[i].Exact {
				s.Lo, s.Hi = append(s.Lo, c.Lo), append(s.Hi, c.Hi)
			}
		}
	}
	return b
}
