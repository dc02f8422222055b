package campaign

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/target"
)

// The classes of failures that only a campaign knows, beside those of package
// target.
const (
	Output       target.Class = "output"       // the output matches a pattern
	Disagreement target.Class = "disagreement" // two programs differ; Detail says in what
)

// Failing says which runs fail, beside those that fail for everybody (a signal,
// a report of a sanitizer, a panic, an exception, a hang, memory). The zero value
// adds none.
type Failing struct {
	Exits   []int          // exit codes
	AnyExit bool           // every exit code but 0
	Output  *regexp.Regexp // what standard output or error has; nil: none
	Ignore  []target.Class // classes that do not count
}

// maxMatch is how much of a matched text tells findings apart.
const maxMatch = 100

// of returns the failure that a run is, and whether it is one.
func (f *Failing) of(r *Ran) (target.Outcome, bool) {
	o := r.Outcome
	if f.Output != nil && r.Result != nil {
		for _, text := range [][]byte{r.Result.Stderr, r.Result.Stdout} {
			if m := f.Output.Find(text); m != nil {
				line := strings.Join(strings.Fields(strings.ToValidUTF8(string(m), "?")), " ")
				o = target.Outcome{Class: Output, Message: line[:min(len(line), maxMatch)]}
				return o, !slices.Contains(f.Ignore, Output)
			}
		}
	}
	if slices.Contains(f.Ignore, o.Class) {
		return o, false
	}
	if o.Class == target.Exit && r.Result != nil {
		return o, f.AnyExit || slices.Contains(f.Exits, r.Result.Code)
	}
	return o, o.Failed()
}
