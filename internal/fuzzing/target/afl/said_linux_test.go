package afl

import (
	"testing"
)

// The beginning of a program's failure message may arrive before the end of the run that
// caused it.
func TestLastWords(t *testing.T) {
	for _, test := range []struct {
		name string
		runs []string
		want string
	}{
		{"in the run", []string{"noise\n", "panic: x\n\ngoroutine 1"}, "panic: x\n\ngoroutine 1"},
		{"before its end", []string{"panic: old\n", "panic: x\n", "\ngoroutine 1"}, "panic: x\n\ngoroutine 1"},
		{"all of it before", []string{"older\n", "panic: x\n", ""}, "panic: x\n"},
		{"none", []string{"older\n", "old\n", "new\n"}, "old\nnew\n"},
	} {
		s, w, err := listen()
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range test.runs {
			if i > 0 {
				s.reset()
			}
			s.mu.Lock()
			s.text = append(s.text, text...)
			s.mu.Unlock()
		}
		w.Close()
		if got := string(s.last()); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		s.close()
	}
}
