package main

import (
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
)

// exportFlags select the folder and form of the texts exported for other fuzzers at the end of a
// campaign.
type exportFlags struct{ dir, as string }

func (e *exportFlags) add(f *flags) {
	f.StringVar(&e.dir, "export", "", "at the end write the texts of findings and of the guide's queue to the folder `DIR`")
	f.StringVar(&e.as, "export-as", "raw", "with --export: raw (files named by hash), afl (named as in a queue), go or go-string (go test's corpus of []byte or string)")
}

func (e *exportFlags) check(f *flags) error {
	switch {
	case !slices.Contains(corpus.Forms, e.as):
		return f.wrong("unknown form of corpus %q; there are %s", e.as, strings.Join(corpus.Forms, ", "))
	case f.Changed("export-as") && e.dir == "":
		return f.wrong("--export-as goes with --export; name a folder")
	}
	return nil
}

func (e *exportFlags) write(folder *campaign.Folder) error {
	if e.dir == "" {
		return nil
	}
	return folder.Export(e.dir, e.as)
}
