package main

import (
	"context"
	"time"
)

// command is a subcommand. Its function gets the arguments after its name and
// writes results to std.out, everything else to std.err.
type command struct {
	group string // the heading in the help above this and the next commands; "": that of the one before
	name  string
	short string
	run   func(ctx context.Context, args []string, std streams) error

	words []string // possible arguments, for completion

	// grace is the time to end in good order after Ctrl-C; 0 means defaultGrace.
	// Only commands that run programs of the user need more.
	grace time.Duration
}

// commands returns the table of all subcommands, in the order of the help text. To
// add one, add a line.
func commands() []command {
	return []command{
		{group: "grammars", name: "check", short: "check a grammar and show its contents", run: runCheck},
		{name: "explain", short: "predict the sentences of a bound before they are made", run: runExplain},
		{name: "count", short: "count the sentences within a bound", run: runCount},
		{name: "fmt", short: "lay out grammars in the native notation", run: runFmt},
		{name: "convert", short: "write a grammar in another notation", run: runConvert},
		{name: "learn", short: "print a grammar with weights learned from sentences", run: runLearn},
		{name: "dist", short: "compute how likely each sentence is", run: runDist},
		{name: "swarm", short: "show or save a swarm configuration", run: runSwarm},
		{group: "sentences", name: "gen", short: "make sentences", run: runGen},
		{name: "enum", short: "list sentences in the order of their ranks", run: runEnum},
		{name: "rank", short: "print the number of a sentence", run: runRank},
		{name: "unrank", short: "make the sentence with a number", run: runUnrank},
		{name: "parse", short: "check whether texts are sentences; show their trees", run: runParse},
		{name: "fix", short: "recompute lengths, counts and checksums of files", run: runFix},
		{name: "coverage", short: "measure which parts of a grammar sentences reach", run: runCoverage},
		{group: "testing", name: "fuzz", short: "run a program on sentences, keep and shrink what fails", run: runFuzz, grace: 10 * time.Second},
		{name: "reduce", short: "shrink a sentence that fails", run: runReduce, grace: time.Second},
		{name: "corpus", short: "keep the fewest texts that show what all of them show", run: runCorpus, grace: time.Second, words: []string{"minimise"}},
		{name: "hub", short: "keep what the machines of a campaign share", run: runHub, grace: 10 * time.Second},
		{name: "fleet", short: "show the workers, findings and leases of a campaign on many machines", run: runFleet, words: []string{"status"}},
		{group: "other fuzzers", name: "serve", short: "make mutants for other fuzzers, such as AFL++", run: runServe},
		{name: "api", short: "answer the requests of programs in other languages", run: runAPI},
		{name: "clusterfuzz", short: "make files as ClusterFuzz asks for them", run: runClusterfuzz},
		{group: "shell", name: "completion", short: "complete commands and flags in bash, zsh or fish", run: runCompletion, words: []string{"bash", "zsh", "fish"}},
		{name: "man", short: "print man pages", run: runMan},
	}
}
