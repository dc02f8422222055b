package guide_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide"
	"github.com/gramfuzz/gramfuzz/load"
)

// Four nested conditions lead to the error, and each shows a label. Plain drawing would need
// 2^32 tests.
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
	g, err := load.String(`s = byte* ;`) // all byte strings
	if err != nil {
		fmt.Println(err)
		return
	}
	src, err := guide.NewSentences(g, guide.SentenceOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	loop, err := guide.New("labels", src, test, guide.Options{Seed: 1})
	for err == nil && loop.Stats().Tests < 10_000 {
		err = loop.Step(context.Background())
	}
	fmt.Println(err, loop.Stats().Tests < 2000)
	// Output: found true
}

// The pool of loop cover holds sentences; here, the label is the nesting depth of lists.
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
	for loop.Stats().Tests < 1000 {
		if err := loop.Step(context.Background()); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println("10 depths or more:", loop.Stats().Labels >= 10)
	// Output: 10 depths or more: true
}
