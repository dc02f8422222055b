package coverage_test

import (
	"context"
	"fmt"

	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/grammars"
)

// A few sentences reach every pair of symbols that can stand below each other.
func ExampleCover() {
	ctx := context.Background()
	g := grammars.Must("json")
	res, err := coverage.Cover(ctx, g, 2, coverage.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := coverage.New(g, coverage.Options{K: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range res.Trees {
		c.Add(t)
	}
	r := c.Report()
	fmt.Printf("%d of %d paths by %d sentences\n", r.Paths.Reached, r.Paths.Total, len(res.Trees))
	// Output:
	// 23 of 23 paths by 6 sentences
}
