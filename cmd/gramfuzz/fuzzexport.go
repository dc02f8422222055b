package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/campaign"
	"github.com/gramfuzz/gramfuzz/internal/corpus"
)

// exportFlags say where the texts of a campaign go at its end, for other fuzzers.
type exportFlags struct{ dir, as string }

// The forms of corpora.
var corpusForms = []string{"raw", "afl", "go", "go-string"}

func (e *exportFlags) add(f *flags) {
	f.StringVar(&e.dir, "export", "", "at the end write the texts of findings and of the guide's queue to the folder `DIR`")
	f.StringVar(&e.as, "export-as", "raw", "with --export: raw (files named by hash), afl (named as in a queue), go or go-string (go test's corpus of []byte or string)")
}

func (e *exportFlags) check(f *flags) error {
	switch {
	case !slices.Contains(corpusForms, e.as):
		return f.wrong("there is no form of corpus %q; there are raw, afl, go and go-string", e.as)
	case f.Changed("export-as") && e.dir == "":
		return f.wrong("--export-as goes with --export; name a folder")
	}
	return nil
}

// write writes the texts. Files that are there stay.
func (e *exportFlags) write(folder *campaign.Folder) error {
	if e.dir == "" {
		return nil
	}
	texts, err := folder.All()
	if err != nil {
		return err
	}
	for i, text := range texts {
		name, data := corpus.Name(text), text
		switch e.as {
		case "afl":
			name = fmt.Sprintf("id:%06d,orig:%s", i, name)
		case "go", "go-string":
			data = corpus.FormatFuzz(text, e.as == "go-string")
		}
		path := filepath.Join(e.dir, name)
		if err := corpus.WriteFile(path, data); err != nil {
			return writeError(path, err)
		}
	}
	return nil
}
