package core_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/load"
)

// TestTokensWait: a program takes no memory for the texts of its tokens until they are needed.
func TestTokensWait(t *testing.T) {
	var src strings.Builder
	src.WriteString("s = \"\"")
	for i := range 50 {
		fmt.Fprintf(&src, " | T%d", i)
	}
	src.WriteString(" ; ")
	for i := range 50 {
		fmt.Fprintf(&src, "@token T%d = \"%02d\" [ab]{%d,30} [cd] ; ", i, i, i%10+1)
	}
	g := load.MustString(src.String())
	facts := g.Facts(nil, grammar.Structure)
	g.Facts(nil, grammar.Structure)
	used := func(f func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	var p *core.Program
	first := used(func() {
		var err error
		if p, err = core.New(g, nil, facts, grammar.Terminals, 0, 0); err != nil {
			t.Fatal(err)
		}
	})
	texts := used(func() {
		for i := range 50 {
			if all := p.Token(g.Rule(fmt.Sprint("T", i))).Lengths(); all[0] != i%10+4 || len(all) != core.TokenSlack+1 {
				t.Fatalf("T%d has the lengths %v", i, all)
			}
		}
	})
	if first > texts/4 {
		t.Errorf("the program takes %d bytes, all tokens %d", first, texts)
	}
}

// TestTokensRefused: a token whose table may be too large is refused with its program.
func TestTokensRefused(t *testing.T) {
	g := load.MustString(`s = T ; @token T = "a"{2000} ("b" "c"?){1,2000} ;`)
	_, err := core.New(g, nil, g.Facts(nil, grammar.Structure), grammar.Terminals, 0, 4<<20)
	if !errors.Is(err, core.ErrMemory) || !strings.Contains(err.Error(), "token T") {
		t.Errorf("%v, want an error of the token's memory", err)
	}
}
