package manual_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/gramfuzz/gramfuzz/internal/ui/manual"
)

func book() *manual.Book {
	flags := pflag.NewFlagSet("paint", pflag.ContinueOnError)
	flags.String("colour", "red", "the `COLOUR` of a<b, 2*3 and c_d")
	return &manual.Book{
		Program: "prog", Short: "do things", Long: "prog does *things*", Version: "v1", Values: map[string][]string{"colour": {"red", "green"}},
		Commands: []*manual.Command{{Usage: "paint [flags]", Short: "paint a wall", Long: "Paint, such as:\n\n  prog paint --colour red", Words: []string{"wall"}, Flags: flags}},
	}
}

func TestComplete(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"p", "paint\tpaint a wall\n:4\n"},
		{"paint ", "wall\n:4\n"},
		{"paint --c", "--colour\tthe `COLOUR` of a<b, 2*3 and c_d\n:4\n"},
		{"paint --colour ", "red\ngreen\n:0\n"},
	} {
		var out strings.Builder
		if err := book().Complete(&out, strings.Split(test.line, " ")); err != nil {
			t.Errorf("%q: %v", test.line, err)
		}
		if d := cmp.Diff(test.want, out.String()); d != "" {
			t.Errorf("%q: -want +got:\n%s", test.line, d)
		}
	}
}

// TestPage checks that man pages show texts unchanged, with examples on lines of their own.
func TestPage(t *testing.T) {
	b := book()
	if d := cmp.Diff([]string{"prog", "prog-paint"}, b.Pages()); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	for page, want := range map[string][]string{
		"prog":       {`.TH "PROG" "1"`, "prog does *things*", `\fBprog-paint(1)\fP`},
		"prog-paint": {`.TH "PROG-PAINT" "1"`, ".EX\nprog paint --colour red\n", `the \fBCOLOUR\fR of a<b, 2*3 and c_d`},
	} {
		var out strings.Builder
		if err := b.Page(&out, page); err != nil {
			t.Fatal(err)
		}
		for _, s := range want {
			if !strings.Contains(out.String(), s) {
				t.Errorf("%s has no %q:\n%s", page, s, &out)
			}
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range manual.Shells {
		var out strings.Builder
		if err := book().Completion(&out, shell); err != nil || !strings.Contains(out.String(), "prog") {
			t.Errorf("%s: %v\n%s", shell, err, &out)
		}
	}
	if err := book().Completion(nil, "csh"); err == nil {
		t.Error("a script for csh")
	}
}

// TestReference checks that the reference has a flag shared by three commands once, and no
// default that depends on the machine.
func TestReference(t *testing.T) {
	b := book()
	for _, name := range []string{"draw", "carve"} {
		flags := pflag.NewFlagSet(name, pflag.ContinueOnError)
		flags.AddFlag(b.Commands[0].Flags.Lookup("colour"))
		flags.IntP("jobs", "j", 2, "goroutines | all")
		b.Commands = append(b.Commands, &manual.Command{Usage: name, Long: "Text.", Flags: flags})
	}
	var out strings.Builder
	if err := b.Reference(&out, "jobs"); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"| `--colour COLOUR` | the COLOUR of a\\<b, 2\\*3 and c\\_d (default red) |": 1,
		"| `-j, --jobs int` | goroutines \\| all |":                                  2,
		"```text\nprog paint --colour red\n```":                                      1,
		"[flags of several commands](#flags-of-several-commands): `--colour`.":       3,
	} {
		if got := strings.Count(out.String(), text); got != want {
			t.Errorf("%q occurs %d times, want %d, in:\n%s", text, got, want, out.String())
		}
	}
}
