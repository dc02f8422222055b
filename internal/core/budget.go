package core

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"
)

// Budget is the greatest size of one table, in bytes. Every table is checked against it before it
// is made.
type Budget int64

// DefaultBudget replaces the zero Budget.
const DefaultBudget = 2 << 30

// ErrMemory is wrapped by every [MemoryError].
var ErrMemory = errors.New("more memory than allowed")

// MemoryError says that a table would exceed its budget.
type MemoryError struct {
	What  string  // in the plural
	Needs float64 // bytes, an estimate
	Have  Budget
	Step  int    // the greatest depth or size that would fit; 0 if unknown
	Fits  string // the same as flags; "" if unknown
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

// Ask returns a [MemoryError] if the number of bytes exceeds the budget. Numbers of bytes are
// floating-point, so that products cannot overflow.
func (b Budget) Ask(what string, bytes float64) error {
	b = b.Bytes()
	if bytes > float64(b) {
		return &MemoryError{What: what, Needs: bytes, Have: b}
	}
	return nil
}

// Bytes returns the budget, [DefaultBudget] for the zero one.
func (b Budget) Bytes() Budget { return cmp.Or(b, DefaultBudget) }

// growingBytes is the approximate memory of a node of a growing tree.
const growingBytes = 640

// Nodes returns the greatest number of nodes of a growing tree.
func (b Budget) Nodes() int { return int(min(b.Bytes()/growingBytes, math.MaxInt32)) }

// nodesPerTerminal is the assumed minimum number of nodes of a derivation per terminal.
const nodesPerTerminal = 2

// Derivation returns the greatest number of terminals of a derivation that fits.
func (b Budget) Derivation() int { return b.Nodes() / nodesPerTerminal }

// AskDerivation returns a [MemoryError] if derivations of so many terminals exceed the budget.
func (b Budget) AskDerivation(what string, terminals int) *MemoryError {
	if terminals <= b.Derivation() {
		return nil
	}
	return &MemoryError{What: what, Needs: Growing(float64(terminals) * nodesPerTerminal), Have: b.Bytes()}
}

// Growing returns the memory of a growing tree with that many nodes.
func Growing(nodes float64) float64 { return nodes * growingBytes }

// Bytes formats a number of bytes for people; 4 EiB represents all larger ones.
func Bytes(n float64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	v, u := min(n, 1<<62), 0
	for v >= 1024 && u < len(units)-1 {
		v, u = v/1024, u+1
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") + " " + units[u]
}
