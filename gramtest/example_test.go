package gramtest_test

import (
	"encoding/json"
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
