package grammar

import (
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
)

// Severity is the severity of a diagnostic.
type Severity uint8

// The severities, from harmless to fatal.
const (
	Note    Severity = iota // a property worth knowing, e.g. left recursion
	Warning                 // the grammar is usable, but perhaps not as meant
	Error                   // the grammar cannot be used
)

func (s Severity) String() string { return [...]string{"note", "warning", "error"}[s] }

// Diagnostic is one message about a grammar file: the place, the problem, and its remedy.
type Diagnostic struct {
	Severity Severity
	Pos      Pos
	Code     string // stable name of the kind, e.g. "undefined-rule"
	Rule     string // the rule concerned, or ""
	Message  string // the problem: lower case, no full stop
	Hint     string // the remedy
}

// String formats the diagnostic as "file:line:col: problem; remedy", with "warning: " or "note:
// " before the message if it is not an error. The result is one line; unprintable characters
// are escaped.
func (d Diagnostic) String() string {
	var b strings.Builder
	if !d.Pos.isZero() || d.Pos.File != "" {
		b.WriteString(d.Pos.String())
		b.WriteString(": ")
	}
	if d.Severity != Error {
		b.WriteString(d.Severity.String())
		b.WriteString(": ")
	}
	b.WriteString(d.Message)
	if d.Hint != "" {
		b.WriteString("; ")
		b.WriteString(d.Hint)
	}
	return words.Quote(b.String())
}

// Diagnostics is a list of messages. As an error, it holds at least one entry of severity Error
// and prints one message per line.
type Diagnostics []Diagnostic

// Error joins all messages with newlines.
func (ds Diagnostics) Error() string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// Err returns the list as an error if it has an entry of severity Error, else nil. The error
// lists only the errors, in the order of their positions.
func (ds Diagnostics) Err() error {
	var errs Diagnostics
	for _, d := range ds {
		if d.Severity == Error {
			errs = append(errs, d)
		}
	}
	if len(errs) == 0 {
		return nil
	}
	errs.Sort()
	return errs
}

// Sort orders the messages by position; it is stable.
func (ds Diagnostics) Sort() {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int { return a.Pos.compare(b.Pos) })
}
