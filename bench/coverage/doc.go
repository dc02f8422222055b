// Coverage measures the share of real Go parsers that the sentences of a grammar reach: statement
// coverage after n sentences, under several bounds, measures, strategies and swarm modes.
// RESULTS.md has tables that it printed.
//
//	go -C bench run ./coverage -n 10000
//	go -C bench run ./coverage -n 200 -targets json -configs "uniform;walk;balanced + walk"
//	go -C bench run ./coverage -grammars json,tinyc -per 10 -configs "walk;balanced pairs"
//	go -C bench run ./coverage -edges -time 60s
//
// With -grammars it measures the shares of a grammar's alternatives, pairs of parts and paths that
// sentences reach. With -edges it measures the number of the parser's edges that streams of
// sentences and the guides of package guide reach in a given time; see docs/guidance.md.
//
// Each parser is built into a small program in a scratch module, with the coverage of the Go
// toolchain. The program reads sentences from a pipe. The modules come from the Go module proxy.
package main
