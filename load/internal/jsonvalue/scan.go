// Package jsonvalue reads JSON together with the positions of its values.
//
//	s := jsonvalue.New("f.json", src, 100)
//	v, problem := s.Whole()
//	pos := s.Pos(v.Items[0].At)
package jsonvalue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Value is a JSON value with its place in the file.
type Value struct {
	At    int // byte offset of its first character
	End   int // byte offset after it
	Kind  Kind
	Text  string  // of a string or number, and of true, false and null
	Items []Value // of a list; for an object: key, value, key, value, …
}

// Kind is a kind of values.
type Kind uint8

// The kinds of values.
const (
	Text Kind = iota
	List
	Object
	Other // a number, true, false or null
)

func (k Kind) String() string {
	return [...]string{"a text", "a list", "an object", "a number or constant"}[k]
}

// Scanner reads JSON values with their offsets.
type Scanner struct {
	file string
	src  []byte
	deep int // the greatest nesting of values
	dec  *json.Decoder
	line []int // offsets of the beginnings of lines
}

// New returns a scanner of src. Its values may nest up to deep levels. file is the file's name in
// positions.
func New(file string, src []byte, deep int) *Scanner {
	s := &Scanner{file: file, src: src, deep: deep, dec: json.NewDecoder(bytes.NewReader(src)), line: []int{0}}
	s.dec.UseNumber()
	for i, c := range src {
		if c == '\n' {
			s.line = append(s.line, i+1)
		}
	}
	return s
}

// Pos converts a byte offset to a position.
func (s *Scanner) Pos(at int) grammar.Pos {
	at = min(max(at, 0), len(s.src))
	lo, hi := 0, len(s.line) // the result: the last line that begins at or before at
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; s.line[mid] <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	return grammar.Pos{File: s.file, Line: lo + 1, Col: utf8.RuneCount(s.src[s.line[lo]:at]) + 1}
}

// Problem is an error at a byte offset of the file: the mistake and the advice.
type Problem struct {
	At       int
	What, Do string
}

func (p *Problem) Error() string { return p.What }

// Whole reads the whole file, which must consist of one value.
func (s *Scanner) Whole() (Value, *Problem) {
	v, p := s.value(0)
	if p != nil {
		return v, p
	}
	at := s.next()
	if _, err := s.dec.Token(); !errors.Is(err, io.EOF) {
		return v, &Problem{at, "there is more text after the grammar's closing brace", "remove it"}
	}
	return v, nil
}

// next returns the offset of the next token.
func (s *Scanner) next() int {
	at := int(s.dec.InputOffset())
	for at < len(s.src) && strings.IndexByte(" \t\r\n,:", s.src[at]) >= 0 {
		at++
	}
	return at
}

func (s *Scanner) value(depth int) (Value, *Problem) {
	v := Value{At: s.next()}
	tok, err := s.dec.Token()
	if err != nil {
		return v, s.explain(err)
	}
	v.End = int(s.dec.InputOffset())
	switch t := tok.(type) {
	case string:
		v.Text = t
		return v, s.checkText(v)
	case json.Delim:
		v.Kind = List
		if t == '{' {
			v.Kind = Object
		}
		if depth == s.deep {
			return v, &Problem{v.At, fmt.Sprintf("values nest more than %d deep", s.deep), "a grammar needs fewer"}
		}
		for s.dec.More() {
			item, p := s.value(depth + 1)
			if p != nil {
				return v, p
			}
			v.Items = append(v.Items, item)
		}
		if _, err := s.dec.Token(); err != nil { // the closing bracket
			return v, s.explain(err)
		}
		v.End = int(s.dec.InputOffset())
		return v, nil
	}
	v.Kind, v.Text = Other, fmt.Sprint(tok)
	return v, nil
}

// checkText refuses halves of surrogate pairs. encoding/json would replace them.
func (s *Scanner) checkText(v Value) *Problem {
	if strings.ContainsRune(v.Text, utf8.RuneError) && bytes.Contains(bytes.ToLower(s.src[v.At:v.End]), []byte(`\ud`)) {
		return &Problem{v.At, "the text has half a surrogate pair, which is not a character", `write both halves: \ud83d\ude00`}
	}
	return nil
}

func (s *Scanner) explain(err error) *Problem {
	var syn *json.SyntaxError
	at := s.next()
	switch {
	case errors.As(err, &syn):
		if o := int(syn.Offset) - 1; o > 0 {
			at = min(o, len(s.src))
		}
		return &Problem{at, "this is not JSON: " + syn.Error(), "check quotes, commas and brackets here"}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &Problem{len(s.src), "the file ends too early", "close all lists and objects"}
	}
	return &Problem{at, err.Error(), "check quotes, commas and brackets here"}
}

// Bad returns the offset of the first byte that is not UTF-8, or -1.
func Bad(src []byte) int {
	if utf8.Valid(src) {
		return -1
	}
	i := 0
	for {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
}

// Source returns the source text of a value.
func (s *Scanner) Source(v Value) string { return string(s.src[v.At:v.End]) }

// Plain reports whether a text has no escapes, so that offsets in it match offsets in the file.
func (s *Scanner) Plain(v Value) bool { return s.Source(v) == `"`+v.Text+`"` }
