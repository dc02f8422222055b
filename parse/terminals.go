package parse

import (
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
)

// strayBytes reports whether s holds bytes that are not UTF-8.
func strayBytes(s string) bool { return !utf8.ValidString(s) }

// terminal returns the number of the terminal for k, creating it from t at first use.
func (l *lowering) terminal(k termKey, t terminal) int32 {
	id, ok := l.byTerm[k]
	if !ok {
		id = int32(len(l.terms))
		l.byTerm[k] = id
		l.terms = append(l.terms, t)
	}
	return id
}

// literal returns the fragment of a nonempty literal.
func (l *lowering) literal(e *grammar.Expr) fragment {
	f := fragment{steps: []step{{op: opLit, expr: e}}}
	if l.kindOf != nil {
		f.syms = []symbol{^l.terminal(termKey{e, 0}, terminal{expr: e, kind: l.kindOf(e)})}
		return f
	}
	for at := 0; at < len(e.Text); {
		r, size := utf8.DecodeRuneInString(e.Text[at:])
		if l.bytes {
			r, size = rune(e.Text[at]), 1
		}
		set := grammar.NewSet(grammar.Range{Lo: r, Hi: r})
		id := l.terminal(termKey{e, at}, terminal{expr: e, rest: e.Text[at:], set: set, kind: -1})
		f.syms = append(f.syms, ^id)
		at += size
	}
	return f
}

// class returns the fragments of a class: one, or, if read by bytes, one for each shape of its
// characters.
func (l *lowering) class(e *grammar.Expr) []fragment {
	steps := []step{{op: opClass, expr: e}}
	if !l.bytes {
		id := l.terminal(termKey{e, 0}, terminal{expr: e, set: e.Set, kind: -1})
		return []fragment{{syms: []symbol{^id}, steps: steps}}
	}
	var fs []fragment
	n := 0
	for _, seq := range utf8Sequences(e.Set) {
		f := fragment{steps: steps}
		for _, r := range seq {
			id := l.terminal(termKey{e, n}, terminal{expr: e, set: grammar.NewSet(r), kind: -1})
			f.syms = append(f.syms, ^id)
			n++
		}
		fs = append(fs, f)
	}
	return fs
}

// utf8Sequences returns the encodings of a set as sequences of byte ranges.
func utf8Sequences(s grammar.Set) [][]grammar.Range {
	var out [][]grammar.Range
	todo := slices.Clone(s.Ranges())
	for len(todo) > 0 {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if cut, ok := cutRange(r); ok {
			todo = append(todo, grammar.Range{Lo: cut + 1, Hi: r.Hi}, grammar.Range{Lo: r.Lo, Hi: cut})
			continue
		}
		var lo, hi [utf8.UTFMax]byte
		n := utf8.EncodeRune(lo[:], r.Lo)
		utf8.EncodeRune(hi[:], r.Hi)
		seq := make([]grammar.Range, n)
		for i := range seq {
			seq[i] = grammar.Range{Lo: rune(lo[i]), Hi: rune(hi[i])}
		}
		out = append(out, seq)
	}
	return out
}

// cutRange returns the character at which to cut r so that all characters have one length and
// their last bytes cover everything below a range.
func cutRange(r grammar.Range) (rune, bool) {
	for _, limit := range []rune{0x7f, 0x7ff, 0xffff} {
		if r.Lo <= limit && limit < r.Hi {
			return limit, true
		}
	}
	if r.Hi <= 0x7f {
		return 0, false
	}
	for bits := 6; bits <= 18; bits += 6 {
		mask := rune(1)<<bits - 1
		if r.Lo&^mask == r.Hi&^mask {
			continue
		}
		if r.Lo&mask != 0 {
			return r.Lo | mask, true
		}
		if r.Hi&mask != mask {
			return r.Hi&^mask - 1, true
		}
	}
	return 0, false
}

// The input symbols that no terminal accepts, and the end of the text.
const (
	symNone  = 0
	symEnd   = 1
	symFirst = 2
)

// alphabet maps the units of the input to symbols. Two characters have the same symbol if no
// terminal distinguishes them.
type alphabet struct {
	size   int        // number of symbols
	ascii  [256]int32 // characters below 256 (all, where the units are bytes)
	starts []rune     // the first character of each interval
	syms   []int32    // the symbol of each interval
	kinds  int        // number of kinds of tokens; kind k is symbol symFirst+k
	char   int        // tokens: the kind of single characters, or -1
}

// newAlphabet partitions the characters by the terminals and determines the symbols that each
// of these accepts. Intervals with the same terminals share a symbol.
func newAlphabet(terms []terminal, kinds int) *alphabet {
	a := &alphabet{kinds: kinds, char: -1, size: symFirst + kinds}
	sets := make([]grammar.Set, len(terms))
	for i := range terms {
		sets[i] = terms[i].set
	}
	a.starts, a.syms = []rune{0}, []int32{symNone}
	lex.Pieces(sets, func(r grammar.Range, in []int32, class int) {
		sym := int32(symFirst + kinds + class)
		if int(sym) == a.size {
			a.size++
			for _, t := range in {
				terms[t].syms = append(terms[t].syms, sym)
			}
		}
		a.starts, a.syms = append(a.starts, r.Lo, r.Hi+1), append(a.syms, sym, symNone)
	})
	for r := range a.ascii {
		a.ascii[r] = a.find(rune(r))
	}
	return a
}

func (a *alphabet) find(r rune) int32 {
	i := sort.Search(len(a.starts), func(i int) bool { return a.starts[i] > r })
	return a.syms[i-1]
}

// of returns the symbol of a character.
func (a *alphabet) of(r rune) int32 {
	if r < 256 {
		return a.ascii[r]
	}
	return a.find(r)
}
