package pace

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/stream"
)

// A slow test gets few slow sentences and few repeats, also if it reports the times of many
// sentences at once. A fast test gets all sentences.
func TestSource(t *testing.T) {
	g := grammars.Must("select")
	s, err := (&stream.Plan{Strategy: stream.Mixed, Seed: 1}).Open(t.Context(), g, stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const sentences = 20_000
	run := func(repeats bool, atOnce int, took func(text []byte) time.Duration) (ran, again int) {
		src := New(s.Source(), g, repeats, time.Now)
		type drawn struct {
			i    uint64
			took time.Duration
		}
		var batch []drawn
		before := map[string]bool{}
		for i := range uint64(sentences) {
			text, err := src.Append(t.Context(), nil, i)
			if errors.Is(err, ErrLeftOut) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if before[string(text)] {
				again++
			}
			before[string(text)] = true
			ran++
			batch = append(batch, drawn{i, took(text)})
			if len(batch) == atOnce {
				for _, d := range batch {
					src.Took(d.i, d.took)
				}
				batch = batch[:0]
			}
		}
		return ran, again
	}
	isSlow := func(text []byte) bool { return bytes.Contains(text, []byte("NULL")) }
	all, allAgain := run(true, 1, func([]byte) time.Duration { return 0 })
	if all != sentences {
		t.Errorf("a fast test gets %d of %d sentences", all, sentences)
	}
	for _, atOnce := range []int{1, 7, 100} {
		slow := 0
		ran, again := run(false, atOnce, func(text []byte) time.Duration {
			if isSlow(text) {
				slow++
				return 100 * time.Millisecond
			}
			return 600 * time.Microsecond
		})
		t.Logf("%d at once: %d of %d run, %d of them slow; %d repeats of %d", atOnce, ran, sentences, slow, again, allAgain)
		if slow == 0 || 10*slow > ran || 10*again > allAgain {
			t.Errorf("%d at once: of %d sentences that were run %d are slow and %d repeats", atOnce, ran, slow, again)
		}
	}
}
