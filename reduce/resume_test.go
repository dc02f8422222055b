package reduce_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/reduce"
)

// answers is a cache in memory.
type answers map[[32]byte]bool

func (a answers) Get(key [32]byte) (holds, known bool) { holds, known = a[key]; return holds, known }
func (a answers) Put(key [32]byte, holds bool)         { a[key] = holds }

// TestCacheChangesNothing checks that a run that has all answers of an earlier one takes the same
// steps, also where changes were postponed.
func TestCacheChangesNothing(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "if (f%d(x, %d)) {\n  g(%d);\n}\n", i%7, i, i*i)
	}
	for odd := range 6 {
		predicate := func(_ context.Context, text []byte) (bool, error) {
			chance := crc32.ChecksumIEEE(text) % 64
			return bytes.Count(text, []byte("g(4")) > 1 && bytes.Contains(text, []byte("f3")) && bytes.Contains(text, []byte("17")) && bytes.Count(text, []byte("(")) == bytes.Count(text, []byte(")")) && chance != uint32(odd), nil
		}
		cache := answers{}
		var steps [2][]string
		for i := range steps {
			_, err := reduce.Run(t.Context(), reduce.Input{Text: []byte(b.String())}, predicate, reduce.Options{Cache: cache, Trace: func(e reduce.Event) {
				steps[i] = append(steps[i], fmt.Sprintf("%s %v %q", e.Pass, e.Accepted, e.Text))
			}})
			if err != nil && !errors.Is(err, reduce.ErrNotInteresting) {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(steps[0], steps[1]); diff != "" {
			t.Errorf("%d: a run from a cache asks differently, -without +with:\n%.2000s", odd, diff)
		}
	}
}
