package main

import (
	"context"

	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
)

const swarmAbout = `
Show a swarm configuration: + a part that sentences can have, . one that is in but
cannot be reached or completed, - one that is out. A part is named by its rule ("rule"), the
number of the alternative in the rule's first choice, from 0 ("rule/2"), or in a
further one ("rule/1.2"), or by a member of a class ("rule/'x'").

With -o it is written to a file; gen --swarm FILE takes it. The file of --swarm-p
has a line for each part: its name, then essential, never, or a number.`

// runSwarm shows or saves a configuration.
func runSwarm(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "swarm -g GRAMMAR --swarm MODE [flags]", swarmAbout)
	gf := f.addGrammar()
	sf := &swarmFlags{f: f}
	f.StringVar(&sf.mode, "swarm", "both", "plain, down or both; the name of a configuration (both:77); or a `FILE` that has one")
	sf.addCoins()
	measure := f.String("measure", "structure", "structure: a token is one part; exact: the alternatives inside it are parts too")
	seed := f.Uint64("seed", 0, "the seed that names the configuration; random when not given")
	out := f.StringP("out", "o", "", "write the configuration to `FILE`, not its parts to standard output")
	asJSON := f.addJSON("the name of the configuration and the state of every part")
	f.addQuiet()
	if err := f.parse(args, 0); err != nil {
		return err
	}
	p, err := sf.plan()
	if err != nil {
		return err
	}
	if p == nil {
		return f.wrong("--swarm off leaves nothing out; give plain, down or both")
	}
	m, err := record.ParseMeasure(*measure)
	switch {
	case err != nil:
		return f.wrong("%v", err)
	case *asJSON && *out != "":
		return f.wrong("-o writes the configuration as gen reads it; leave --json out")
	}
	g, err := gf.load()
	if err != nil {
		return err
	}
	sw, c, err := p.Open(g, m)
	if err != nil {
		return err
	}
	if c == nil {
		c = sw.Config(f.seedOrRandom(*seed))
		f.note("configuration %s", c.Name())
	}
	if !c.Derives() {
		f.note("it derives nothing; gen skips such configurations")
	}
	switch {
	case *out != "":
		return writeFile(std, *out, c.Save())
	case *asJSON:
		return std.printJSON(describe.ConfigurationOf(c))
	}
	return std.print([]byte(c.String()))
}
