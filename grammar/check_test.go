package grammar_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

// checked loads a grammar and returns its diagnostics. The grammar is nil if these include an
// error.
func checked(src string, o load.Options) (*grammar.Grammar, grammar.Diagnostics) {
	o.Notation = "ebnf"
	g, ds, _ := load.Source("test.ebnf", []byte(src), o)
	return g, ds
}

func TestHints(t *testing.T) {
	tests := []struct{ src, start, want string }{
		{`s = "x" nmber ; number = [0-9] ;`, "", `did you mean "number"?`},
		{`s = "x" Number ; number = [0-9] ;`, "", `did you mean "number"?`},
		{`s = "x" a-b ; a = "a" ; b = "b" ;`, "", `a - b, with spaces`},
		{`s = "x" zzz ; number = [0-9] ;`, "", `define it, or put it in quotes`},
		{`s = "x" ;`, "t", `did you mean "s"?`},
		{`s = "x" ;`, "start", `name one of its rules, such as "s"`},
		{`s = "x" ; s = "y" ;`, "", "join both with | or rename one"},
		{`@skip s = "x" ;`, "", "add a rule without @skip"},
		{``, "", "write at least one"},
	}
	for _, test := range tests {
		_, ds := checked(test.src, load.Options{Start: test.start})
		if err := ds.Err(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.src, err, test.want)
		}
	}
}

func TestLenientUndefined(t *testing.T) {
	for src, usable := range map[string]bool{
		`s ::= "x" | prose "y"`: true,
		`s ::= "x" prose`:       false,
	} {
		_, ds, err := load.Source("test.ebnf", []byte(src), load.Options{Notation: "w3c"})
		if got := err == nil; got != usable {
			t.Errorf("%s: usable %v, want %v: %v", src, got, usable, ds)
		}
		if len(ds) != 1 || ds[0].Code != "undefined-rule" {
			t.Errorf("%s: %v, want the undefined rule alone", src, ds)
		}
	}
}

func TestOwnStartMakesUnreachableANote(t *testing.T) {
	_, ds := checked(`a = b ; b = "x" ;`, load.Options{Start: "b"})
	if len(ds) != 1 || ds[0].Severity != grammar.Note || ds[0].Code != "unreachable-rule" {
		t.Errorf("%v", ds)
	}
}

// TestHostileGrammars makes long chains of rules. They must neither overflow a stack nor take
// more than a moment.
func TestHostileGrammars(t *testing.T) {
	const n = 20_000
	for name, body := range map[string]string{
		"forth":     `"x", "x<r%[3]d>"`,
		"back":      `"x", "<r%[2]d>x"`,
		"cycle":     `"x", "<r%[3]d>"`,
		"nothing":   `"<r%[2]d>"`,
		"undefined": `"<q%[1]d>"`,
	} {
		var rules []string
		for i := range n {
			rules = append(rules, fmt.Sprintf(`"<r%d>": [`+body+`]`, i, (i+n-1)%n, (i+1)%n))
		}
		text := []byte("{" + strings.Join(rules, ",\n") + "}")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		g, _, _ := load.Source("g.json", text, load.Options{})
		if g != nil {
			g.Facts(nil, grammar.Exact)
		}
		runtime.ReadMemStats(&after)
		bytes := after.TotalAlloc - before.TotalAlloc
		t.Logf("%s: %d MiB", name, bytes>>20)
		if bytes > 20<<10*n {
			t.Errorf("%s: %d bytes of memory for %d rules", name, bytes, n) // linear: a few KiB a rule
		}
	}
}
