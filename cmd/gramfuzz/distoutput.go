package main

import (
	"encoding/json"
	"fmt"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/dist"
	"github.com/gramfuzz/gramfuzz/internal/record"
	"github.com/gramfuzz/gramfuzz/internal/report"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// distVersion is the version of the JSON that dist prints.
const distVersion = 1

type distJSON struct {
	V        int               `json:"v"`
	Gramfuzz string            `json:"gramfuzz"`
	Grammar  derive.GrammarRef `json:"grammar"`
	Measure  string            `json:"measure"`
	By       string            `json:"by"`
	Columns  []distColumn      `json:"columns"`
	Rows     []distRow         `json:"rows"`
}

type distColumn struct {
	Strategy string          `json:"strategy"`
	Swarm    string          `json:"swarm"`
	SwarmP   string          `json:"swarm-p,omitempty"`
	Bound    derive.BoundRef `json:"bound"`
	Exact    bool            `json:"exact"`
	Derives  string          `json:"derives,omitempty"`        // that a configuration has a sentence
	Configs  int             `json:"configurations,omitempty"` // different ones
	Samples  int             `json:"samples,omitempty"`
	Seed     uint64          `json:"seed,omitempty"`
	Why      string          `json:"why,omitempty"`
}

type distRow struct {
	Text        *string    `json:"text,omitempty"`
	Choices     []int      `json:"choices,omitempty"`
	Alternative string     `json:"alternative,omitempty"`
	Cells       []distCell `json:"cells"`
}

// distCell is a probability: exact as a fraction, or an estimate.
type distCell struct {
	Fraction string   `json:"fraction,omitempty"`
	Share    float64  `json:"share"`
	Hits     *int     `json:"hits,omitempty"`
	Lo       *float64 `json:"lo,omitempty"`
	Hi       *float64 `json:"hi,omitempty"`
}

func (d *distFlags) writeJSON(out *output, g *grammar.Grammar, accounts []*dist.Account) error {
	j := distJSON{V: distVersion, Gramfuzz: version(), Grammar: refOf(d.g.ref(), g), Measure: d.b.measure, By: "sentences"}
	if accounts[0].By == dist.Alternatives {
		j.By = "alternatives"
	}
	for _, a := range accounts {
		c := distColumn{
			Strategy: a.Strategy.String(), Swarm: a.Mode.String(), Bound: record.Bound(a.Bound), Exact: a.Exact,
			Configs: a.Configs, Samples: a.Samples, Why: a.Why,
		}
		if a.Mode != swarm.Off {
			c.SwarmP = d.swarm.p
		}
		if a.Exact {
			c.Derives, c.Why = fraction(a.Derives), ""
		} else {
			c.Seed = d.seed
		}
		j.Columns = append(j.Columns, c)
	}
	for _, row := range dist.Compare(accounts...) {
		r := distRow{Choices: row.Choices}
		if row.Alt < 0 {
			r.Text = &row.Name
		} else {
			r.Alternative = row.Name
		}
		for i, c := range row.Cells {
			r.Cells = append(r.Cells, jsonCell(c, accounts[i].Exact))
		}
		j.Rows = append(j.Rows, r)
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(j)
}

func jsonCell(r dist.Row, exact bool) distCell {
	switch {
	case !exact:
		return distCell{Share: r.Share, Hits: &r.Hits, Lo: &r.Lo, Hi: &r.Hi}
	case r.P == nil:
		return distCell{Fraction: "0"}
	}
	return distCell{Fraction: fraction(r.P), Share: r.Share}
}

// draw writes the picture.
func (d *distFlags) draw(std streams, g *grammar.Grammar, accounts []*dist.Account) error {
	if len(accounts) > report.MostSeries {
		return d.f.wrong("--svg shows at most %d strategies and modes, not %d", report.MostSeries, len(accounts))
	}
	b := report.Bars{Title: fmt.Sprintf("%s: how likely is each sentence?", g.Name), Note: accounts[0].Bound.String()}
	if accounts[0].By == dist.Alternatives {
		b.Title = fmt.Sprintf("%s: how likely does a sentence take each alternative?", g.Name)
	}
	for i, a := range accounts {
		b.Series = append(b.Series, report.Series{Name: columnName(accounts, i)})
		if !a.Exact {
			b.Note = fmt.Sprintf("%v; lines are intervals at 99 %%", a.Bound)
		}
	}
	for _, row := range dist.Compare(accounts...) {
		b.Labels = append(b.Labels, row.Name)
		for i, c := range row.Cells {
			s := &b.Series[i]
			s.Values = append(s.Values, c.Share)
			if !accounts[i].Exact {
				s.Lo, s.Hi = append(s.Lo, c.Lo), append(s.Hi, c.Hi)
			}
		}
	}
	out, err := create(std, d.svg)
	if err != nil {
		return err
	}
	defer out.abort()
	if err := b.WriteSVG(out); err != nil {
		return writeError(d.svg, err)
	}
	return out.finish()
}
