package gramtest

import (
	"bytes"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammars"
)

// onClock makes a clock stand still but for what pass adds.
func onClock() (o Option, pass func(time.Duration)) {
	now := time.Unix(0, 0)
	return func(c *config) { c.now = func() time.Time { return now } }, func(d time.Duration) { now = now.Add(d) }
}

// TestPaced: slow kinds of sentences are run less often.
func TestPaced(t *testing.T) {
	slow, fast := 0, 0
	clock, pass := onClock()
	Check(t, grammars.Must("select"), func(_ *T, s *Sentence) {
		if !bytes.Contains(s.Text(), []byte("NULL")) {
			fast++
			return
		}
		slow++
		pass(8 * time.Millisecond)
	}, Valid(), Count(4000), Seed(1), Dir(""), clock)
	t.Logf("%d slow sentences, %d others", slow, fast)
	if slow == 0 || 8*slow > fast {
		t.Errorf("%d slow sentences beside %d others; of all that are drawn, 27 in 100 are slow", slow, fast)
	}
}

// TestNoRepeats: by time, a slow property sees hardly any text twice.
func TestNoRepeats(t *testing.T) {
	const most = 9000
	texts, runs := map[string]bool{}, 0
	clock, pass := onClock()
	outcome(t, func(tb testing.TB) {
		Check(tb, grammars.Must("select"), func(t *T, s *Sentence) {
			if runs == most {
				t.Fatal("enough")
			}
			texts[string(s.Text())] = true
			runs++
			pass(200 * time.Microsecond)
		}, Time(time.Hour), Seed(1), Shrink(0), Dir(""), clock)
	})
	t.Logf("%d runs, %d texts", runs, len(texts))
	if repeats := runs - len(texts); runs != most || 100*repeats > 2*runs {
		t.Errorf("%d of %d runs repeat a text", repeats, runs)
	}
}
