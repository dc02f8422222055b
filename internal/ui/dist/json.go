package dist

import (
	"encoding/json"
	"io"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// jsonVersion is the version of the JSON format.
const jsonVersion = 1

type accountsJSON struct {
	V        int               `json:"v"`
	Gramfuzz string            `json:"gramfuzz"`
	Grammar  derive.GrammarRef `json:"grammar"`
	Measure  string            `json:"measure"`
	By       string            `json:"by"`
	Columns  []columnJSON      `json:"columns"`
	Rows     []rowJSON         `json:"rows"`
}

type columnJSON struct {
	Strategy string          `json:"strategy"`
	Swarm    string          `json:"swarm"`
	SwarmP   string          `json:"swarm-p,omitempty"`
	Bound    derive.BoundRef `json:"bound"`
	Exact    bool            `json:"exact"`
	Derives  string          `json:"derives,omitempty"`        // that a configuration has a sentence
	Configs  int             `json:"configurations,omitempty"` // the number of different ones
	Samples  int             `json:"samples,omitempty"`
	Seed     uint64          `json:"seed,omitempty"`
	Why      string          `json:"why,omitempty"`
}

type rowJSON struct {
	Text        *string    `json:"text,omitempty"`
	Choices     []int      `json:"choices,omitempty"`
	Alternative string     `json:"alternative,omitempty"`
	Cells       []cellJSON `json:"cells"`
}

// cellJSON is a probability: exact as a fraction, or an estimate.
type cellJSON struct {
	Fraction string   `json:"fraction,omitempty"`
	Share    float64  `json:"share"`
	Hits     *int     `json:"hits,omitempty"`
	Lo       *float64 `json:"lo,omitempty"`
	Hi       *float64 `json:"hi,omitempty"`
}

// Origin is the part of the JSON that all accounts share.
type Origin struct {
	Version string // gramfuzz's version
	Grammar derive.GrammarRef
	Measure string
	SwarmP  string // the probability that a part is in, if there is a swarm
	Seed    uint64 // of estimates
}

// WriteJSON writes accounts as one JSON object, with all digits of all fractions.
func WriteJSON(w io.Writer, o Origin, accounts []*Account) error {
	j := accountsJSON{V: jsonVersion, Gramfuzz: o.Version, Grammar: o.Grammar, Measure: o.Measure, By: "sentences", Rows: []rowJSON{}}
	if accounts[0].By == Alternatives {
		j.By = "alternatives"
	}
	for _, a := range accounts {
		c := columnJSON{
			Strategy: a.Strategy.String(), Swarm: a.Mode.String(), Bound: record.Bound(a.Bound), Exact: a.Exact,
			Configs: a.Configs, Samples: a.Samples, Why: a.Why,
		}
		if a.Mode != swarm.Off {
			c.SwarmP = o.SwarmP
		}
		if a.Exact {
			c.Derives, c.Why = fraction(a.Derives), ""
		} else {
			c.Seed = o.Seed
		}
		j.Columns = append(j.Columns, c)
	}
	for _, row := range Compare(accounts...) {
		r := rowJSON{Choices: row.Choices}
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
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(j)
}

func jsonCell(r Row, exact bool) cellJSON {
	switch {
	case !exact:
		return cellJSON{Share: r.Share, Hits: &r.Hits, Lo: &r.Lo, Hi: &r.Hi}
	case r.P == nil:
		return cellJSON{Fraction: "0"}
	}
	return cellJSON{Fraction: fraction(r.P), Share: r.Share}
}
