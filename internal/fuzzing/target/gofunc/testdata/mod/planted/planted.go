// Package planted interprets programs of typed names, and has a bug behind three conditions: a
// type, a name used twice, a value compared with a constant.
package planted

import (
	"errors"
	"strconv"
	"strings"
)

var (
	errSyntax = errors.New("syntax")
	errType   = errors.New("type")
)

type value struct {
	kind string // int or text
	n    int
	s    string
}

type machine struct {
	words []string
	names map[string]value
}

// Run runs a program: lines such as "let a : int = 1 + b" and "both a b".
func Run(program string) error {
	m := &machine{names: map[string]value{}}
	for _, line := range strings.Split(program, "\n") {
		m.words = strings.Fields(line)
		if len(m.words) == 0 {
			continue
		}
		if err := m.line(); err != nil {
			return err
		}
	}
	return nil
}

func (m *machine) next() string {
	if len(m.words) == 0 {
		return ""
	}
	w := m.words[0]
	m.words = m.words[1:]
	return w
}

func (m *machine) line() error {
	switch m.next() {
	case "let":
		name := m.next()
		if m.next() != ":" {
			return errSyntax
		}
		kind := m.next()
		if m.next() != "=" {
			return errSyntax
		}
		v, err := m.sum()
		if err != nil {
			return err
		}
		if v.kind != kind {
			return errType
		}
		m.names[name] = v
	case "both":
		a, b := m.next(), m.next()
		v, known := m.names[a]
		if _, also := m.names[b]; !known || !also {
			return errType
		}
		m.both(v, a == b)
	default:
		return errSyntax
	}
	return nil
}

func (m *machine) both(v value, twice bool) {
	if v.kind == "int" && twice && v.n-7 == 31337 {
		panic("planted")
	}
}

func (m *machine) sum() (value, error) {
	v, err := m.operand()
	for err == nil && len(m.words) > 0 {
		if m.next() != "+" {
			return v, errSyntax
		}
		var w value
		if w, err = m.operand(); err == nil && w.kind != v.kind {
			err = errType
		}
		v.n += w.n
		v.s += w.s
	}
	return v, err
}

func (m *machine) operand() (value, error) {
	w := m.next()
	if n, err := strconv.Atoi(w); err == nil {
		return value{kind: "int", n: n}, nil
	}
	if s := strings.Trim(w, "'"); len(s) == len(w)-2 {
		return value{kind: "text", s: s}, nil
	}
	v, known := m.names[w]
	if !known {
		return v, errType
	}
	return v, nil
}
