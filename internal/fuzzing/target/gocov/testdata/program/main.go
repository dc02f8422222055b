// Command program prints, for each argument, the counters that the package
// watched raises.
package main

import (
	"fmt"
	"os"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov/testdata/watched"
	_ "github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov/trace"
)

func main() {
	c, err := gocov.Open()
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("edges", c.Edges())
	for _, s := range os.Args[1:] {
		if err := c.Reset(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		watched.Look(s)
		if err := c.Each(func(counter int, hits uint8) { fmt.Printf("%d:%d ", counter, hits) }); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println()
	}
}
