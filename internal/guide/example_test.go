package guide_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/guide"
)

// Four nested conditions, each of which shows a label, lead to the error that
// plain drawing would need 2^32 tests for.
func Example() {
	found := errors.New("found")
	test := func(_ context.Context, in *guide.Input) ([]guide.Label, error) {
		var labels []guide.Label
		for n := range len("bad!") {
			if !bytes.HasPrefix(in.Text, []byte("bad!")[:n+1]) {
				return append(labels, guide.Named("start")), nil
			}
			labels = append(labels, guide.Named(fmt.Sprintf("%d bytes", n+1)))
		}
		return labels, found
	}
	loop, err := guide.New("labels", guide.NewBytes(0), test, guide.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = guide.Run(context.Background(), loop, guide.Budget{Tests: 10_000})
	fmt.Println(err, loop.Stats().Tests < 1000)
	// Output: found true
}

// The pool of loop cover are sentences; how deep lists nest is the label here.
func ExampleNewSentences() {
	src, err := guide.NewSentences(grammars.Must("json"), guide.SentenceOptions{MaxBytes: 200})
	if err != nil {
		fmt.Println(err)
		return
	}
	test := func(_ context.Context, in *guide.Input) ([]guide.Label, error) {
		depth := 0
		for bytes.HasPrefix(in.Text[depth:], []byte("[")) {
			depth++
		}
		return []guide.Label{guide.Named(fmt.Sprint("depth ", depth))}, nil
	}
	loop, err := guide.New("cover", src, test, guide.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := guide.Run(context.Background(), loop, guide.Budget{Tests: 1000}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("10 depths or more:", loop.Stats().Labels >= 10)
	// Output: 10 depths or more: true
}
