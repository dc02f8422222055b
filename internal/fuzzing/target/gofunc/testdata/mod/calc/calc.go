// Package calc has functions that fail, each in its own way, of sentences of the
// grammar expr.
package calc

import (
	"errors"
	"io"
	"os"
	"syscall"
)

var errRest = errors.New("text after the expression")

// Parse divides by zero where a quotient stands in at least four parentheses.
func Parse(s string) (int, error) {
	p := &parser{s: s}
	v := p.expr(0)
	if p.at != len(s) {
		return 0, errRest
	}
	return v, nil
}

type parser struct {
	s  string
	at int
}

func (p *parser) peek() byte {
	for p.at < len(p.s) && p.s[p.at] == ' ' {
		p.at++
	}
	if p.at < len(p.s) {
		return p.s[p.at]
	}
	return 0
}

func (p *parser) expr(depth int) int {
	v := p.term(depth)
	for p.peek() == '+' || p.peek() == '-' {
		p.at++
		v += p.term(depth)
	}
	return v
}

func (p *parser) term(depth int) int {
	v := p.factor(depth)
	for p.peek() == '*' || p.peek() == '/' {
		op := p.peek()
		p.at++
		w := p.factor(depth)
		switch {
		case op == '*':
			v *= w
		case w != 0 || depth > 3:
			v /= w
		}
	}
	return v
}

func (p *parser) factor(depth int) int {
	if p.peek() == '-' {
		p.at++
		return -p.factor(depth)
	}
	if p.peek() == '(' {
		p.at++
		v := p.expr(depth + 1)
		if p.peek() == ')' {
			p.at++
		}
		return v
	}
	v := 0
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		v = v*10 + int(c-'0')
		p.at++
	}
	return v
}

func nested(text []byte) bool { return len(text) > 1 && text[0] == '(' && text[1] == '(' }

func exits(text []byte) {
	if nested(text) {
		os.Exit(3)
	}
}

// Ends ends the process as no hook can see.
func Ends(text []byte) {
	if nested(text) {
		syscall.Exit(0)
	}
}

// Hangs does not end.
func Hangs(text []byte) {
	for nested(text) {
	}
}

// Waits waits for itself.
func Waits(text []byte) (ok bool) {
	if nested(text) {
		<-make(chan bool)
	}
	return true
}

// Eats takes all memory.
func Eats(r io.Reader, options ...int) (int, [][]byte) {
	text, _ := io.ReadAll(r)
	var all [][]byte
	for nested(text) {
		all = append(all, make([]byte, 1<<20))
	}
	return len(all), all
}

// Recurses calls itself.
func Recurses(text []byte) int {
	if nested(text) {
		return Recurses(text) + 1
	}
	return 0
}

// Later panics when it has returned.
func Later(text []byte) {
	if nested(text) {
		go func() { panic("later") }()
	}
}

// Two takes two texts.
func Two(a, b string) {}

// Escapes panics if it can make the file that ESCAPE names.
func Escapes(text []byte) {
	if f, err := os.Create(os.Getenv("ESCAPE")); err == nil {
		f.Close()
		panic("escaped")
	}
}
