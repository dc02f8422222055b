// Command app has a function that is tried.
package main

import (
	"os"

	"example.com/mod/calc"
)

func main() { run(os.Args[1]) }

func run(s string) error {
	_, err := calc.Parse(s)
	return err
}
