package gramtest_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/gramtest"
)

// In a test file this is TestValid(t *testing.T).
func ExampleCheck() {
	_ = func(t *testing.T) {
		gramtest.Check(t, grammars.Must("json"), func(t *gramtest.T, s *gramtest.Sentence) {
			if !json.Valid(s.Text()) {
				t.Errorf("a sentence of the grammar is refused")
			}
		}, gramtest.Valid(), gramtest.Count(500))
	}
}

// In a test file this is TestBalanced(t *testing.T).
func ExampleAgree() {
	quick := func(text []byte) (int, error) {
		if n := strings.Count(string(text), "{"); n == strings.Count(string(text), "}") {
			return n, nil
		}
		return 0, errors.New("not balanced")
	}
	careful := func(text []byte) (depth int, err error) {
		objects := 0
		for _, c := range text {
			switch {
			case c == '{':
				objects, depth = objects+1, depth+1
			case c == '}' && depth == 0:
				return 0, errors.New("not balanced")
			case c == '}':
				depth--
			}
		}
		if depth > 0 {
			return 0, errors.New("not balanced")
		}
		return objects, nil
	}
	_ = func(t *testing.T) {
		gramtest.Agree(t, grammars.Must("json"), quick, careful, gramtest.Valid())
	}
}

// In a test file this is FuzzParse(f *testing.F).
func ExampleFuzz() {
	_ = func(f *testing.F) {
		gramtest.Fuzz(f, grammars.Must("json"), func(t *gramtest.T, s *gramtest.Sentence) {
			if !json.Valid(s.Text()) {
				t.Errorf("a sentence of the grammar is refused")
			}
		})
	}
}
