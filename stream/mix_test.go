package stream

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
)

// failing is a source whose sentences fail where their number is a multiple of every. A sentence
// is the name of the source.
type failing struct {
	name  string
	every uint64
	err   error
}

func (f failing) Append(_ context.Context, dst []byte, i uint64) ([]byte, error) {
	if i%f.every == 0 {
		return append(dst, "half a sentence"...), fmt.Errorf("sentence %d: %w", i, f.err)
	}
	return append(dst, f.name...), nil
}

func (f failing) Tree(context.Context, uint64) (*derive.Tree, error) { return nil, f.err }

// TestMixGoesOn checks that the next generator of a mix replaces one that cannot make a sentence
// within its limits. Other errors end the stream.
func TestMixGoesOn(t *testing.T) {
	open := func(f failing) *Stream {
		return New(grammars.Must("tree"), count.Size(9, 0), nil, func() Source { return f })
	}
	for _, c := range []struct {
		err  error
		want []string
	}{
		{derive.ErrTooLarge, []string{"b", "b", "a", "b"}},
		{context.Canceled, []string{"error", "b", "a", "b"}},
	} {
		src := mix([]*Stream{open(failing{"a", 2, c.err}), open(failing{"b", 100, derive.ErrTooLarge})}, 1).Source()
		var got []string
		for _, i := range []uint64{4, 7, 2, 3} { // numbers 2, 3, 1 and 1 of a, b, a and b
			text, err := src.Append(t.Context(), []byte{}, i)
			if err != nil {
				text = []byte("error")
			}
			got = append(got, string(text))
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%v (-want +got):\n%s", c.err, d)
		}
	}
}
