package reduce

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// cut replaces a range of a text by other bytes and, on trees, the same range of
// the choice sequence.
type cut struct {
	from, to int // bytes of the base text
	with     string
	raw      bool   // no space between adjoining words
	gaps     string // on trees: '1' for every byte of with that is layout, else '0'

	cfrom, cto int // choices of the base, on trees
	cwith      []int
}

// edit is one or more cuts that belong together.
type edit struct {
	cuts []cut

	// keep lists byte ranges that no other edit may cut, such as the node that a
	// hoist moves up.
	keep [][2]int

	does transformation // equal for edits that do the same to different nodes
	kind editKind

	one   bool  // takes one element out of a list
	nodes []int // the nodes of that element
	gain  int   // bytes saved
}

// transformation identifies an expression and its replacement. The zero value
// equals no other.
type transformation struct {
	outer, inner *grammar.Expr
	alt          int
}

// newEdit returns the edit of cuts, with its gain.
func newEdit(cuts ...cut) edit {
	e := edit{cuts: cuts}
	for _, c := range cuts {
		e.gain += c.to - c.from - len(c.with)
	}
	return e
}

// byGain sorts edits by the bytes they save, most first. Of equals the later in
// the text comes first, since definitions are mostly before their uses. Edits
// with the same effect on the text are merged.
func byGain(es []edit) []edit {
	for _, e := range es {
		slices.SortFunc(e.cuts, outerFirst)
	}
	es = sorted(es)
	es = slices.DeleteFunc(es, func(e edit) bool { return len(e.cuts) == 0 || e.gain < 0 })
	return slices.CompactFunc(es, func(a, b edit) bool {
		return slices.EqualFunc(a.cuts, b.cuts, func(x, y cut) bool {
			return x.from == y.from && x.to == y.to && x.with == y.with
		})
	})
}

// sorted returns edits in the order of byGain. There may be a hundred thousand
// large ones: it sorts small keys, and moves every edit once.
func sorted(es []edit) []edit {
	type key struct{ gain, from, to, i int }
	keys := make([]key, len(es))
	for i, e := range es {
		keys[i] = key{gain: e.gain, i: i}
		if len(e.cuts) > 0 {
			keys[i].from, keys[i].to = e.cuts[0].from, e.cuts[0].to
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		switch {
		case a.gain != b.gain:
			return b.gain - a.gain
		case a.from != b.from:
			return b.from - a.from
		case a.to != b.to:
			return b.to - a.to
		}
		c := slices.CompareFunc(es[b.i].cuts, es[a.i].cuts, func(x, y cut) int {
			return cmp.Or(x.from-y.from, x.to-y.to, strings.Compare(x.with, y.with))
		})
		return cmp.Or(c, a.i-b.i)
	})
	out := make([]edit, len(es))
	for i, k := range keys {
		out[i] = es[k.i]
	}
	return out
}

func outerFirst(a, b cut) int { return cmp.Or(a.from-b.from, b.to-a.to, a.cfrom-b.cfrom, b.cto-a.cto) }

// merge joins edits on one base into ascending cuts that do not overlap. It reports false for
// edits that conflict.
func merge(es []edit) ([]cut, bool) {
	n := 0
	for _, e := range es {
		n += len(e.cuts)
	}
	all := make([]cut, 0, n)
	for _, e := range es {
		all = append(all, e.cuts...)
	}
	if !slices.IsSortedFunc(all, outerFirst) {
		slices.SortStableFunc(all, outerFirst)
	}
	out, ok := fold(all)
	return out, ok && keptIntact(es, out)
}

// fold joins cuts that are sorted by outerFirst, in place.
func fold(all []cut) ([]cut, bool) {
	out := all[:0]
	for _, c := range all {
		if len(out) == 0 {
			out = append(out, c)
			continue
		}
		last := &out[len(out)-1]
		switch {
		case c.from == last.from && c.to == last.to && c.cfrom == last.cfrom && c.cto == last.cto && c.with == last.with && slices.Equal(c.cwith, last.cwith):
			// a duplicate
		case c.from >= last.to && (c.from > last.to || c.cfrom >= last.cto):
			out = append(out, c)
		case c.to <= last.to: // inside the last cut
			if c.from == last.from && c.to == last.to && c.with != last.with {
				return nil, false
			}
		case c.with == "" && last.with == "" && len(c.cwith) == 0 && len(last.cwith) == 0:
			last.raw = last.raw && c.raw
			last.to, last.cto = c.to, max(c.cto, last.cto)
		default:
			return nil, false
		}
	}
	return out, true
}

// merger merges one edit at a time with the accepted ones, which it keeps merged.
type merger struct {
	held   []edit
	cuts   []cut
	buffer []cut
}

