// Package notationtest has tests shared by the readers and printers of notations.
//
//	notationtest.Shapes(t, Parse, cases)           // each reads as the shape beside it
//	notationtest.Malformed(t, Parse, 20)           // testdata/malformed: messages beside the lines
//	notationtest.SameBack(t, Parse, Print, g, 10)  // printed and read, it counts the same
//	notationtest.FuzzPrinted(f, Parse, Print, seeds...)
package notationtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Parse is a reader's Parse function.
type Parse func(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics)

var update = flag.Bool("update", false, "rewrite the expected messages of testdata/malformed.txt")

// Malformed reads testdata/malformed.txt. Its sections "-- name --" are broken files. Lines "### col:
// problem; remedy" are the diagnostics expected for the line above them, and not part of the file. least is the minimum number of sections.
func Malformed(t *testing.T, parse Parse, least int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "malformed.txt"))
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split("\n"+string(data), "\n-- ")[1:]
	if len(sections) < least {
		t.Errorf("only %d malformed files, want at least %d", len(sections), least)
	}
	if *update {
		rewrite(t, sections, parse)
		return
	}
	for _, s := range sections {
		name, body, _ := strings.Cut(s, " --\n")
		t.Run(name, func(t *testing.T) {
			src, want := unmark(name, body)
			ds := load(name, src, parse)
			var got []string
			for _, d := range ds {
				got = append(got, d.String())
			}
			sort.Strings(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if ds.Err() == nil {
				t.Errorf("the broken file was accepted")
			}
		})
	}
}

// load parses and freezes, and returns all diagnostics.
func load(name, src string, parse Parse) grammar.Diagnostics {
	read, ds := parse(name, []byte(src))
	if ds.Err() == nil {
		_, more := Freeze(read)
		ds = append(ds, more...)
	}
	return ds
}

// rewrite writes the current messages of parse below their lines.
func rewrite(t *testing.T, sections []string, parse Parse) {
	var b strings.Builder
	for _, s := range sections {
		name, body, _ := strings.Cut(s, " --\n")
		src, _ := unmark(name, body)
		at := make(map[int][]string)
		lines := strings.Split(strings.TrimSuffix(src, "\n"), "\n")
		for _, d := range load(name, src, parse) {
			n := min(max(d.Pos.Line, 1), len(lines))
			at[n] = append(at[n], "### "+strings.TrimPrefix(d.String(), fmt.Sprintf("%s:%d:", name, d.Pos.Line)))
		}
		fmt.Fprintf(&b, "-- %s --\n", name)
		for i, l := range lines {
			b.WriteString(l + "\n")
			for _, m := range at[i+1] {
				b.WriteString(m + "\n")
			}
		}
	}
	if err := os.WriteFile(filepath.Join("testdata", "malformed.txt"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func unmark(name, body string) (src string, want []string) {
	var lines []string
	for _, l := range strings.Split(body, "\n") {
		if m, ok := strings.CutPrefix(l, "### "); ok {
			want = append(want, fmt.Sprintf("%s:%d:%s", name, len(lines), m))
			continue
		}
		lines = append(lines, l)
	}
	sort.Strings(want)
	return strings.Join(lines, "\n"), want
}

// Fuzz checks that parse and Freeze neither panic nor hang on data, and that each error of
// parse has a file, a message and advice. It returns the grammar, or nil after an error.
func Fuzz(t *testing.T, parse Parse, data []byte) *grammar.Grammar {
	t.Helper()
	read, ds := parse("fuzz", data)
	for _, d := range ds {
		if d.Severity == grammar.Error && (d.Pos.File == "" || d.Message == "" || d.Hint == "") {
			t.Errorf("incomplete diagnostic %+v", d)
		}
	}
	if ds.Err() != nil {
		return nil
	}
	g, more := Freeze(read)
	if more.Err() != nil {
		return nil
	}
	return g
}
