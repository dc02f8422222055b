package computed

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// endless stands for the maximum size of an unbounded part.
const endless = 1 << 40

// sizes has the minimum and maximum number of bytes of an expression.
type sizes struct{ least, most int64 }

func (s sizes) String() string {
	switch {
	case s.most >= endless:
		return fmt.Sprintf("at least %d", s.least)
	case s.least == s.most:
		return fmt.Sprint(s.least)
	}
	return fmt.Sprintf("%d to %d", s.least, s.most)
}

func (r *reader) extent(e *grammar.Expr) (least, most int64) {
	s := r.size(e)
	return s.least, s.most
}

// size computes the sizes of an expression. For a recursive rule it returns a minimum of 0 and no
// maximum.
func (r *reader) size(e *grammar.Expr) sizes {
	switch e.Op {
	case grammar.Lit:
		if l := r.lists[e]; l != nil {
			s := r.size(l.x.Children[0])
			return sizes{times(s.least, l.of.Min), upTo(s.most, l.of.Max)}
		}
		if part := r.copies[e]; part != nil {
			delete(r.copies, e) // so that copies of each other end the recursion
			defer func() { r.copies[e] = part }()
			return r.size(part)
		}
		if e.Field != nil && e.Field.Encoding.Variable() {
			return sizes{int64(len(e.Text)), int64(len(e.Text)) + 20}
		}
		return sizes{int64(len(e.Text)), int64(len(e.Text))}
	case grammar.Class:
		if e.Negated || len(e.Ranges) == 0 {
			return sizes{1, 4}
		}
		s := sizes{4, 1}
		for _, x := range e.Ranges {
			s.least = min(s.least, int64(rawbyte.Len(x.Lo)))
			s.most = max(s.most, int64(rawbyte.Len(x.Hi)))
		}
		return s
	case grammar.Choice:
		s := sizes{endless, 0}
		for _, k := range e.Children {
			x := r.size(k)
			s = sizes{min(s.least, x.least), max(s.most, x.most)}
		}
		return s
	case grammar.Rep:
		if e.Resize != nil { // an element of a parallel list: its text is elsewhere
			return sizes{}
		}
		x := r.size(e.Children[0])
		return sizes{times(x.least, e.Min), upTo(x.most, e.Max)}
	case grammar.Ref:
		switch {
		case e.Rule == nil: // it has no texts
			return sizes{}
		case e.Rule.Recursive:
			return sizes{0, endless}
		}
		s, ok := r.sizes[e.Rule]
		if !ok {
			s = r.size(e.Rule.Body)
			r.sizes[e.Rule] = s
		}
		return s
	}
	var s sizes
	for _, k := range e.Children {
		x := r.size(k)
		s = sizes{min(s.least+x.least, endless), min(s.most+x.most, endless)}
	}
	if e.Resize.Encodes() && e.Resize.Code.Compresses() {
		return sizes{min(s.least, 1), min(s.most+s.most/2+64, endless)} // codes of LZW have up to 12 bits
	}
	if e.Resize != nil && s.most < 1<<30 {
		return sizes{int64(e.Resize.Forward(int(s.least))), int64(e.Resize.Forward(int(s.most)))}
	}
	return s
}

func times(a int64, n int) int64 {
	if n > 0 && a > endless/int64(n) {
		return endless
	}
	return max(0, a*int64(n))
}

// upTo is times for up to n elements. n < 0 means any number of elements.
func upTo(a int64, n int) int64 {
	if n < 0 && a > 0 {
		return endless
	}
	return times(a, n)
}
