package main

import (
	"context"
	_ "embed"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/testing/cputime"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/stream"
)

//go:embed fromlark.py
var fromLark string

// Each turn of a comparison draws slowSentences by Hypothesis and fastSentences here.
const (
	turns         = 5
	slowSentences = 400
	fastSentences = 40_000
)

// rate is the sentences of one turn and the seconds of CPU that they took.
type rate struct{ sentences, chars, seconds float64 }

func (r rate) speed() float64 { return r.sentences / r.seconds }

// speed compares the sentences a second of CPU of Hypothesis' from_lark, without the start of
// Python, and of gramfuzz, from reading the file on. The two take turns. It prints the turn
// with the median ratio.
func (o options) speed(ctx context.Context, file, start string) error {
	path := filepath.Join(o.data, "grammars", "formats", "lark", file)
	type pair struct{ slow, fast rate }
	var all []pair
	for i := range turns {
		var p pair
		out, err := exec.Command(o.python, "-c", fromLark, path, start, strconv.Itoa(slowSentences)).Output()
		if err != nil {
			return fmt.Errorf("%s -c fromlark.py: %w", o.python, err)
		}
		if _, err := fmt.Sscan(string(out), &p.slow.sentences, &p.slow.chars, &p.slow.seconds); err != nil {
			return err
		}
		if p.fast, err = drawFast(ctx, path, start, uint64(i+1)); err != nil {
			return err
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(x, y pair) int {
		if x.fast.speed()*y.slow.speed() < y.fast.speed()*x.slow.speed() {
			return -1
		}
		return 1
	})
	show := func(r rate) string {
		return fmt.Sprintf("%.0f, of %.1f characters", r.speed(), r.chars/r.sentences)
	}
	m := all[turns/2]
	fmt.Printf("| %s | %s | %s | %.0f times, of %d turns %.0f to %.0f |\n", file, show(m.slow), show(m.fast), m.fast.speed()/m.slow.speed(),
		turns, all[0].fast.speed()/all[0].slow.speed(), all[turns-1].fast.speed()/all[turns-1].slow.speed())
	return nil
}

// drawFast reads a grammar and draws sentences of about the length of Hypothesis'.
func drawFast(ctx context.Context, path, start string, seed uint64) (r rate, err error) {
	begin := cputime.Used()
	g, _, err := load.File(path, load.Options{Start: start})
	if err != nil {
		return r, err
	}
	plan := stream.Plan{Seed: seed, Bound: derive.BoundRef{Min: 5, Max: 20, Unit: "terminals"}}
	s, err := plan.Open(ctx, g, stream.Options{})
	if err != nil {
		return r, err
	}
	source := s.Source()
	var text []byte
	for i := range uint64(fastSentences) {
		if text, err = source.Append(ctx, text[:0], i); err != nil {
			return r, err
		}
		r.sentences, r.chars = r.sentences+1, r.chars+float64(utf8.RuneCount(text))
	}
	r.seconds = (cputime.Used() - begin).Seconds()
	return r, nil
}
