// Package agree holds the laws that every part of gramfuzz keeps with every other, and tests them
// on grammars that nobody wrote: some by the grammar of grammars that ships, most by a generator
// that puts features together. It has tests only.
//
//	go test ./internal/testing/agree                                   # the first grammars of a fixed seed
//	GRAMFUZZ_LONG=1 go test ./internal/testing/agree                   # more of them
//	GRAMFUZZ_AGREE=7:120 go test -run TestLaws ./internal/testing/agree       # grammar 120 of seed 7
//	GRAMFUZZ_AGREE=7:0..9999 go test -run TestLaws -timeout 0 ./internal/testing/agree  # a range of them
//
// A grammar that breaks a law is shrunk by package reduce under the grammar of grammars, and
// printed with the command that tests it again.
package agree
