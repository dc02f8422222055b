package mutate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/random"
)

// Options controls a Damager. The zero value changes nothing.
type Options struct {
	Share float64  // the share of the sentences that are changed, 0 to 1
	Words []string // the dictionary; nil is Strings

	// Grammar is the grammar whose literals are inserted in wrong places; the words are used
	// without one, or if it has no literals.
	Grammar *grammar.Grammar
}

// Damager changes texts. It is immutable and safe for concurrent use.
type Damager struct {
	share     float64
	words     []string
	terminals []string
	numbers   []string
}

// New returns a Damager. It refuses a share that is not between 0 and 1.
func New(o Options) (*Damager, error) {
	if !(o.Share >= 0 && o.Share <= 1) {
		return nil, fmt.Errorf("a share of %v of the sentences cannot be damaged; give a number from 0 to 1", o.Share)
	}
	if o.Words == nil {
		o.Words = Strings()
	}
	d := &Damager{share: o.Share, words: o.Words, terminals: o.Words, numbers: numbers()}
	if o.Grammar != nil {
		if texts := literals(o.Grammar); texts != nil {
			d.terminals = texts
		}
	}
	return d, nil
}

// Hits reports whether sentence i of the seed's stream is damaged.
func (d *Damager) Hits(seed, i uint64) bool {
	if d.share == 0 {
		return false
	}
	return float64(random.Next(random.Next(seed^0x64616d616765)+i)>>11) < d.share*(1<<53)
}

// Append appends the text of sentence i to dst, damaged or not, and reports whether it
// was changed. It allocates nothing if dst has space for the text and, for each
// change, an entry of the dictionary and a copy of a word.
func (d *Damager) Append(dst, text []byte, seed, i uint64) (out []byte, changed bool) {
	from := len(dst)
	dst = append(dst, text...)
	if !d.Hits(seed, i) {
		return dst, false
	}
	var pcg rand.PCG
	pcg.Seed(random.Next(seed), random.Next(i^0x656469747321))
	for n := 0; n < mostChanges; n++ {
		dst = d.change(&pcg, dst, from)
		if pcg.Uint64()&1 == 0 {
			break
		}
	}
	return dst, string(dst[from:]) != string(text)
}

// mostChanges bounds the number of changes in one sentence.
const mostChanges = 4

// change makes one change in dst[from:].
func (d *Damager) change(r *rand.PCG, dst []byte, from int) []byte {
	place := from + below(r, len(dst)-from+1)
	at, end := word(dst, from, place)
	switch below(r, 18) {
	case 0:
		return splice(dst, at, end, "")
	case 1:
		return double(dst, at, end)
	case 2:
		return swap(dst, from, at, end, from+below(r, len(dst)-from+1))
	case 3: // more frequent than cutting the beginning: parsers read forwards
		return dst[:end]
	case 4:
		return dst[:at]
	case 5:
		return dst[:place]
	case 6:
		return splice(dst, from, at, "")
	case 7:
		return splice(dst, place, min(place+1+below(r, 3), len(dst)), "")
	case 8:
		b := foreign(r)
		if r.Uint64()&1 == 0 && at < len(dst) {
			dst[at] = b
			return dst
		}
		dst = append(dst, 0)
		copy(dst[at+1:], dst[at:])
		dst[at] = b
		return dst
	case 9:
		return splice(dst, at, at, pick(r, d.words))
	case 10:
		return splice(dst, at, end, pick(r, d.words))
	case 11:
		return splice(dst, at, at, pick(r, d.terminals))
	case 12:
		return splice(dst, at, end, pick(r, d.terminals))
	case 13: // a byte of the grammar replaces another
		if t := pick(r, d.terminals); place < len(dst) && t != "" {
			dst[place] = t[below(r, len(t))]
		}
		return dst
	case 14: // a byte of the sentence replaces another
		if place < len(dst) {
			dst[place] = dst[from+below(r, len(dst)-from)]
		}
		return dst
	case 15:
		return repeat(r, dst, from, place)
	case 16: // a part that a reader may expect to have a fixed length becomes shorter
		return splice(dst, place, min(place+1, len(dst)), "")
	}
	at, end = digits(dst, from, at)
	return splice(dst, at, end, pick(r, d.numbers))
}

// foreign returns a byte: half of the time a printable one, otherwise any.
func foreign(r *rand.PCG) byte {
	if r.Uint64()&1 == 0 {
		return byte(' ' + below(r, '~'-' '+1))
	}
	return byte(below(r, 256))
}

func pick(r *rand.PCG, texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[below(r, len(texts))]
}

