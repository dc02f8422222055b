package campaign

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// The classes of failures that only campaigns have, beside those of package target.
const (
	Output       target.Class = "output"       // the output matches a pattern
	Disagreement target.Class = "disagreement" // two programs differ; Detail says how
)

// Failing selects runs that fail, beside those that always do (by a signal, a report of a
// sanitizer, a panic, an exception, a hang, memory). The zero value adds none.
type Failing struct {
	Exits   []int          // exit codes
	AnyExit bool           // every exit code but 0
	Output  *regexp.Regexp // a pattern in standard output or error; nil: none
	Ignore  []target.Class // classes that do not count
}

// classes are those that can be ignored.
var classes = []target.Class{
	target.Sanitizer, target.GoPanic, target.Panic, target.Assertion, target.Exception, target.OOM, target.Forks, target.Timeout, target.Crash,
	Output, Disagreement,
}

// Classes lists the classes that [Failing.Ignore] accepts, for people.
func Classes() string {
	names := make([]string, len(classes))
	for i, c := range classes {
		names[i] = string(c)
	}
	return strings.Join(names, ", ")
}

// Set adds exit codes (any: all but 0) and classes to ignore, in the form of the flags
// --fail-exit and --ignore.
func (f *Failing) Set(exits, ignore []string) error {
	for _, e := range exits {
		code, err := strconv.Atoi(e)
		switch {
		case e == "any":
			f.AnyExit = true
		case err != nil || code < 0 || code > 255:
			return fmt.Errorf("--fail-exit %s is no exit code; write numbers up to 255, or any", e)
		default:
			f.Exits = append(f.Exits, code)
		}
	}
	for _, i := range ignore {
		if !slices.Contains(classes, target.Class(i)) {
			return fmt.Errorf("--ignore %s is no class of failures", i)
		}
		f.Ignore = append(f.Ignore, target.Class(i))
	}
	return nil
}

// maxMatch is the length of a matched text that distinguishes findings.
const maxMatch = 100

// of returns the failure of a run, and whether it is one.
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
