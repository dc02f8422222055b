package guide

import (
	"context"
	"testing"
)

// TestCost: slow inputs get fewer runs. Texts with a z are two hundred times as slow as others
// and show as many new labels.
func TestCost(t *testing.T) {
	const tests = 4000
	slowRuns := func(tell bool) (n int) {
		src := sentences(t, `s = [a-z]* ;`, SentenceOptions{})
		loop, err := New("cover", src, func(_ context.Context, in *Input) ([]Label, error) {
			cost, at := 1.0, 0
			for _, c := range in.Text {
				if c == 'z' {
					cost, at = 200, 1<<10
				}
			}
			if cost > 1 {
				n++
			}
			if tell {
				in.Cost = cost
			}
			var labels []Label
			for i := range in.Text {
				labels = append(labels, Edge(at+min(i, 1000), in.Text[i]))
			}
			return labels, nil
		}, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := steps(t.Context(), loop, tests); err != nil {
			t.Fatal(err)
		}
		return n
	}
	told, untold := slowRuns(true), slowRuns(false)
	t.Logf("of %d runs %d are slow where costs are told, %d where they are not", tests, told, untold)
	if told > untold/3 {
		t.Errorf("of %d runs %d are slow, and %d where costs are not told; want a third at most", tests, told, untold)
	}
}

// TestCosts: 1 is the median, whatever the unit, and single runs that take long do not matter.
func TestCosts(t *testing.T) {
	var c costs
	for i := range 2000 {
		cost := 5e-5 * float64(1+i%3)
		if i%10 == 0 {
			cost = 1
		}
		c.of(&Input{Cost: cost})
	}
	for cost, want := range map[float64]float64{1e-4: 1, 4e-4: 4, 1e-9: 0.25, 1000: mostCost} {
		if got := (&costs{c.median}).of(&Input{Cost: cost}); got < 0.8*want || got > 1.25*want {
			t.Errorf("%v s cost %v, want %v or so", cost, got, want)
		}
	}
	if got := c.of(&Input{Text: make([]byte, 128)}); got != 1 {
		t.Errorf("128 bytes cost %v where nothing is measured, want 1", got)
	}
}
