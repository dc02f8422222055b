// Command gramfuzz makes test inputs from grammars, counts them, and shrinks failing
// inputs.
//
//	gramfuzz gen -g expr.ebnf -n 1000
//	gramfuzz count -g expr.ebnf --size 20
//	gramfuzz reduce --pred ./check.sh
//	gramfuzz fuzz -g expr.ebnf -- ./program
//	gramfuzz --help
package main

import "os"

func main() {
	os.Exit(cli(os.Args[1:], newStreams(os.Stdin, os.Stdout, os.Stderr)))
}
