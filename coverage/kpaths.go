package coverage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

const defaultMaxPaths = 1_000_000

// ErrTooManyPaths is the error for a grammar with more k-paths than can be listed.
var ErrTooManyPaths = errors.New("take a smaller k")

// paths returns all k-paths, the chains of k symbols from parent to child in some
// derivation, in the order of the graph.
func (r *graph) paths(k, limit int) ([][]state, error) {
	if n := r.countPaths(k); n > float64(limit) {
		return nil, fmt.Errorf("the grammar has %.3g paths of length %d, more than %d; %w", n, k, limit, ErrTooManyPaths)
	}
	var out [][]state
	path := make([]state, 0, k)
	var extend func(s state)
	extend = func(s state) { // recursion depth k
		path = append(path, s)
		if len(path) == k {
			out = append(out, append([]state(nil), path...))
		} else {
			for _, next := range r.below(s) {
				extend(next)
			}
		}
		path = path[:len(path)-1]
	}
	for _, s := range r.all() {
		extend(state{s, r.reached[s]})
	}
	return out, nil
}

// countPaths returns the number of k-paths.
func (r *graph) countPaths(k int) float64 {
	from := map[state]float64{}
	for _, s := range r.all() {
		from[state{s, r.reached[s]}] = 1
	}
	for range k - 1 {
		next := map[state]float64{}
		for s, n := range from {
			for _, t := range r.below(s) {
				next[t] += n
			}
		}
		from = next
	}
	total := 0.0
	for _, n := range from {
		total += n
	}
	return total
}

// pathKey appends the map key of a chain of symbols to b.
func pathKey(b []byte, path []int32) []byte {
	for _, s := range path {
		b = binary.LittleEndian.AppendUint32(b, uint32(s))
	}
	return b
}

// key returns the map key of a path.
func (r *graph) key(path []state) string {
	var b []byte
	for _, s := range path {
		b = pathKey(b, []int32{s.sym})
	}
	return string(b)
}

// pathName returns the text of a path: "array > values > value".
func (r *graph) pathName(path []state) string {
	names := make([]string, len(path))
	for i, s := range path {
		names[i] = r.symbols[s.sym].name
	}
	return strings.Join(names, " > ")
}
