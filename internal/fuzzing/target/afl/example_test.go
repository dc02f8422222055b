package afl_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/afl"
)

func ExampleStart() {
	ctx := context.Background()
	d, err := afl.Start(ctx, afl.Options{Args: []string{"no-such-program"}})
	var pe *target.ProgramError
	if errors.As(err, &pe) {
		fmt.Println(pe.Hint)
		return
	}
	if err != nil { // not Linux
		fmt.Println("install it, or give its path")
		return
	}
	defer d.Close()
	result, err := d.Run(ctx, []byte("input"))
	if err != nil {
		fmt.Println(err)
		return
	}
	edges := 0
	for _, hits := range d.Map() {
		if hits > 0 {
			edges++
		}
	}
	fmt.Println(result, edges)
	// Output: install it, or give its path
}
