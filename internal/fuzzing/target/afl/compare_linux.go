package afl

import (
	"context"
	"errors"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

// Compare runs a program on input and returns the comparisons of unequal values that the run
// made, at most some of each place. The program is direct or records its comparisons as AFL++'s
// do, see [Options]. How the run ended does not matter.
func (d *Driver) Compare(ctx context.Context, input []byte) ([]gocov.Comparison, error) {
	switch {
	case d.compared == nil:
		return nil, errors.New("comparisons are recorded by direct programs, and those compiled with AFL_LLVM_CMPLOG")
	case d.cmpLog == nil:
		clear(d.compared[:8])
		d.compared[0] = 1
		_, err := d.Run(ctx, input)
		d.compared[0] = 0
		if err != nil {
			return nil, err
		}
		return gocov.Comparisons(d.compared), nil
	}
	d.cmpLog.clear(d.compared)
	_, err := d.Run(ctx, input)
	if gone := new(ServerError); err != nil && !errors.As(err, &gone) {
		return nil, err
	}
	all := d.cmpLog.read(d.compared)
	d.comparing++
	d.records = d.records || len(all) > 0
	if !d.records && d.comparing == mostSilent {
		return nil, &target.ProgramError{Program: d.opt.Args[0], Problem: "records no comparisons", Hint: "compile it with AFL_LLVM_CMPLOG=1"}
	}
	return all, nil
}

// mostSilent is the number of runs without a comparison after which a program is taken for one
// that records none.
const mostSilent = 20
