package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

// three is the number of workers of a real fleet.
const three = 3

// cost measures executions per CPU second. Three workers with a hub and three independent workers
// take turns.
func (s *settings) cost(ctx context.Context, out io.Writer) error {
	return withProgram(ctx, func(dir, program string) error {
		fmt.Fprintln(out, "| guide | turn | alone, runs for a CPU s | fleet | fleet / alone | with the hub's CPU |\n|---|---|---|---|---|---|")
		for _, guide := range []string{"none", "cover"} {
			var ratios, withHub []float64
			for turn := range s.turns {
				rates := map[bool]outcome{}
				for _, fleet := range []bool{turn%2 == 1, turn%2 == 0} {
					jobs := make([]job, three)
					for i := range jobs {
						jobs[i] = job{Program: program, Guide: guide, Seed: uint64(turn*three + i), Time: s.time, Runs: s.runs}
						if fleet {
							jobs[i].Seed = uint64(turn * three)
						}
					}
					var err error
					if rates[fleet], err = together(dir, jobs, fleet); err != nil {
						return err
					}
				}
				a, f := rates[false], rates[true]
				alone := perSecond(a.Runs, a.workers)
				ratios = append(ratios, perSecond(f.Runs, f.workers)/alone)
				withHub = append(withHub, perSecond(f.Runs, f.workers+f.hub)/alone)
				fmt.Fprintf(out, "| %s | %d | %.0f | %.0f | %.3f | %.3f |\n", guide, turn+1, alone, perSecond(f.Runs, f.workers), ratios[turn], withHub[turn])
			}
			fmt.Fprintf(out, "| %s | median | | | %.3f | %.3f |\n", guide, median(ratios), median(withHub))
		}
		return nil
	})
}

func perSecond(runs uint64, cpu time.Duration) float64 { return float64(runs) / cpu.Seconds() }

// withProgram calls do with a folder and the program under test in it.
func withProgram(ctx context.Context, do func(dir, program string) error) error {
	dir, err := os.MkdirTemp("", "fleet-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := built(ctx, dir)
	if err != nil {
		return err
	}
	return do(dir, program)
}

// median returns the median of x, which is not empty.
func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
