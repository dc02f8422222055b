package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMeasure measures one grammar of each notation: the one for JSON in the tests of
// the notation's reader.
func TestMeasure(t *testing.T) {
	o := options{sentences: 400, parse: 20, min: 5, max: 40, limit: time.Minute}
	var all []*row
	for _, f := range []string{"abnf/testdata/json.abnf", "gbnf/testdata/json.gbnf", "goebnf/testdata/json.ebnf",
		"iso/testdata/json.ebnf", "jsong/testdata/json.json", "w3c/testdata/json.ebnf"} {
		r := measure(t.Context(), filepath.Join("..", "..", "load", "internal", f), o)
		if r.broken != "" || r.failed != nil || r.asked == 0 || r.parsed != r.asked {
			t.Errorf("%s: broken %q, failed %v, %d of %d parse back", f, r.broken, r.failed, r.parsed, r.asked)
		}
		if r.reached.Percent() < 80 {
			t.Errorf("%s: %d of %d alternatives occur", f, r.reached.Reached, r.reached.Total)
		}
		all = append(all, r)
	}
	bad := filepath.Join(t.TempDir(), "bad.gbnf")
	if err := os.WriteFile(bad, []byte("root ::= a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := measure(t.Context(), bad, o)
	if !strings.Contains(r.broken, `rule "a" is not defined`) {
		t.Errorf("a rule that is not defined: %q", r.broken)
	}
	var table strings.Builder
	print(&table, append(all, r), o)
	if !strings.Contains(table.String(), "| all | 7 | 6 | 6 | 6 |") {
		t.Errorf("the summary is wrong:\n%s", table.String())
	}
}
