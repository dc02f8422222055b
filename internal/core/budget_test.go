package core_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// TestBudget checks that every table beyond the budget is refused before it is made.
func TestBudget(t *testing.T) {
	ctx, g := context.Background(), grammars.Must("expr")
	program := func(repeat int) *core.Program {
		p, err := core.New(g, nil, g.Facts(nil, grammar.Structure), grammar.Terminals, repeat, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	byDepth, bySize := program(4), program(0)
	const size = 1 << 28
	for what, make := range map[string]func() error{
		"depths":   func() error { _, err := core.NewTable(ctx, byDepth, math.MaxInt, math.MaxInt, nil); return err },
		"sizes":    func() error { _, err := core.NewTable(ctx, bySize, 0, size, nil); return err },
		"floats":   func() error { _, err := core.NewFloats(ctx, bySize, size, nil); return err },
		"feasible": func() error { _, err := bySize.Feasible(size); return err },
		"oracle":   func() error { _, err := core.NewOracle(ctx, bySize, 10); return err },
		"parts": func() error {
			_, err := core.New(g, nil, g.Facts(nil, grammar.Structure), grammar.Terminals, 0, 1)
			return err
		},
		"no number": func() error { return core.Budget(0).Ask("parts", math.Inf(1)) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := make()
		runtime.ReadMemStats(&after)
		tooBig := new(core.MemoryError)
		if !errors.As(err, &tooBig) || !errors.Is(err, core.ErrMemory) || !strings.Contains(err.Error(), "--max-memory") {
			t.Errorf("%s: %v, want a MemoryError", what, err)
			continue
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
			t.Errorf("%s: %d bytes were taken before the refusal", what, took)
		}
		if tooBig.Step == 0 {
			continue
		}
		p := map[bool]*core.Program{true: byDepth, false: bySize}[what == "depths"]
		if err := p.Ask(tooBig.Step); err != nil {
			t.Errorf("%s: %d was said to fit: %v", what, tooBig.Step, err)
		}
		if err := p.Ask(tooBig.Step + 1); err == nil {
			t.Errorf("%s: %d fits, but %d was said to be the greatest", what, tooBig.Step+1, tooBig.Step)
		}
	}
}
