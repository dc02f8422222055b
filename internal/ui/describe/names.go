package describe

import (
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
)

// pool is the number of names for looking at annotations: few, since only their existence matters.
const pool = 2

// Unsatisfied returns a warning for each annotation of names that no derivation can satisfy; none
// where the answer would take too much memory.
func Unsatisfied(g *grammar.Grammar) grammar.Diagnostics {
	names, err := scope.New(g, false, pool)
	if names == nil || err != nil {
		return nil
	}
	ds, err := names.Unsatisfied(scope.Facts(g, names, nil, grammar.Structure))
	if err != nil {
		return nil
	}
	return ds
}
