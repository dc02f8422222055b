package guide

import (
	"bytes"
	"context"
	"testing"
)

// TestRare measures how soon and how often loop exemplars reaches a state that plain drawing
// hardly ever reaches. One word over a and b is right; each letter costs a coin toss, and so
// does each continuation.
func TestRare(t *testing.T) {
	const rare = "abaabbabab"
	lang := word(rare, false)
	const once = 1 << (2 * len(rare)) // one fair draw in so many begins with it
	reaches := func(in *Input) bool { return bytes.HasPrefix(in.Text, []byte(rare)) }

	src := sentences(t, `s = [ab]* ;`, SentenceOptions{})
	start := prefix{text: []byte{}}
	plain := 0
	rng := newBase(src, nil, Options{Seed: 1}).rng
	const draws = 10_000
	for range draws {
		if in, err := src.extend(t.Context(), rng, start); err != nil {
			t.Fatal(err)
		} else if in != nil && reaches(in) {
			plain++
		}
	}
	ns := make([]int, seeds)
	for i := range ns {
		ns[i] = testsUntil(t, "exemplars", sentences(t, `s = [ab]* ;`, SentenceOptions{}), func(ctx context.Context, in *Input) ([]Label, error) {
			if reaches(in) {
				return nil, errFound
			}
			return lang.test(ctx, in)
		}, Options{Seed: uint64(i)}, once)
	}
	median, worst := spread(ns)

	// Then it measures the share of inputs that reach the state, with all states known.
	loop, err := New("exemplars", sentences(t, `s = [ab]* ;`, SentenceOptions{}), lang.test, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for loop.Stats().Examples < len(rare)+2 && loop.Stats().Tests < once {
		if err := loop.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	passes := 0
	for range draws {
		in, err := loop.(*exemplars).draw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if reaches(in) {
			passes++
		}
	}
	picked := 100 * float64(passes) / draws
	t.Logf("plain: %d of %d draws, 1 in %d expected; exemplars: first after %d tests (median), %d (worst); then %.1f %% of the inputs",
		plain, draws, once, median, worst, picked)
	if plain > 3 || worst > once/10 || picked < 5 {
		t.Errorf("the rare state: plain %d, exemplars %d and %d, %.1f %%", plain, median, worst, picked)
	}
}
