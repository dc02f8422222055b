package swarm_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// large returns the source of a grammar of 1,000 rules with four alternatives each. They mention
// up to three rules from all over the grammar, with optional parts and repetitions.
func large() string {
	rng := rand.New(rand.NewPCG(1000, 4))
	var b strings.Builder
	for r := range 1000 {
		fmt.Fprintf(&b, "r%d = ", r)
		for alt := range 4 {
			if alt > 0 {
				b.WriteString(" | ")
			}
			fmt.Fprintf(&b, "%q", fmt.Sprintf("k%d.%d ", r, alt))
			for range rng.IntN(4) * min(alt, 1) {
				fmt.Fprintf(&b, [...]string{" r%d", " r%d?", " r%d*", " (r%d | \"x\")"}[rng.IntN(4)], rng.IntN(1000))
			}
		}
		b.WriteString(" ;\n")
	}
	return b.String()
}

var modes = []swarm.Mode{swarm.Plain, swarm.Down, swarm.Both}

// BenchmarkConfig draws and completes configurations of 1,000 rules.
func BenchmarkConfig(b *testing.B) {
	g := parse(b, large())
	for _, mode := range modes {
		b.Run(mode.String(), func(b *testing.B) {
			s := mustNew(b, g, swarm.Options{Mode: mode})
			b.ReportAllocs()
			seed := uint64(0)
			for b.Loop() {
				s.Config(seed).Derives()
				seed++
			}
		})
	}
}

// BenchmarkRecount counts each configuration twice: with the mask, and as the grammar that the
// mask leaves, which is read, frozen and counted.
func BenchmarkRecount(b *testing.B) {
	g := parse(b, large())
	for _, mode := range []swarm.Mode{swarm.Down, swarm.Both} {
		s := mustNew(b, g, swarm.Options{Mode: mode})
		const kept = 8
		var masks []*grammar.Mask
		var sources [][]byte
		for seed := range uint64(kept) {
			c := s.Config(seed)
			masks = append(masks, c.Mask())
			sources = append(sources, []byte(masked(s, c)))
		}
		bound := count.Sizes(1, 60, grammar.Terminals)
		b.Run(mode.String()+"/mask", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, err := count.New(ctx, g, bound, count.Options{Mask: masks[i%kept]}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(mode.String()+"/fresh", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				fresh, _, err := load.Source("fresh.ebnf", sources[i%kept], load.Options{})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := count.New(ctx, fresh, bound, count.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
