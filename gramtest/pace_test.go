package gramtest

import (
	"bytes"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammars"
)

// TestPaced: slow kinds of sentences are run less often.
func TestPaced(t *testing.T) {
	slow, fast := 0, 0
	Check(t, grammars.Must("select"), func(_ *T, s *Sentence) {
		if !bytes.Contains(s.Text(), []byte("NULL")) {
			fast++
			return
		}
		slow++
		for began := time.Now(); time.Since(began) < 8*time.Millisecond; {
		}
	}, Valid(), Count(4000), Seed(1), Dir(""))
	t.Logf("%d slow sentences, %d others", slow, fast)
	if slow == 0 || 8*slow > fast {
		t.Errorf("%d slow sentences beside %d others; of all that are drawn, 27 in 100 are slow", slow, fast)
	}
}

// TestNoRepeats: by time, a slow property sees hardly any text twice.
func TestNoRepeats(t *testing.T) {
	texts, runs := map[string]bool{}, 0
	Check(t, grammars.Must("select"), func(_ *T, s *Sentence) {
		texts[string(s.Text())] = true
		runs++
		for began := time.Now(); time.Since(began) < 200*time.Microsecond; {
		}
	}, Time(2*time.Second), Seed(1), Dir(""))
	t.Logf("%d runs, %d texts", runs, len(texts))
	if repeats := runs - len(texts); runs < 100 || 100*repeats > 2*runs {
		t.Errorf("%d of %d runs repeat a text", repeats, runs)
	}
}
