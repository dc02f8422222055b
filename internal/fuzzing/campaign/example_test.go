package campaign_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// Runs a campaign on a function of this process; ByProcess runs a program.
func Example() {
	dir, err := os.MkdirTemp("", "found")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	calc := campaign.Func(func(_ context.Context, text []byte) (*campaign.Ran, error) {
		r := &campaign.Ran{Outcome: target.Outcome{Class: target.OK}}
		if bytes.Contains(text, []byte("((")) {
			r.Outcome = target.Outcome{Class: target.Panic, Message: "too deep"}
		}
		return r, nil
	})
	ctx := context.Background()
	c, err := campaign.New(ctx, grammars.Must("expr"), campaign.Options{Dir: filepath.Join(dir, "f"), Drive: calc, Runs: 500})
	if err != nil {
		panic(err)
	}
	sum, err := c.Run(ctx)
	if err != nil {
		panic(err)
	}
	for _, fd := range sum.Findings {
		fmt.Printf("%s: %s\n", fd.Signature, fd.Record.Text)
	}
	// Output: panic|too deep: ((0))
}
