package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/gramfuzz/gramfuzz/bench/fleet/planted"
)

// texts returns a sentence for each of the conditions of the planted bug.
func texts() []string {
	tune := "1"
	for _, op := range planted.Tune {
		tune += " " + string(op) + " 1"
	}
	return []string{strings.Repeat("(", planted.Deep) + "1" + strings.Repeat(")", planted.Deep), planted.Code, tune}
}

// way is a set of workers: for each, the texts that it begins with.
type way struct {
	name  string
	texts [][]string
	fleet bool
}

func ways() []way {
	t := texts()
	return []way{
		{"a fleet of three, a text each", [][]string{t[:1], t[1:2], t[2:]}, true},
		{"one alone, the first text", [][]string{t[:1]}, false},
		{"one alone, the second text", [][]string{t[1:2]}, false},
		{"one alone, the third text", [][]string{t[2:]}, false},
		{"one alone, all texts", [][]string{t}, false},
	}
}

// deep measures the CPU time of all processes until the planted bug is found. A worker that has not
// found it after s.runs runs counts with the time of these runs.
func (s *settings) deep(ctx context.Context, out io.Writer) error {
	return withProgram(ctx, func(dir, program string) error {
		fmt.Fprintln(out, "| workers | found | runs, median | CPU s, median | CPU s of each seed |\n|---|---|---|---|---|")
		for _, w := range ways() {
			if !strings.Contains(w.name, s.only) {
				continue
			}
			var runs, took []float64
			found := 0
			for seed := range s.turns {
				jobs := make([]job, len(w.texts))
				for i, t := range w.texts {
					jobs[i] = job{Program: program, Guide: "cover", Seed: uint64(seed), Seeds: t, Runs: s.runs, Enough: 1}
				}
				o, err := together(dir, jobs, w.fleet)
				if err != nil {
					return err
				}
				found += min(o.Found, 1)
				runs, took = append(runs, float64(o.Runs)), append(took, (o.workers+o.hub).Seconds())
			}
			fmt.Fprintf(out, "| %s | %d of %d | %.0f | %.1f | %.1f |\n", w.name, found, s.turns, median(runs), median(took), took)
		}
		return nil
	})
}
