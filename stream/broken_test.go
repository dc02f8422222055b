package stream_test

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/stream"
)

// TestBroken checks that a broken sentence differs from its tree's text within one field, that
// the share of broken sentences is the demanded one, and that sentences and records have the same
// text.
func TestBroken(t *testing.T) {
	ctx := t.Context()
	net := load.MustString(`s = r{1,3} ; r = ( ( dec ":" ) @len(d) "a"{0,20} @part(d) ) @pad(4, ".") varint @len(e) e u8 @sum(d, e) ; e = "b"{0,3} ;`)
	for _, name := range []string{"png", "tar", "dns", ""} {
		g := net
		if name != "" {
			g = grammars.Must(name)
		}
		s, err := (&stream.Plan{Seed: 3, Break: 0.5}).Open(ctx, g, stream.Options{})
		if err != nil {
			t.Fatal(err)
		}
		src := s.Source()
		broken := 0
		const n = 200
		for i := range uint64(n) {
			text, err := src.Append(ctx, nil, i)
			if err != nil {
				t.Fatal(err)
			}
			tree, err := src.Tree(ctx, i)
			if err != nil {
				t.Fatal(err)
			}
			right := tree.Text()
			if len(text) != len(right) {
				t.Fatalf("%s: sentence %d has %d bytes, want %d", name, i, len(text), len(right))
			}
			if string(text) == right {
				continue
			}
			broken++
			within := 0
			for _, at := range tree.Fields() {
				if right[:at.From] == string(text[:at.From]) && right[at.To:] == string(text[at.To:]) {
					within++
				}
			}
			if within != 1 {
				t.Errorf("%s: the changes of sentence %d are within %d fields", name, i, within)
			}
		}
		if broken < n/3 || broken > 2*n/3 {
			t.Errorf("%s: %d of %d sentences are broken", name, broken, n)
		}
	}
}
