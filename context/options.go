package context

import (
	"fmt"
	"strconv"
	"strings"
)

// Mode says which names are distinguished.
type Mode uint8

// The modes.
const (
	Pool      Mode = iota // each name is a derivation of its own
	Canonical             // new names are taken in order, so sentences equal up to renaming are one
)

func (m Mode) String() string { return [...]string{"pool", "canonical"}[m] }

// ParseMode returns the mode with the given name.
func ParseMode(name string) (Mode, error) {
	for m := Pool; m <= Canonical; m++ {
		if m.String() == name {
			return m, nil
		}
	}
	return 0, fmt.Errorf("names are %v or %v, not %q", Pool, Canonical, name)
}

// DefaultPool is the number of names of a namespace where Options.Pool is 0.
const DefaultPool = 26

// MaxPool is the largest pool.
const MaxPool = 512

// Options says how names are chosen. The zero value is valid.
type Options struct {
	Mode Mode
	Pool int  // number of names of a namespace: the rule's first ones, shortest first; 0 is DefaultPool
	Off  bool // ignore annotations
}

// String writes the options in the form used by records: the mode, and after a colon the size
// of the pool unless it is [DefaultPool].
func (o Options) String() string {
	switch {
	case o.Off:
		return "off"
	case o.Pool == 0 || o.Pool == DefaultPool:
		return o.Mode.String()
	}
	return fmt.Sprintf("%v:%d", o.Mode, o.Pool)
}

// ParseOptions reads the form of [Options.String]; "" is the zero value.
func ParseOptions(s string) (o Options, err error) {
	if s == "" {
		return o, nil
	}
	if s == "off" {
		return Options{Off: true}, nil
	}
	mode, pool, sized := strings.Cut(s, ":")
	if o.Mode, err = ParseMode(mode); err != nil {
		return o, err
	}
	if sized {
		if o.Pool, err = strconv.Atoi(pool); err != nil || o.Pool < 1 || o.Pool > MaxPool {
			return o, fmt.Errorf("%q is no pool of names; a pool has 1 to %d", pool, MaxPool)
		}
	}
	return o, nil
}
