package grammar

import (
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/quote"
)

// Severity says what a diagnostic means for the user.
type Severity uint8

// The severities, from harmless to fatal.
const (
	Note    Severity = iota // a property worth knowing, e.g. left recursion
	Warning                 // the grammar is usable, but perhaps not as meant
	Error                   // the grammar cannot be used
)

func (s Severity) String() string { return [...]string{"note", "warning", "error"}[s] }

// Diagnostic is one message about a grammar file: where, what, and what to do.
type Diagnostic struct {
	Severity Severity
	Pos      Pos
	Code     string // stable name of the kind, e.g. "undefined-rule"
	Rule     string // the rule concerned, or ""
	Message  string // what is wrong: lower case, no full stop
	Hint     string // what to do about it
}

// String formats the diagnostic as "file:line:col: what; what to do", with
// "warning: " or "note: " before the message where it is not an error. It is one line:
// characters that do not print are escaped.
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
	return quote.Text(b.String())
}

// Diagnostics is a list of messages. As an error it holds at least one entry
// of severity Error and prints one message a line.
type Diagnostics []Diagnostic

// Error joins all messages with newlines.
func (ds Diagnostics) Error() string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// Err returns the list as an error if it holds one of severity Error, else nil.
// The error lists the errors alone, in the order of their positions.
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

// Sort orders the messages by position, keeping the order of equals.
func (ds Diagnostics) Sort() {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int { return a.Pos.compare(b.Pos) })
}
