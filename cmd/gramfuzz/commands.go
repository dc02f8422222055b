package main

import (
	"context"
	"time"
)

// command is a subcommand. Its function gets the arguments after its name,
// writes results to std.out and everything else to std.err, and returns what
// went wrong; exitCode says which code that is.
type command struct {
	name  string
	short string
	run   func(ctx context.Context, args []string, std streams) error

	// grace is how long the command may take to end in good order after Ctrl-C;
	// 0 is defaultGrace. More is only for what runs programs of the user.
	grace time.Duration
}

// commands is the one table of all subcommands, in the order of the help text.
// To add one, add a line.
func commands() []command {
	return []command{
		{name: "check", short: "check a grammar and say what it has", run: runCheck},
		{name: "explain", short: "say what a bound gives before sentences are made", run: runExplain},
		{name: "count", short: "count the sentences within a bound", run: runCount},
		{name: "gen", short: "make sentences", run: runGen},
		{name: "enum", short: "list sentences in the order of their ranks", run: runEnum},
		{name: "rank", short: "say which number a sentence has", run: runRank},
		{name: "unrank", short: "make the sentence with a number", run: runUnrank},
		{name: "parse", short: "say whether texts are sentences; show their trees", run: runParse},
		{name: "coverage", short: "say what parts of a grammar sentences reach", run: runCoverage},
		{name: "learn", short: "print a grammar with weights as sentences use it", run: runLearn},
		{name: "dist", short: "tell how likely each sentence is", run: runDist},
		{name: "swarm", short: "show or save a swarm configuration", run: runSwarm},
		{name: "fmt", short: "lay out grammars in the native notation", run: runFmt},
		{name: "convert", short: "write a grammar in another notation", run: runConvert},
		{name: "reduce", short: "shrink a sentence that fails", run: runReduce, grace: time.Second},
		{name: "fuzz", short: "run a program on sentences, keep and shrink what fails", run: runFuzz, grace: 10 * time.Second},
		{name: "serve", short: "make mutants for other fuzzers, such as AFL++", run: runServe},
		{name: "clusterfuzz", short: "make files as ClusterFuzz asks for them", run: runClusterfuzz},
	}
}
