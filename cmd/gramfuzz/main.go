// Command gramfuzz makes test inputs from grammars, counts them, and shrinks
// what fails. Run it with --help.
package main

import "os"

func main() {
	os.Exit(cli(os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, tidy: new(tidy)}))
}
