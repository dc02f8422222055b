package core

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"
)

// Budget is how many bytes one table may take. Whatever makes a table asks it before.
type Budget int64

// DefaultBudget stands for the zero Budget.
const DefaultBudget = 2 << 30

// ErrMemory is what every [MemoryError] wraps.
var ErrMemory = errors.New("more memory than allowed")

// MemoryError says that something would take more memory than it may.
type MemoryError struct {
	What  string  // in the plural
	Needs float64 // bytes, an estimate
	Have  Budget
	Step  int    // the greatest depth or size that would fit; 0 where it is not known
	Fits  string // the same as flags; "" where it is not known
}

func (e *MemoryError) Error() string {
	fits := "; --max-memory raises the limit"
	if e.Fits != "" {
		fits = fmt.Sprintf("; %s would fit, or raise --max-memory", e.Fits)
	}
	needs, have := fmt.Sprintf("about %s, ", Bytes(e.Needs)), Bytes(float64(e.Have))
	if Bytes(e.Needs) == have {
		needs = ""
	}
	return fmt.Sprintf("%s need %smore than the %s allowed%s", e.What, needs, have, fits)
}

// Unwrap returns [ErrMemory].
func (e *MemoryError) Unwrap() error { return ErrMemory }

// Ask returns a [MemoryError] where so many bytes are too many. Numbers of bytes are
// floating-point, so that no product of theirs overflows.
func (b Budget) Ask(what string, bytes float64) error {
	if b = b.Bytes(); bytes > float64(b) {
		return &MemoryError{What: what, Needs: bytes, Have: b}
	}
	return nil
}

// Bytes is the budget, [DefaultBudget] for the zero one.
func (b Budget) Bytes() Budget { return cmp.Or(b, DefaultBudget) }

// growingBytes is the memory of a node of a tree that grows, about.
const growingBytes = 640

// Nodes returns how many nodes a tree that grows may have.
func (b Budget) Nodes() int { return int(min(b.Bytes()/growingBytes, math.MaxInt32)) }

// Growing returns how many bytes a tree of so many nodes takes while it grows.
func Growing(nodes float64) float64 { return nodes * growingBytes }

// Bytes formats a number of bytes for people; 4 EiB stands for all larger ones.
func Bytes(n float64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	v, u := min(n, 1<<62), 0
	for v >= 1024 && u < len(units)-1 {
		v, u = v/1024, u+1
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") + " " + units[u]
}
