package main

import (
	"context"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
)

const corpusAbout = `
Run the texts of files and folders through a program, and write a few to DIR that together
have all the behaviour of all of them: edges, if the program reports them (see gramfuzz
fuzz --help), ways to end, matches of --label. A line goes to standard output for each text:
the edges that it reaches, the new ones among them, how it ended, its name.`

func runCorpus(ctx context.Context, args []string, std streams) error {
	f := &fuzzFlags{flags: newFlags(std, "corpus minimise FILE... -o DIR [flags] -- PROGRAM [ARGUMENTS]", corpusAbout)}
	f.StringVarP(&f.o.Dir, "out", "o", "", "the folder for the kept texts, named by hash")
	f.BoolVar(&f.json, "json", false, "print a JSON object for each text instead of a line")
	f.targetFlags.add(f.flags)
	f.failFlags.add(f.flags)
	f.addQuiet()
	if err := f.parse(args, -1); err != nil {
		return err
	}
	dash := f.ArgsLenAtDash()
	switch {
	case f.NArg() < 2 || f.Arg(0) != "minimise" || dash == 1:
		return f.wrong("write gramfuzz corpus minimise, and then files or folders of texts")
	case dash < 0 || dash == f.NArg():
		return f.wrong("no program to run; give it after --, such as -- jq . {}")
	case f.o.Dir == "":
		return f.wrong("no output folder; name one with -o")
	}
	if err := f.drive(ctx, f.Args()[dash:]); err != nil {
		return err
	}
	c, err := f.replayed(ctx, f.Args()[1:dash]...)
	if c == nil {
		return err
	}
	least := c.Least()
	f.note("%d of %d texts are kept in %s", len(least), len(c.Texts), f.o.Dir)
	return corpus.Export(f.o.Dir, "raw", least)
}

// replayed runs the texts of files and folders through the program, and prints the result of
// each. The error comes with the corpus if texts failed.
func (f *fuzzFlags) replayed(ctx context.Context, paths ...string) (*campaign.Corpus, error) {
	texts, err := campaign.ReadSeeds(paths, 0)
	if err != nil {
		return nil, err
	}
	c, err := f.o.Replay(ctx, texts, func(r *campaign.Replayed) error {
		if f.json {
			return f.std.print([]byte(r.JSON()))
		}
		return f.std.print([]byte(r.Line()))
	})
	if err != nil {
		return nil, err
	}
	f.note("%d texts reach %d edges; %d fail", len(c.Texts), c.Edges, c.Failed)
	if c.Failed > 0 {
		return c, &exitError{code: exitNo}
	}
	return c, nil
}
