package guide

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

// TestSatisfy: values get those that they were compared with, in sentences only.
func TestSatisfy(t *testing.T) {
	g := parse(t, `list = item (";" item)* ; item = word "=" number ; word = [a-d]{1,4} ; number = "0" | [1-9] [0-9]{0,3} ;`)
	p := parserOf(t, g)
	src, err := NewSentences(g, SentenceOptions{Parse: func(ctx context.Context, text []byte) (*derive.Tree, error) {
		f, err := p.Parse(ctx, "text", string(text))
		if err != nil {
			return nil, err
		}
		return f.Tree(ctx)
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text     string
		compared gocov.Comparison
		want     []string
	}{
		{"a=7;b=9", gocov.Comparison{Constant: true, Width: 8, X: 512, Y: 9}, []string{"a=7;b=511", "a=7;b=512", "a=7;b=513"}},
		{"a=7", gocov.Comparison{Width: 4, X: 3, Y: 7}, []string{"a=2", "a=3", "a=4"}},
		{"a=7", gocov.Comparison{Constant: true, Width: 4, X: 100, Y: 21}, []string{"a=86"}}, // 7 is a term of 21
		{"a=7", gocov.Comparison{Constant: true, Width: 4, X: 99999, Y: 7}, nil},             // has too many digits
		{"abc=7", gocov.Comparison{S: "abc", T: "dd"}, []string{"dd=7"}},
		{"abc=7", gocov.Comparison{S: "abc", T: "x"}, nil},
		{"abc=7", gocov.Comparison{S: "ABC", T: "ddd", Fold: true}, []string{"ddd=7"}},
		{"a=7;b=9", gocov.Comparison{S: "b", T: "a"}, []string{"a=7;a=9", "b=7;b=9"}},
	} {
		next := src.satisfy(rand.New(rand.NewPCG(1, 1)), FromTree(treeOf(t, p, []byte(tt.text)), "seed"), []gocov.Comparison{tt.compared})
		var got []string
		for {
			in, err := next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if in == nil {
				break
			}
			got = append(got, string(in.Text))
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q, %+v: %q, want %q", tt.text, tt.compared, got, tt.want)
		}
	}
}
