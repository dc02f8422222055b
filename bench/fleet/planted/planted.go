// Package planted has a program for measuring fleets. The program is a fast reader of sentences of
// the grammar expr, with a bug behind three conditions.
package planted

import (
	"errors"
	"strings"
)

// errSyntax is the error for a text that is not a sentence.
var errSyntax = errors.New("no expression")

// The conditions are a number that begins with Code, operators that begin with Tune, and Deep
// nested parentheses. Each takes three steps, which show as edges. A step takes at least two
// characters, so that no single change of a text makes it.
const (
	Code = "271828"
	Tune = "*-/+*-"
	Deep = 12
)

// Sum reads an expression. It panics if the text fulfils all conditions.
func Sum(text []byte) error {
	r := &reader{text: text}
	if !r.expr(0) || r.at < len(text) {
		return errSyntax
	}
	code, tune, deep := r.code/2, common(string(r.tune), Tune)/2, r.deep/(Deep/3)
	steps := 0
	if code >= 1 {
		steps++
		if code >= 2 {
			steps++
			if code >= 3 {
				steps++
			}
		}
	}
	if tune >= 1 {
		steps++
		if tune >= 2 {
			steps++
			if tune >= 3 {
				steps++
			}
		}
	}
	if deep >= 1 {
		steps++
		if deep >= 2 {
			steps++
			if deep >= 3 {
				steps++
			}
		}
	}
	if code >= 3 && tune >= 3 && deep >= 3 {
		panic("planted")
	}
	_ = steps
	return nil
}

// common returns the length of the common prefix.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// reader reads a text and records its progress towards the conditions.
type reader struct {
	text []byte
	at   int

	code, deep int
	tune       []byte // all operators
}

func (r *reader) expr(depth int) bool {
	if !r.term(depth) {
		return false
	}
	for r.operator("+-") {
		if !r.term(depth) {
			return false
		}
	}
	return true
}

func (r *reader) term(depth int) bool {
	if !r.factor(depth) {
		return false
	}
	for r.operator("*/") {
		if !r.factor(depth) {
			return false
		}
	}
	return true
}

// operator reads one of the operators in of, with a space on either side, if it is next.
func (r *reader) operator(of string) bool {
	if len(r.text)-r.at < 3 || r.text[r.at] != ' ' || r.text[r.at+2] != ' ' || strings.IndexByte(of, r.text[r.at+1]) < 0 {
		return false
	}
	r.tune = append(r.tune, r.text[r.at+1])
	r.at += 3
	return true
}

// maxDepth bounds the nesting, and so the stack.
const maxDepth = 2000

func (r *reader) factor(depth int) bool {
	if r.at < len(r.text) && r.text[r.at] == '-' {
		r.at++
	}
	if r.at == len(r.text) || r.text[r.at] != '(' {
		return r.number()
	}
	r.at++
	r.deep = max(r.deep, depth+1)
	if depth > maxDepth || !r.expr(depth+1) || r.at == len(r.text) || r.text[r.at] != ')' {
		return false
	}
	r.at++
	return true
}

func (r *reader) number() bool {
	begin := r.at
	for r.at < len(r.text) && '0' <= r.text[r.at] && r.text[r.at] <= '9' {
		r.at++
	}
	number := string(r.text[begin:r.at])
	r.code = max(r.code, common(number, Code))
	return number == "0" || number != "" && number[0] != '0'
}
