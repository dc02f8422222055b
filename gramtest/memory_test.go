package gramtest

import (
	"strings"
	"testing"
	"time"
)

// TestMemory: a sentence fails if the heap grows beyond the limit during it, and passes below
// the limit. Heap growth while a sentence is drawn causes no failure.
func TestMemory(t *testing.T) {
	tests := []struct {
		name  string
		limit uint64
		at    uint64
		want  string
	}{
		{"above", 1, 1, "the heap has grown beyond"},
		{"below", 1 << 50, 1, ""},
		{"no limit", 0, 1, ""},
		{"drawing", 1, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWatch(newConfig([]Option{Memory(tt.limit)}), func() uint64 { return tt.at })
			said := ""
			if f := w.look(time.Now()); f != nil {
				if f.kind != kindMemory {
					t.Errorf("a failure of kind %v", f.kind)
				}
				said = f.message
			}
			if tt.want == "" != (said == "") || !strings.Contains(said, tt.want) {
				t.Errorf("it says %q, want %q", said, tt.want)
			}
		})
	}
}
