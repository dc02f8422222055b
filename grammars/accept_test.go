package grammars_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"math/big"
	"math/rand/v2"
	"net/url"
	"os/exec"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
)

// perBound returns the number of sentences to try of each bound.
func perBound() int { return long(100, 1000, 10_000) }

// sentences draws n sentences of each bound, every derivation equally likely;
// once as structures, with tokens at their shortest, and once with the texts of
// tokens drawn too, at three times the size.
func sentences(t *testing.T, name string, n int, bounds ...count.Bound) []string {
	t.Helper()
	g := grammars.Must(name)
	rng := rand.New(rand.NewPCG(7, 11))
	var out []string
	draw := func(b count.Bound, m grammar.Measure) {
		table, err := count.New(t.Context(), g, b, count.Options{Measure: m})
		if err != nil {
			t.Fatalf("%s, %v, %v: %v", name, b, m, err)
		}
		total := table.Total()
		for range n {
			tree, err := table.Unrank(below(rng, total))
			if err != nil {
				t.Fatalf("%s, %v, %v: %v", name, b, m, err)
			}
			out = append(out, tree.Text())
		}
	}
	for _, b := range bounds {
		draw(b, grammar.Structure)
		if !b.ByDepth() {
			draw(count.Sizes(b.Min, 3*b.Max, b.Unit), grammar.Exact)
		}
	}
	return out
}

// below returns a number in [0, n), close enough to uniform for a test.
func below(rng *rand.Rand, n *big.Int) *big.Int {
	buf := make([]byte, n.BitLen()/8+9)
	for i := range buf {
		buf[i] = byte(rng.Uint32())
	}
	return new(big.Int).Mod(new(big.Int).SetBytes(buf), n)
}

func depths(ds ...int) (out []count.Bound) {
	for _, d := range ds {
		out = append(out, count.Depth(d))
	}
	return out
}

func sizes(ns ...int) (out []count.Bound) {
	for _, n := range ns {
		out = append(out, count.Size(n, grammar.Terminals))
	}
	return out
}

// parseGo accepts files of Go.
func parseGo(text string) error {
	_, err := parser.ParseFile(token.NewFileSet(), "x.go", text, parser.SkipObjectResolution)
	return err
}

func TestToolsAcceptEverySentence(t *testing.T) {
	tests := []struct {
		name   string
		bounds []count.Bound
		tool   func(text string) error
	}{
		{"expr", append(depths(5, 8), sizes(9, 41)...), func(s string) error { _, err := parser.ParseExpr(s); return err }},
		{"json", append(depths(3, 5), sizes(1, 9, 41)...), func(s string) error { return json.Unmarshal([]byte(s), new(any)) }},
		{"url", append(depths(4, 6), sizes(9, 41)...), func(s string) error { _, err := url.Parse(s); return err }},
		{"assign", append(depths(5, 7), sizes(10, 40)...), func(s string) error { return parseGo("package p; func _() {" + s + "}") }},
		{"go", sizes(12, 25, 50, 80), parseGo},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for i, text := range sentences(t, test.name, perBound(), test.bounds...) {
				if err := test.tool(text); err != nil {
					t.Fatalf("sentence %d is refused: %v\n%s", i, err, text)
				}
			}
		})
	}
}

func TestSQLiteAcceptsEverySelect(t *testing.T) {
	sqlite, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("sqlite3 is not installed")
	}
	all := sentences(t, "select", perBound(), sizes(4, 9, 20, 40, 80)...)
	run := func(script string) error {
		cmd := exec.CommandContext(t.Context(), sqlite, "-batch", "-bail", ":memory:")
		cmd.Stdin = strings.NewReader(script)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		return errors.Join(cmd.Run(), nonEmpty(stderr.String()))
	}
	if run(strings.Join(all, "\n")) == nil {
		return
	}
	for _, text := range all {
		if err := run(text); err != nil {
			t.Fatalf("refused: %v\n%s", err, text)
		}
	}
	t.Fatal("refused together, accepted one by one")
}

func nonEmpty(s string) error {
	if s == "" {
		return nil
	}
	return errors.New(s)
}

func TestCounts(t *testing.T) {
	tests := []struct {
		name string
		want string
	}{
		{"lopsided", "1 2 3 4 5 6 6"},
		{"tree", "1 2 5 26 677 458330 210066388901"},
	}
	for _, test := range tests {
		var got []string
		for d := 1; d <= 7; d++ {
			table, err := count.New(t.Context(), grammars.Must(test.name), count.Depth(d), count.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(table.Total()))
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: %s, want %s", test.name, s, test.want)
		}
	}
}
