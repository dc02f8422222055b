// Coverage measures how much of real Go parsers the sentences of a grammar reach:
// statement coverage after n sentences, under several bounds, measures,
// strategies and swarm modes. docs/coverage.md holds a table that it printed.
//
//	go run ./bench/coverage -n 10000
//	go run ./bench/coverage -n 200 -targets json -configs "uniform;walk;balanced + walk"
//	go run ./bench/coverage -grammars json,tinyc -per 10 -configs "walk;balanced pairs"
//	go run ./bench/coverage -edges -time 60s
//
// With -grammars it measures which alternatives, pairs of parts and paths of grammars sentences
// reach; with -edges it measures how many edges of the parser are reached in a time by
// streams of sentences and by the guides of package guide; docs/guidance.md.
//
// Each parser is built into a small program with the coverage of the Go
// toolchain in a scratch module; sentences go to it through a pipe. The modules
// come from the Go module proxy.
package main
