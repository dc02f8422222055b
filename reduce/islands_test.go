package reduce_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// TestIslands checks that parts of a text that is no sentence as a whole are edited as trees,
// with the same result for any number of workers.
func TestIslands(t *testing.T) {
	p, err := parse.New(t.Context(), grammars.Must("json"), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var one sync.Mutex // a parser is for one goroutine
	tree := func(ctx context.Context, text []byte) (*derive.Tree, error) {
		one.Lock()
		defer one.Unlock()
		forest, err := p.Parse(ctx, "", string(text))
		if err != nil {
			return nil, err
		}
		return forest.Tree(ctx)
	}
	text := []byte("-- header\n{\"a\": [1, {\"b\": [true, \"x y\"]}], \"c\": null}\n\n[2,\n  {\"d\": [3, 4]},\n  {\"e\": {\"f\": [\"x y\"]}}]\n??\n")
	// The documents between the header and the marks must stay valid, and contain the string.
	holds := func(ctx context.Context, text []byte) (bool, error) {
		body, ok := bytes.CutPrefix(text, []byte("-- header\n"))
		body, also := bytes.CutSuffix(body, []byte("??\n"))
		documents := bytes.Split(body, []byte("\n\n"))
		for _, d := range documents {
			_, err := tree(ctx, d)
			ok = ok && err == nil
		}
		return ok && also && len(documents) == 2 && bytes.Count(body, []byte(`"x y"`)) == 2, nil
	}
	var first *reduce.Result
	for _, jobs := range []int{1, 3} {
		r, err := reduce.Run(t.Context(), reduce.Input{Text: text}, holds, reduce.Options{Algorithm: "islands", Parse: tree, Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r
		}
		if want := "-- header\n\"x y\"\n\n\"x y\"\n??\n"; string(r.Text) != want || string(r.Text) != string(first.Text) {
			t.Errorf("%d jobs: %q, want %q", jobs, r.Text, want)
		}
	}
	// With Options.Islands no others are searched.
	at := bytes.IndexByte(text, '{')
	island, err := tree(t.Context(), text[at:at+strings.Index(string(text[at:]), "\n")])
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	r, err := reduce.Run(t.Context(), reduce.Input{Text: text}, func(_ context.Context, c []byte) (bool, error) {
		return bytes.Contains(c, []byte(`"x y"`)), nil
	}, reduce.Options{Islands: func(_ context.Context, c []byte) map[int]*derive.Tree {
		asked++
		if bytes.Equal(c, text) {
			return map[int]*derive.Tree{at: island}
		}
		return nil
	}})
	if err != nil || string(r.Text) != `"x y"` || asked == 0 {
		t.Errorf("%q, %v, asked %d times", r.Text, err, asked)
	}
}

// TestParts checks that the sentences in a text that is none are found.
func TestParts(t *testing.T) {
	p, err := parse.New(t.Context(), grammars.Must("json"), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tree := func(ctx context.Context, text []byte) (*derive.Tree, error) {
		forest, err := p.Parse(ctx, "", string(text))
		if err != nil {
			return nil, err
		}
		return forest.Tree(ctx)
	}
	var parts []string
	for _, part := range reduce.Parts(t.Context(), []byte("-- header\n{\"a\": [1, null]}\n\nx = [2, 3, {}]\n??\n"), tree) {
		parts = append(parts, part.Text())
	}
	if want := []string{`{"a": [1, null]}`, "[2, 3, {}]"}; !slices.Equal(parts, want) {
		t.Errorf("%q, want %q", parts, want)
	}
}