// below draws a number in 0 … n-1, n < 2^32, with a bias below 2^-32.
func below(r *rand.PCG, n int) int {
	return int((r.Uint64() >> 32) * uint64(n) >> 32)
}

// splice replaces dst[at:end] by with.
func splice(dst []byte, at, end int, with string) []byte {
	rest := len(dst) - end
	for len(dst) < at+len(with)+rest {
		dst = append(dst, 0)
	}
	copy(dst[at+len(with):], dst[end:end+rest])
	copy(dst[at:], with)
	return dst[:at+len(with)+rest]
}

// double inserts a copy of dst[at:end] after it.
func double(dst []byte, at, end int) []byte {
	n, size := end-at, len(dst)
	dst = append(dst, dst[at:end]...)
	copy(dst[end+n:], dst[end:size])
	copy(dst[end:end+n], dst[at:end])
	return dst
}

// repeat inserts a copy of one to eight bytes of dst[from:] at a place.
func repeat(r *rand.PCG, dst []byte, from, place int) []byte {
	if len(dst) == from {
		return dst
	}
	start := from + below(r, len(dst)-from)
	var part [8]byte
	n := copy(part[:1+below(r, len(part))], dst[start:])
	dst = append(dst, part[:n]...)
	copy(dst[place+n:], dst[place:len(dst)-n])
	copy(dst[place:], part[:n])
	return dst
}

// swap exchanges the word dst[at:end] with the word at place other.
func swap(dst []byte, from, at, end, other int) []byte {
	a, b := word(dst, from, other)
	if a < at {
		at, end, a, b = a, b, at, end
	}
	if a < end {
		return dst // the same word
	}
	// Reverse the whole range, then each word and the text between them.
	reverse(dst[at:b])
	first, second := b-a, end-at
	reverse(dst[at : at+first])
	reverse(dst[at+first : b-second])
	reverse(dst[b-second : b])
	return dst
}

func reverse(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}

// word returns the bounds of the word of dst[from:] around place at; at the end of the text, an
// empty one.
func word(dst []byte, from, at int) (int, int) {
	if at >= len(dst) {
		return len(dst), len(dst)
	}
	if !wordByte(dst[at]) {
		start := at
		for start > from && at-start < utf8.UTFMax-1 && !utf8.RuneStart(dst[start]) {
			start--
		}
		if _, n := utf8.DecodeRune(dst[start:]); start+n > at {
			return start, start + n
		}
		return at, at + 1
	}
	return run(dst, from, at, wordByte)
}

// digits returns the bounds of a run of digits at or after place at, or before
// it; where there is none, the word at that place.
func digits(dst []byte, from, at int) (int, int) {
	for i := at; i < len(dst); i++ {
		if digit(dst[i]) {
			return run(dst, from, i, digit)
		}
	}
	for i := min(at, len(dst)) - 1; i >= from; i-- {
		if digit(dst[i]) {
			return run(dst, from, i, digit)
		}
	}
	return word(dst, from, at)
}

func run(dst []byte, from, at int, is func(byte) bool) (int, int) {
	end := at
	for at > from && is(dst[at-1]) {
		at--
	}
	for end < len(dst) && is(dst[end]) {
		end++
	}
	return at, end
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func wordByte(c byte) bool {
	return digit(c) || c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// Edits returns the edits that turn a sentence into a text: none if they are equal, otherwise one
// that covers every difference.
func Edits(sentence, text []byte) []derive.Edit {
	if string(sentence) == string(text) {
		return nil
	}
	head := 0
	for head < min(len(sentence), len(text)) && sentence[head] == text[head] {
		head++
	}
	tail := 0
	for tail < min(len(sentence), len(text))-head && sentence[len(sentence)-1-tail] == text[len(text)-1-tail] {
		tail++
	}
	return []derive.Edit{{
		At: head, Delete: len(sentence) - head - tail,
		Insert: append([]byte(nil), text[head:len(text)-tail]...),
	}}
}

// Apply makes the edits of a record in a sentence, in order. The error names an edit that lies
// outside of the text.
func Apply(sentence []byte, edits []derive.Edit) ([]byte, error) {
	text := append([]byte(nil), sentence...)
	for i, e := range edits {
		if e.At < 0 || e.Delete < 0 || e.At > len(text) || e.Delete > math.MaxInt-e.At || e.At+e.Delete > len(text) {
			return nil, fmt.Errorf("edit %d deletes bytes %d to %d of a text of %d bytes", i, e.At, e.At+e.Delete, len(text))
		}
		text = splice(text, e.At, e.At+e.Delete, string(e.Insert))
	}
	return text, nil
}
