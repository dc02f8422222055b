package lex

import (
	"encoding/binary"
	"maps"
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// sym is a letter of the automata: a set of characters that no expression of
// the grammar tells apart, or one byte that is not part of a character.
type sym uint16

const noSym sym = 0xffff

// alphabet is the partition of all characters (and stray bytes) into symbols.
// Characters that the grammar does not mention at all have no symbol.
type alphabet struct {
	sets   []grammar.Set // by symbol; empty for a stray byte
	bytes  []byte        // by symbol: the stray byte where the set is empty
	starts []rune        // intervals of characters, ascending
	ends   []rune
	syms   []sym // the symbol of each interval
	stray  [256]sym
}

// newAlphabet partitions the characters by the classes and literals in exprs,
// which are walked without following references.
func newAlphabet(exprs []*grammar.Expr) *alphabet {
	var p partition
	for _, e := range exprs {
		p.collect(e)
	}
	return p.alphabet()
}

// partition collects the sets that an alphabet has to tell apart.
type partition struct {
	sets  []grammar.Set
	seen  map[string]bool
	key   []byte
	chars map[rune]bool
	stray [256]bool
}

func (p *partition) collect(e *grammar.Expr) {
	switch e.Op {
	case grammar.Lit:
		p.text(e.Text)
	case grammar.Class:
		p.class(e)
	case grammar.Seq:
		for _, text := range joinedLits(e.Children) {
			p.text(text)
		}
	}
	for _, k := range e.Children {
		p.collect(k)
	}
}

func (p *partition) text(text string) {
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			p.stray[text[0]] = true
		} else {
			if p.chars == nil {
				p.chars = make(map[rune]bool)
			}
			p.chars[r] = true
		}
		text = text[size:]
	}
}

// class notes the ranges as written: a set and its complement make the same cut.
func (p *partition) class(e *grammar.Expr) {
	p.key = appendClass(p.key[:0], e)
	if p.seen[string(p.key)] {
		return
	}
	if p.seen == nil {
		p.seen = make(map[string]bool)
	}
	p.seen[string(p.key)] = true
	p.sets = append(p.sets, classSet(e))
}

// appendClass appends the identity of a class to key: its ranges as written, and '^' if negated.
func appendClass(key []byte, e *grammar.Expr) []byte {
	for _, r := range e.Ranges {
		key = binary.LittleEndian.AppendUint32(key, uint32(r.Lo))
		key = binary.LittleEndian.AppendUint32(key, uint32(r.Hi))
	}
	if e.Negated {
		key = append(key, '^')
	}
	return key
}

// classSet returns the characters of a class. Unlike Expr.Set, it works before the
// grammar is frozen.
func classSet(e *grammar.Expr) grammar.Set {
	s := grammar.NewSet(e.Ranges...)
	if e.Negated {
		return s.Complement()
	}
	return s
}

// Pieces partitions the characters by the sets that contain them. It calls do for each
// interval of characters in at least one set, in ascending order. Argument in lists the
// sets that contain the interval. Argument class numbers these combinations of sets from
// 0: intervals in the same sets have the same class.
func Pieces(sets []grammar.Set, do func(r grammar.Range, in []int32, class int)) {
	type event struct { // a set begins or ends at a character
		at  rune
		set int32
	}
	var events []event
	for i, s := range sets {
		for _, r := range s.Ranges() {
			events = append(events, event{r.Lo, int32(i)}, event{r.Hi + 1, int32(i)})
		}
	}
	slices.SortFunc(events, func(a, b event) int { return int(a.at) - int(b.at) })
	classes := map[string]int{}
	var in []int32
	var key []byte
	for i := 0; i < len(events); {
		at := events[i].at
		for ; i < len(events) && events[i].at == at; i++ {
			if j, found := slices.BinarySearch(in, events[i].set); found {
				in = slices.Delete(in, j, j+1)
			} else {
				in = slices.Insert(in, j, events[i].set)
			}
		}
		if len(in) == 0 {
			continue
		}
		key = key[:0]
		for _, set := range in {
			key = binary.AppendUvarint(key, uint64(set))
		}
		class, known := classes[string(key)]
		if !known {
			class = len(classes)
			classes[string(key)] = class
		}
		do(grammar.Range{Lo: at, Hi: events[i].at - 1}, in, class)
	}
}

func (p *partition) alphabet() *alphabet {
	sets := p.sets
	for _, r := range slices.Sorted(maps.Keys(p.chars)) {
		sets = append(sets, grammar.NewSet(grammar.Range{Lo: r, Hi: r}))
	}
	a := &alphabet{}
	var members [][]grammar.Range
	Pieces(sets, func(r grammar.Range, _ []int32, class int) {
		if class == len(members) {
			members = append(members, nil)
		}
		members[class] = append(members[class], r)
		a.starts, a.ends, a.syms = append(a.starts, r.Lo), append(a.ends, r.Hi), append(a.syms, sym(class))
	})
	for _, m := range members {
		a.sets, a.bytes = append(a.sets, grammar.NewSet(m...)), append(a.bytes, 0)
	}
	for b := range a.stray {
		a.stray[b] = noSym
		if p.stray[b] {
			a.stray[b] = sym(len(a.sets))
			a.sets, a.bytes = append(a.sets, grammar.Set{}), append(a.bytes, byte(b))
		}
	}
	return a
}

func (a *alphabet) size() int { return len(a.sets) }

// of returns the symbol of a character, or noSym.
func (a *alphabet) of(r rune) sym {
	i := sort.Search(len(a.ends), func(i int) bool { return a.ends[i] >= r })
	if i == len(a.starts) || r < a.starts[i] {
		return noSym
	}
	return a.syms[i]
}

// text returns the symbols of a text; noSym stands for a character without a symbol.
func (a *alphabet) text(text string) []sym {
	var out []sym
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			out = append(out, a.stray[text[0]])
		} else {
			out = append(out, a.of(r))
		}
		text = text[size:]
	}
	return out
}

// class returns the symbols of a set that took part in the partition.
func (a *alphabet) class(s grammar.Set) []sym {
	in := make([]bool, a.size())
	for _, r := range s.Ranges() {
		i := sort.Search(len(a.ends), func(i int) bool { return a.ends[i] >= r.Lo })
		for ; i < len(a.starts) && a.starts[i] <= r.Hi; i++ {
			in[a.syms[i]] = true
		}
	}
	var out []sym
	for c, ok := range in {
		if ok {
			out = append(out, sym(c))
		}
	}
	return out
}

// joinedLits returns the joined texts of all runs of two or more adjacent literals among
// children. Bytes of adjacent literals that together encode a character are read as that
// character.
func joinedLits(children []*grammar.Expr) []string {
	var out []string
	for i := 0; i < len(children); {
		text, n := litRun(children[i:])
		if n > 1 {
			out = append(out, text)
		}
		i += max(n, 1)
	}
	return out
}

// litRun returns the joined text of the leading literals of children, and their number.
func litRun(children []*grammar.Expr) (text string, n int) {
	for _, k := range children {
		if k.Op != grammar.Lit {
			break
		}
		text += k.Text
		n++
	}
	return text, n
}

// charsOf returns the set of the characters of text; bytes that are not UTF-8
// are left out.
func charsOf(text string) grammar.Set {
	var rs []grammar.Range
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r != utf8.RuneError || size > 1 {
			rs = append(rs, grammar.Range{Lo: r, Hi: r})
		}
		text = text[size:]
	}
	return grammar.NewSet(rs...)
}
