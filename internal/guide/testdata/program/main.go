// Command program looks for what the package watched says yes to, in its own
// process, by what its counters show, and prints how many tests that took.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/gramfuzz/gramfuzz/internal/guide"
	"github.com/gramfuzz/gramfuzz/internal/guide/testdata/watched"
	"github.com/gramfuzz/gramfuzz/internal/target/gocov"
	_ "github.com/gramfuzz/gramfuzz/internal/target/gocov/trace"
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
	loop, err := guide.New(name, guide.NewBytes(0), test, guide.Options{Seed: 1})
	if err != nil {
		return err
	}
	err = guide.Run(context.Background(), loop, guide.Budget{Tests: 100_000})
	fmt.Println(c.Edges(), errors.Is(err, found), loop.Stats().Tests)
	return nil
}
