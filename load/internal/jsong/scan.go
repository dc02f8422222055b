package jsong

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

// value is a JSON value with the place it was written at.
type value struct {
	at    int // byte offset of its first character
	end   int // byte offset behind it
	kind  kind
	text  string  // of a string or number, and of true, false and null
	items []value // of a list; of an object: key, value, key, value …
}

type kind uint8

const (
	text kind = iota
	list
	object
	other // a number, true, false or null
)

func (k kind) String() string {
	return [...]string{"a text", "a list", "an object", "a number or constant"}[k]
}

// maxNesting is how deep a grammar file's values may nest; grammars need five.
const maxNesting = 100

// scanner reads JSON values with their offsets.
type scanner struct {
	file string
	src  []byte
	dec  *json.Decoder
	line []int // offsets of the beginnings of lines
}

func newScanner(file string, src []byte) *scanner {
	s := &scanner{file: file, src: src, dec: json.NewDecoder(bytes.NewReader(src)), line: []int{0}}
	s.dec.UseNumber()
	for i, c := range src {
		if c == '\n' {
			s.line = append(s.line, i+1)
		}
	}
	return s
}

// pos converts a byte offset to a position.
func (s *scanner) pos(at int) grammar.Pos {
	at = min(max(at, 0), len(s.src))
	lo, hi := 0, len(s.line) // the last line that begins at or before at
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; s.line[mid] <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	return grammar.Pos{File: s.file, Line: lo + 1, Col: utf8.RuneCount(s.src[s.line[lo]:at]) + 1}
}

// problem is an error of the file with its place; it is a diagnostic.
type problem struct {
	at       int
	what, do string
}

func (p *problem) Error() string { return p.what }

// whole reads the one value of the file.
func (s *scanner) whole() (value, *problem) {
	v, p := s.value(0)
	if p != nil {
		return v, p
	}
	at := s.next()
	if _, err := s.dec.Token(); !errors.Is(err, io.EOF) {
		return v, &problem{at, "there is more text after the grammar's closing brace", "remove it"}
	}
	return v, nil
}

// next returns the offset of the next token.
func (s *scanner) next() int {
	at := int(s.dec.InputOffset())
	for at < len(s.src) && strings.IndexByte(" \t\r\n,:", s.src[at]) >= 0 {
		at++
	}
	return at
}

func (s *scanner) value(depth int) (value, *problem) {
	v := value{at: s.next()}
	tok, err := s.dec.Token()
	if err != nil {
		return v, s.explain(err)
	}
	v.end = int(s.dec.InputOffset())
	switch t := tok.(type) {
	case string:
		v.text = t
		return v, s.checkText(v)
	case json.Delim:
		v.kind = list
		if t == '{' {
			v.kind = object
		}
		if depth == maxNesting {
			return v, &problem{v.at, fmt.Sprintf("values nest more than %d deep", maxNesting), "a grammar needs an object of lists of lists"}
		}
		for s.dec.More() {
			item, p := s.value(depth + 1)
			if p != nil {
				return v, p
			}
			v.items = append(v.items, item)
		}
		if _, err := s.dec.Token(); err != nil { // the closing bracket
			return v, s.explain(err)
		}
		v.end = int(s.dec.InputOffset())
		return v, nil
	}
	v.kind, v.text = other, fmt.Sprint(tok)
	return v, nil
}

// checkText refuses halves of surrogate pairs, which encoding/json replaces.
func (s *scanner) checkText(v value) *problem {
	if strings.ContainsRune(v.text, utf8.RuneError) && bytes.Contains(bytes.ToLower(s.src[v.at:v.end]), []byte(`\ud`)) {
		return &problem{v.at, "the text has half a surrogate pair, which is no character", `write both halves: \ud83d\ude00`}
	}
	return nil
}

func (s *scanner) explain(err error) *problem {
	var syn *json.SyntaxError
	at := s.next()
	switch {
	case errors.As(err, &syn):
		if o := int(syn.Offset) - 1; o > 0 {
			at = min(o, len(s.src))
		}
		return &problem{at, "this is not JSON: " + syn.Error(), "check quotes, commas and brackets here"}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &problem{len(s.src), "the file ends too early", "close all lists and objects"}
	}
	return &problem{at, err.Error(), "check quotes, commas and brackets here"}
}
