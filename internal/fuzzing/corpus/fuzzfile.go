package corpus

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// fuzzHeader is the first line of a file of go test's corpora.
const fuzzHeader = "go test fuzz v1"

// FormatFuzz writes a file of go test's corpus for a fuzz target that takes one
// []byte, or one string.
func FormatFuzz(text []byte, asString bool) []byte {
	kind := "[]byte"
	if asString {
		kind = "string"
	}
	return fmt.Appendf(nil, "%s\n%s(%s)\n", fuzzHeader, kind, strconv.Quote(string(text)))
}

// IsFuzz reports whether data is a file of go test's corpus.
func IsFuzz(data []byte) bool {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return string(bytes.TrimSuffix(line, []byte("\r"))) == fuzzHeader
}

// ParseFuzz reads a file of go test's corpus and returns its texts, in order: the []byte and
// string arguments. It skips values of other types. The error has the file and line of a
// malformed value.
func ParseFuzz(name string, data []byte) ([][]byte, error) {
	if !IsFuzz(data) {
		return nil, fmt.Errorf("%s:1: the first line is not %q; only that version is known", name, fuzzHeader)
	}
	var texts [][]byte
	for i, line := range strings.Split(string(data), "\n")[1:] {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		text, is, err := fuzzValue(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+2, err)
		}
		if is {
			texts = append(texts, text)
		}
	}
	return texts, nil
}

// fuzzTypes are the other types of go test's corpora.
var fuzzTypes = map[string]bool{
	"bool": true, "byte": true, "rune": true, "float32": true, "float64": true, "int": true, "int8": true, "int16": true,
	"int32": true, "int64": true, "uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true,
	"math.Float32frombits": true, "math.Float64frombits": true,
}

// fuzzValue reads one value, such as []byte("text").
func fuzzValue(line string) (text []byte, is bool, err error) {
	e, err := parser.ParseExpr(line)
	if err != nil {
		return nil, false, fmt.Errorf("no Go expression: %w", err)
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil, false, fmt.Errorf("a value is written as type(value), not %.40q", line)
	}
	open := strings.IndexByte(line, '(')
	kind := strings.TrimSpace(line[:max(open, 0)])
	switch {
	case fuzzTypes[kind]:
		return nil, false, nil
	case kind != "[]byte" && kind != "string":
		return nil, false, fmt.Errorf("values of type %.40q are not known", kind)
	}
	lit, ok := call.Args[0].(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return nil, false, fmt.Errorf("%s takes a string in quotes", kind)
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return nil, false, fmt.Errorf("%.40q is no string: %w", lit.Value, err)
	}
	return []byte(s), true, nil
}
