package notationtest

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/load/internal/bind"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Print is a printer's Print function.
type Print func(g *grammar.Grammar) (string, grammar.Diagnostics)

// Case is a text in a notation and the Shape of its grammar.
type Case = struct{ Name, Src, Want string }

// Shapes reads each case's text and compares the Shape of its grammar.
func Shapes(t *testing.T, parse Parse, cases []Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			g, ds := parse("f", []byte(c.Src))
			if ds.Err() != nil {
				t.Fatal(ds.Err())
			}
			if diff := cmp.Diff(c.Want, Shape(g)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// Freeze binds the names of a grammar, numbers it and checks it. Tokens stay as read. The grammar
// is not nil even if the diagnostics have errors.
func Freeze(read *syntax.Grammar) (*grammar.Grammar, grammar.Diagnostics) {
	bound, ds := bind.Bind(read)
	g, more := bound.Freeze(nil, nil, "")
	return g, append(ds, more...)
}

// Must reads and freezes a text, which must have no errors. It returns the grammar with all
// diagnostics.
func Must(t *testing.T, parse Parse, name string, src []byte) (*grammar.Grammar, grammar.Diagnostics) {
	t.Helper()
	read, ds := parse(name, src)
	if ds.Err() != nil {
		t.Fatalf("%v in\n%s", ds.Err(), src)
	}
	g, more := Freeze(read)
	ds = append(ds, more...)
	if ds.Err() != nil {
		t.Fatalf("%v in\n%s", ds.Err(), src)
	}
	return g, ds
}

// File is Must for a file.
func File(t *testing.T, parse Parse, path string) (*grammar.Grammar, grammar.Diagnostics) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Must(t, parse, path, src)
}

// SameBack prints a frozen grammar and reads the text back. Printing must lose nothing, and the
// counts by bytes up to n must be the same.
func SameBack(t *testing.T, parse Parse, print Print, g *grammar.Grammar, n int) {
	t.Helper()
	text, lost := print(g)
	if len(lost) > 0 {
		t.Errorf("lost: %v", lost)
	}
	back, _ := Must(t, parse, "printed", []byte(text))
	SameCounts(t, g, back, n)
}

// FuzzPrinted runs Fuzz on mutants of the seeds. Each grammar that is read and printed must also
// read back.
func FuzzPrinted(f *testing.F, parse Parse, print Print, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	blind.Fuzz(f, func(t *testing.T, data []byte) {
		g := Fuzz(t, parse, data)
		if g == nil || print == nil {
			return
		}
		text, _ := print(g)
		if _, ds := parse("printed", []byte(text)); ds.Err() != nil {
			t.Errorf("printed text does not read back: %v\n%s", ds.Err(), text)
		}
	})
}
