package reduce_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// FuzzText checks with any text that every algorithm ends, keeps the property and makes nothing
// larger.
func FuzzText(f *testing.F) {
	f.Add([]byte(luaText), []byte("area("))
	f.Add([]byte(jsonText), []byte(`{"id"`))
	f.Add([]byte("<a b='c'><d/>x</a></a>"), []byte("x"))
	f.Add([]byte("((([{]})"), []byte("]"))
	f.Add([]byte("\xff \"'`\\"), []byte("\xff"))
	f.Add([]byte("{a:1}{b:{c:d}}"), []byte(":"))
	parser := jsonParser(f)
	blind.Fuzz(f, func(t *testing.T, text, part []byte) {
		if len(text) > 2000 || !bytes.Contains(text, part) {
			return
		}
		holds := func(_ context.Context, text []byte) (bool, error) { return bytes.Contains(text, part), nil }
		for _, algorithm := range reduce.Algorithms() {
			r, err := reduce.Run(context.Background(), reduce.Input{Text: text}, holds, reduce.Options{Algorithm: algorithm, Parse: parser, MaxCalls: 400})
			if err != nil {
				t.Fatal(err)
			}
			checkResult(t, nil, r, holds)
			if reduce.Compare(r.Text, nil, text, nil) > 0 {
				t.Fatalf("%s made %q of %q", algorithm, r.Text, text)
			}
		}
	})
}

// TestJobsOnTexts checks that several workers have the result of one, on parsed texts too.
func TestJobsOnTexts(t *testing.T) {
	parser := jsonParser(t)
	for _, text := range []string{luaText, jsonText} {
		holds := func(_ context.Context, text []byte) (bool, error) {
			return bytes.Contains(text, []byte("3")) && bytes.Count(text, []byte("\n")) > 1, nil
		}
		var want *reduce.Result
		for _, jobs := range []int{1, 2, 7} {
			got, err := reduce.Run(context.Background(), reduce.Input{Text: []byte(text)}, holds, reduce.Options{Jobs: jobs, Parse: parser})
			if err != nil {
				t.Fatal(err)
			}
			got.Stats.Ahead, got.Tree = 0, nil
			if want == nil {
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d jobs, -1 +%d:\n%s", jobs, jobs, diff)
			}
		}
	}
}
