// Command site makes the web pages of gramfuzz from README.md and the pages in docs:
//
//	go run ./internal/site -o DIR
//
// The pages are static and self-contained: nothing is loaded from elsewhere, links work from a
// folder and from a server, and the search runs in the browser over an index in a script of the
// site. A link to a missing file or heading is an error.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run returns the exit code: 0, or 2 if the pages could not be made.
func run(args []string, stdout, stderr io.Writer) int {
	flags := pflag.NewFlagSet("site", pflag.ContinueOnError)
	flags.SetOutput(stderr)
	root := flags.String("root", ".", "the folder of the repository")
	out := flags.StringP("output", "o", "", "the folder that the pages are written to")
	source := flags.String("source", "https://github.com/gramfuzz/gramfuzz", "where files that are no pages are linked to")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *out == "" || flags.NArg() > 0 {
		fmt.Fprintln(stderr, "usage: site -o DIR [flags]")
		return 2
	}
	s, err := read(os.DirFS(*root), *source)
	if err == nil {
		err = s.write(*out)
	}
	if err != nil {
		fmt.Fprintf(stderr, "site: %v\n", err)
		return 2
	}
	fmt.Fprintf(stdout, "%d pages in %s\n", len(s.pages), *out)
	return 0
}
