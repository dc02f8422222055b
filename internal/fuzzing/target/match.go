package target

import (
	"errors"
	"regexp"
	"syscall"
)

// Match is a condition for interesting runs, as an alternative to a script. All conditions
// that are set must hold; a nil or zero field sets none.
type Match struct {
	// Exit is an exit code. As in shells, that of a program ended by signal n is 128+n.
	Exit *int
	// Signal is a signal that ended the program. Exit code 128+n, by which a shell reports
	// that its program died of signal n, counts too.
	Signal syscall.Signal
	// Stdout and Stderr must match the kept part of the output.
	Stdout, Stderr *regexp.Regexp
	// Timeout asks for runs that do not end in time. Without it a timeout is
	// a [*TimeoutError].
	Timeout bool
	// Signature is the signature of the wanted failure, as from [Outcome.Signature]. "" sets
	// no condition.
	Signature string
}

// Holds reports whether a run fulfils all conditions.
func (m Match) Holds(res *Result) bool {
	switch {
	case m.Timeout != (res.Kind == TimedOut),
		m.Exit != nil && !m.exitHolds(res),
		m.Signal != 0 && !m.signalHolds(res),
		m.Stdout != nil && !m.Stdout.Match(res.Stdout),
		m.Stderr != nil && !m.Stderr.Match(res.Stderr),
		m.Signature != "" && Classify(res).Signature() != m.Signature:
		return false
	}
	return true
}

func (m Match) exitHolds(res *Result) bool {
	return res.Kind == Exited && res.Code == *m.Exit ||
		res.Kind == Signaled && 128+int(res.Signal) == *m.Exit
}

func (m Match) signalHolds(res *Result) bool {
	return res.Kind == Signaled && res.Signal == m.Signal ||
		res.Kind == Exited && res.Code == 128+int(m.Signal)
}

// empty reports whether no condition is set.
func (m Match) empty() bool {
	return m.Exit == nil && m.Signal == 0 && m.Stdout == nil && m.Stderr == nil && !m.Timeout && m.Signature == ""
}

// NewMatch returns a predicate for a command and a condition. `CMD {}` gets the candidate as
// a file, a command without {} on standard input. The death of the program by a signal is an
// ordinary answer here.
func NewMatch(cmd Command, want Match) (*Predicate, error) {
	if want.empty() {
		return nil, errors.New("no condition; say which exit code, signal or output is interesting")
	}
	if want.Timeout && cmd.Timeout <= 0 {
		return nil, errors.New("a hang can only be told with a timeout; set one")
	}
	r, err := New(cmd)
	if err != nil {
		return nil, err
	}
	return &Predicate{runner: r, wantTimeout: want.Timeout, judge: func(res *Result) (bool, error) {
		return want.Holds(res), nil
	}}, nil
}
