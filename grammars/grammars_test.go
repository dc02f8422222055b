package grammars

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

func TestEveryGrammarLoadsClean(t *testing.T) {
	for _, name := range Names("texts", "formats", "programs") {
		g, ds, err := Load(name, load.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, d := range ds {
			if d.Severity != grammar.Note {
				t.Errorf("%s: %v", name, d)
			}
		}
		if g.Name != name || len(g.SHA256) != 64 {
			t.Errorf("%s: name %q, sha256 %q", name, g.Name, g.SHA256)
		}
	}
}

func TestEveryGrammarIsFormatted(t *testing.T) {
	for _, name := range Names("texts", "formats", "programs") {
		src, _ := Source(name)
		formatted, ds := load.Format(name, src)
		if ds.Err() != nil {
			t.Errorf("%s: %v", name, ds.Err())
		}
		if d := cmp.Diff(string(formatted), string(src)); d != "" {
			t.Errorf("%s: -formatted +file:\n%s", name, d)
		}
	}
}

func TestNames(t *testing.T) {
	names := Names()
	for _, want := range []string{"assign", "expr", "json", "lopsided", "tree"} {
		if !slices.Contains(names, want) {
			t.Errorf("no grammar %q among %v", want, names)
		}
	}
}

func TestMustPanicsOnUnknownName(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Must("nosuch")
}
