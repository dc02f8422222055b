// Package record builds the records of sentences.
//
//	rec := record.New(version, ref, bound, grammar.Structure)
//	rec.Seed, rec.Index = seed, i
//	record.SetTree(&rec, tree, facts) // choices, text, depth, size
//	record.SetText(&rec, damaged)     // the text as it was run, and the edits
//	line := rec.Append(nil)
package record

import (
	"cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/mutate"
)

// New returns what the records of one stream of sentences have in common. The
// version is that of gramfuzz.
func New(version string, g derive.GrammarRef, b count.Bound, m grammar.Measure) derive.Record {
	return derive.Record{Gramfuzz: version, Grammar: g, Bound: Bound(b), Measure: m.String()}
}

// Bound returns a bound as records name it.
func Bound(b count.Bound) derive.BoundRef {
	if b.ByDepth() {
		return derive.BoundRef{Depth: b.Depth, Repeat: cmp.Or(b.Repeat, count.DefaultRepeat)}
	}
	return derive.BoundRef{Min: b.Min, Max: b.Max, Unit: b.Unit.String()}
}

// SetTree makes a derivation that of the record: its choices, text, depth and size.
// The size is in the unit of the record's bound, terminals where that has none.
func SetTree(r *derive.Record, t *derive.Tree, f *grammar.Facts) {
	unit := grammar.Terminals
	for _, u := range []grammar.Unit{grammar.Bytes, grammar.Nodes} {
		if u.String() == r.Bound.Unit {
			unit = u
		}
	}
	r.Choices, r.Text, r.Edits = t.Choices(), t.AppendText(nil), nil
	r.Depth, r.Size = derive.Depth(t, f), derive.Size(t, f, unit)
}

// SetText makes a text that of the record, and notes how it was made from the text
// before.
func SetText(r *derive.Record, text []byte) { r.Text, r.Edits = text, mutate.Edits(r.Text, text) }
