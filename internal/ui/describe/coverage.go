package describe

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/gramfuzz/gramfuzz/coverage"
)

// Coverage writes the counts, and the parts not reached or all parts.
func Coverage(w io.Writer, r *coverage.Report, all bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	parts := []struct {
		name string
		p    *coverage.Part
	}{{"rules", &r.Rules}, {"alternatives", &r.Alternatives}, {"terminals", &r.Terminals}}
	if r.K > 0 {
		parts = append(parts, struct {
			name string
			p    *coverage.Part
		}{fmt.Sprintf("%d-paths", r.K), &r.Paths})
	}
	for _, p := range parts {
		fmt.Fprintf(t, "%s\t%d of %d\t%.1f %%\n", p.name, p.p.Reached, p.p.Total, p.p.Percent())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, p := range parts {
		if p.p.Reached == p.p.Total && !all {
			continue
		}
		if all {
			fmt.Fprintf(w, "\n%s:\n", p.name)
		} else {
			fmt.Fprintf(w, "\n%s never reached:\n", p.name)
		}
		for _, it := range p.p.Items {
			if it.Count > 0 && !all {
				continue
			}
			in := ""
			if it.Rule != "" {
				in = it.Rule + ": "
			}
			if all {
				fmt.Fprintf(w, "  %d\t%s%s\n", it.Count, in, it.Name)
			} else {
				fmt.Fprintf(w, "  %s%s\n", in, it.Name)
			}
		}
	}
	return nil
}
