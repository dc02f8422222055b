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
	"fmt"
	"strings"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/mutate"
)

// New returns a record with the common part of a stream's records. version is gramfuzz's.
func New(version string, g derive.GrammarRef, b count.Bound, m grammar.Measure) derive.Record {
	return derive.Record{Gramfuzz: version, Grammar: g, Bound: Bound(b), Measure: m.String()}
}

// Bound returns a bound as records name it.
func Bound(b count.Bound) derive.BoundRef {
	if b.ByDepth() {
		return derive.BoundRef{Depth: b.Depth, Repeat: cmp.Or(b.Repeat, count.DefaultRepeat)}
	}
	return derive.BoundRef{Min: b.Min, Max: b.Max, Unit: b.Unit.String(), Repeat: b.Repeat}
}

// SetTree sets the record's choices, text, depth and size from a derivation. The size is in the
// unit of the record's bound, terminals where that has none.
func SetTree(r *derive.Record, t *derive.Tree, f *grammar.Facts) {
	unit, err := ParseUnit(r.Bound.Unit)
	if err != nil {
		unit = grammar.Terminals
	}
	r.Choices, r.Text, r.Edits = t.Choices(), t.AppendText(nil), nil
	r.Depth, r.Size = derive.Depth(t, f), derive.Size(t, f, unit)
}

// SetText sets the text of the record, and adds the edits that turn the former text into it.
func SetText(r *derive.Record, text []byte) { r.Text, r.Edits = text, mutate.Edits(r.Text, text) }

// ParseBound reads a bound. It is zero without depth and sizes, unless its Repeat says that no
// terminals are meant, see [count.Sizes].
func ParseBound(r derive.BoundRef) (count.Bound, error) {
	switch {
	case r.Depth > 0 || (r.Unit == "" || r.Unit == grammar.Terminals.String() && r.Repeat == 0) && r.Min == 0 && r.Max == 0:
		return count.Bound{Depth: r.Depth, Repeat: r.Repeat}, nil
	case r.Min < 0 || r.Max < r.Min || r.Max > MaxSize || r.Depth < 0:
		return count.Bound{}, fmt.Errorf("%d to %d is not a range of sizes; it goes from 0 to %d", r.Min, r.Max, MaxSize)
	}
	unit, err := ParseUnit(r.Unit)
	return count.Sizes(r.Min, r.Max, unit), err
}

// MaxSize bounds sizes, so that sums of them do not overflow on any machine.
const MaxSize = 1 << 28

// ParseUnit reads the name of a unit; "" is terminals.
func ParseUnit(name string) (grammar.Unit, error) {
	return parse("unit", name, grammar.Terminals, grammar.Bytes, grammar.Nodes)
}

// ParseMeasure reads the name of a measure; "" is structure.
func ParseMeasure(name string) (grammar.Measure, error) {
	return parse("measure", name, grammar.Structure, grammar.Exact)
}

// ParseLayout reads the name of a layout; "" is tight.
func ParseLayout(name string) (derive.LayoutPolicy, error) {
	return parse("layout", name, derive.Tight, derive.Spaced, derive.Random)
}

// parse returns the value of a name, the first for "".
func parse[T fmt.Stringer](kind, name string, values ...T) (T, error) {
	for _, v := range values {
		if name == "" || v.String() == name {
			return v, nil
		}
	}
	var names []string
	for _, v := range values[:len(values)-1] {
		names = append(names, v.String())
	}
	return values[0], fmt.Errorf("there is no %s %q; there are %s and %v", kind, name, strings.Join(names, ", "), values[len(values)-1])
}

// Layout returns the layout of a record's text, nil where it names none.
func Layout(g *grammar.Grammar, r *derive.Record) (*derive.Layout, error) {
	if r.Layout == "" {
		return nil, nil
	}
	p, err := ParseLayout(r.Layout)
	if err != nil {
		return nil, err
	}
	return derive.NewLayout(g, p)
}

// Machine returns a machine that replays the choices of a record with its names and its layout.
func Machine(g *grammar.Grammar, r *derive.Record) (*derive.Machine, error) {
	layout, err := Layout(g, r)
	if err != nil {
		return nil, err
	}
	o, err := gctx.ParseOptions(r.Names)
	if err != nil {
		return nil, err
	}
	names, err := gctx.New(g, o)
	if err != nil {
		return nil, err
	}
	return gctx.Machine(g, names, derive.Options{Layout: layout})
}
