// Command program looks for what the package watched says yes to, in its own
// process, by what its counters show, and prints how many tests that took.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide/testdata/watched"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
	_ "github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov/trace"
	"github.com/gramfuzz/gramfuzz/load"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func run(name string) error {
	c, err := gocov.Open()
	if err != nil {
		return err
	}
	found := errors.New("found")
	test := guide.InProcess(c, func(_ context.Context, in *guide.Input) ([]guide.Label, error) {
		if watched.Bad(in.Text) {
			return nil, found
		}
		return nil, nil
	})
	g, err := load.String(`s = byte* ;`)
	if err != nil {
		return err
	}
	src, err := guide.NewSentences(g, guide.SentenceOptions{})
	if err != nil {
		return err
	}
	loop, err := guide.New(name, src, test, guide.Options{Seed: 1})
	for err == nil && loop.Stats().Tests < 100_000 {
		err = loop.Step(context.Background())
	}
	fmt.Println(c.Edges(), errors.Is(err, found), loop.Stats().Tests)
	return nil
}
