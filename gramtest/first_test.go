package gramtest_test

import (
	"encoding/json"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/gramtest"
)

func TestParse(t *testing.T) {
	gramtest.Check(t, grammars.Must("json"), func(t *gramtest.T, s *gramtest.Sentence) {
		if !json.Valid(s.Text()) {
			t.Errorf("a sentence of the grammar is refused")
		}
	}, gramtest.Valid())
}
