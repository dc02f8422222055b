package bind_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/load/internal/bind"
	"github.com/gramfuzz/gramfuzz/load/internal/ebnf"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

// TestRecursion: the rules that lead to themselves are marked, through
// differences and rules that nothing reaches too.
func TestRecursion(t *testing.T) {
	for src, want := range map[string]string{
		`a = "x" b ; b = "y" ;`: "",
		`a = "x" a? ;`:          "a",
		`a = b ; b = c "x" | "y" ; c = a | d ; d = "z" ;`:    "a b c",
		`a = "x" ; @token T = [a-z] - U ; @token U = T "y";`: "T U",
		`a = a a b nowhere ; b = "y" ;`:                      "a",
	} {
		read, _ := ebnf.Parse("f", []byte(src))
		b, ds := bind.Bind(read)
		var got []string
		for _, r := range b.Rules {
			if r.Recursive {
				got = append(got, r.Name)
			}
		}
		if strings.Join(got, " ") != want || len(ds) > 0 {
			t.Errorf("%s: recursive %q, want %q; %v", src, got, want, ds)
		}
	}
}

// TestTwice: the first of two rules of one name is the one that references mean,
// and both are checked.
func TestTwice(t *testing.T) {
	read, _ := ebnf.Parse("f", []byte(`s = a ; a = "x" ; a = nowhere ;`))
	g, ds := notationtest.Freeze(read)
	if g.Start.Body.Rule != g.Rules[1] || len(ds) != 2 || ds[0].Code != "duplicate-rule" || ds[1].Code != "undefined-rule" {
		t.Errorf("a is %v, found %v", g.Start.Body.Rule.Pos, ds)
	}
}

// TestChecks checks grammars, their tokens not resolved, that have the expected findings beside the lines
// they are about: "### severity: beginning of the message".
func TestChecks(t *testing.T) {
	files, err := filepath.Glob("testdata/check/*.ebnf")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		read, ds := ebnf.Parse(filepath.Base(file), src)
		if err := ds.Err(); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		_, ds = notationtest.Freeze(read)
		found := make(map[int][]string)
		for _, d := range ds {
			found[d.Pos.Line] = append(found[d.Pos.Line], fmt.Sprintf("%v: %s", d.Severity, d.Message))
			if d.Hint == "" || d.Code == "" {
				t.Errorf("%v: no hint or no code", d)
			}
		}
		for i, line := range strings.Split(string(src), "\n") {
			for _, want := range strings.Split(line, "### ")[1:] {
				want = strings.TrimSpace(want)
				at := slices.IndexFunc(found[i+1], func(s string) bool { return strings.HasPrefix(s, want) })
				if at < 0 {
					t.Errorf("%s:%d: not reported: %s\nreported: %q", file, i+1, want, found[i+1])
					continue
				}
				found[i+1] = slices.Delete(found[i+1], at, at+1)
			}
			for _, s := range found[i+1] {
				t.Errorf("%s:%d: not expected: %s", file, i+1, s)
			}
		}
	}
}
