package main

import (
	"context"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
)

const clusterfuzzAbout = `
Make files as a black-box fuzzer of ClusterFuzz. Texts in the input folder that are
sentences of the grammar are changed as trees; if there are none, and for a part in
any case, sentences are drawn from scratch. The file run of such a fuzzer is

  #!/bin/sh
  here=$(dirname "$0")
  exec "$here/gramfuzz" clusterfuzz -g "$here/grammar.ebnf" "$@"`

func runClusterfuzz(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "clusterfuzz -g GRAMMAR --output_dir DIR --no_of_files N [--input_dir DIR]", clusterfuzzAbout)
	g := f.addGrammar()
	in := f.String("input_dir", "", "the folder of texts to start from")
	out := f.String("output_dir", "", "the folder for the new files, fuzz-0 and so on")
	n := f.Int("no_of_files", 0, "the number of files")
	var mf mutatorFlags
	mf.add(f, 0, "the same seed and input folder give the same files; random when not given")
	f.addQuiet()
	if err := f.parse(args, 0); err != nil {
		return err
	}
	if *out == "" || *n < 1 {
		return f.wrong("--output_dir and --no_of_files must be given")
	}
	o, err := mf.options(f)
	if err != nil {
		return err
	}
	if !f.Changed("seed") {
		f.note("seed %d", o.Seed)
	}
	loaded, err := g.load()
	if err != nil {
		return err
	}
	texts := []campaign.Seed{{}}
	if *in != "" {
		entries, err := campaign.ReadSeeds([]string{*in}, 0)
		if err != nil {
			return err
		}
		texts = append(texts, entries...)
	}
	m, err := campaign.NewMutator(ctx, loaded, o)
	if err != nil {
		return err
	}
	return m.WriteFiles(ctx, *out, *n, texts, o.Seed)
}
