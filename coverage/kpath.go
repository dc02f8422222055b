package coverage

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// DefaultMaxPaths is how many k-paths a grammar may have where Options.MaxPaths is 0.
const DefaultMaxPaths = 1_000_000

// TooManyError says that a grammar has more k-paths than can be listed.
type TooManyError struct {
	K     int
	Paths float64 // about
	Limit int
}

func (e *TooManyError) Error() string {
	return fmt.Sprintf("the grammar has %.3g paths of length %d, more than %d; take a smaller k", e.Paths, e.K, e.Limit)
}

// paths returns all k-paths: what can stand below each other in a row of k in
// some derivation. They come in the order of the grammar graph.
func (r *graph) paths(k, limit int) ([][]state, error) {
	if n := r.countPaths(k); n > float64(limit) {
		return nil, &TooManyError{k, n, limit}
	}
	var out [][]state
	path := make([]state, 0, k)
	var extend func(s state)
	extend = func(s state) { // as deep as k
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

// countPaths returns how many k-paths there are.
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

// pathKey appends the key of a row of symbols to b.
func pathKey(b []byte, path []int32) []byte {
	for _, s := range path {
		b = binary.LittleEndian.AppendUint32(b, uint32(s))
	}
	return b
}

func (r *graph) key(path []state) string {
	var b []byte
	for _, s := range path {
		b = pathKey(b, []int32{s.sym})
	}
	return string(b)
}

// pathName writes a path for people: "array > values > value".
func (r *graph) pathName(path []state) string {
	names := make([]string, len(path))
	for i, s := range path {
		names[i] = r.symbols[s.sym].name
	}
	return strings.Join(names, " > ")
}