// with merges the accepted edits held and e. The owner of held must not change
// its elements. The result is valid until the next call.
func (m *merger) with(held []edit, e edit) ([]cut, bool) {
	if len(held) != len(m.held) || len(held) > 0 && &held[0] != &m.held[0] {
		cuts, ok := merge(held)
		if !ok {
			return nil, false
		}
		m.held, m.cuts = held, cuts
	}
	all := m.buffer[:0]
	rest := m.cuts
	for _, c := range e.cuts {
		i, _ := slices.BinarySearchFunc(rest, c, outerFirst)
		all = append(append(all, rest[:i]...), c)
		rest = rest[i:]
	}
	m.buffer = append(all, rest...)
	out, ok := fold(m.buffer)
	return out, ok && keptIntact(held, out) && keptIntact([]edit{e}, out)
}

// keptIntact reports whether no cut removes the kept ranges of an edit, unless one removes the
// whole edit.
func keptIntact(es []edit, cuts []cut) bool {
	for _, e := range es {
		for _, k := range e.keep {
			i, _ := slices.BinarySearchFunc(cuts, k[0], func(c cut, at int) int { return cmp.Compare(c.from, at+1) })
			if i == 0 || cuts[i-1].to < k[1] {
				continue
			}
			c := cuts[i-1]
			if e.cuts[0].from < c.from || e.cuts[len(e.cuts)-1].to > c.to {
				return false
			}
		}
	}
	return true
}

// splice applies cuts to a text. If a cut would join two words, a space or line break separates
// them.
func splice(text []byte, cuts []cut) []byte {
	out := make([]byte, 0, len(text))
	at := 0
	for _, c := range cuts {
		out = append(out, text[at:c.from]...)
		out = append(out, c.with...)
		at = c.to
		if c.with == "" && !c.raw && len(out) > 0 && at < len(text) && joins(out[len(out)-1], text[at]) && !(c.from > 0 && wordInside(text, c)) {
			out = append(out, separatorFor(text[c.from:c.to]))
		}
	}
	return append(out, text[at:]...)
}

// wordInside reports whether the cut is within one word, whose ends then join.
func wordInside(text []byte, c cut) bool {
	for _, b := range text[c.from:c.to] {
		if !isWord(b) {
			return false
		}
	}
	return c.to > c.from
}

// separatorFor returns the byte that separates two words in place of gone.
func separatorFor(gone []byte) byte {
	if slices.Contains(gone, '\n') {
		return '\n'
	}
	return ' '
}

func isWord(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' || b == '$' || b >= 0x80
}

func joins(a, b byte) bool { return isWord(a) && isWord(b) }

// spliceChoices applies cuts to a choice sequence.
func spliceChoices(choices []int, cuts []cut) []int {
	out := make([]int, 0, len(choices))
	at := 0
	for _, c := range cuts {
		out = append(out, choices[at:c.cfrom]...)
		out = append(out, c.cwith...)
		at = c.cto
	}
	return append(out, choices[at:]...)
}

// editBuilder makes the candidate of an edit on top of the accepted ones.
type editBuilder func(held []edit, e edit) (*candidate, error)

// tryTextEdits tries edits of the best text, below the grammar, in the order
// given.
func (s *search) tryTextEdits(es []edit) error { return s.tryEdits(es, s.textBuilder()) }

// tryEdits tries edits of one base, in the order given.
func (s *search) tryEdits(es []edit, build editBuilder) error {
	_, err := s.tryOn(nil, es, build)
	return err
}

// tryOn tries edits on top of accepted ones, and returns the indices of those that hold.
func (s *search) tryOn(held, es []edit, build editBuilder) ([]int, error) {
	var last []int // those that hold; with has all accepted ones
	with := held
	return s.tryAll(len(es), func(in []int, i int) (*candidate, error) {
		if !slices.Equal(in, last) {
			last = slices.Clone(in)
			with = slices.Concat(held, pick(es, in))
		}
		return build(with, es[i])
	}, func(i int) editKind { return es[i].kind })
}

// pick returns the edits with the given numbers.
func pick(es []edit, in []int) []edit {
	out := make([]edit, 0, len(in))
	for _, i := range in {
		out = append(out, es[i])
	}
	return out
}

// textBuilder makes candidates of the present best text.
func (s *search) textBuilder() editBuilder {
	base := s.best.text
	var m merger
	return func(held []edit, e edit) (*candidate, error) {
		cuts, ok := m.with(held, e)
		if !ok {
			return nil, nil
		}
		text := splice(base, cuts)
		if s.obeys != nil {
			return s.obeyingCandidate(text, base), nil
		}
		return &candidate{text: text, derive: func() (*derive.Tree, error) { return s.parse(text), nil }}, nil
	}
}
