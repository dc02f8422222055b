package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// rules returns n rules, each with a body in which NEXT, FAR and N stand for the next rule, one
// further away and the rule's own number, and a last rule of one letter.
func rules(n int, body string) string {
	var b strings.Builder
	for i := range n {
		r := strings.NewReplacer("NEXT", fmt.Sprint("r", i+1), "FAR", fmt.Sprint("r", (i*13+5)%n), "N", fmt.Sprint(i))
		fmt.Fprintf(&b, "r%d = %s ;\n", i, r.Replace(body))
	}
	return b.String() + fmt.Sprintf("r%d = \"x\" ;\n", n)
}

// TestHostileCommands gives commands grammars and texts that are slow, or need much memory, if
// work is not bounded: each ends with a result or with a refusal that says the reason. A command
// that does not end is stopped with the test.
func TestHostileCommands(t *testing.T) {
	const refused, done = 2, 0
	many := 200
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		many = 1000
	}
	var alternatives []string
	for i := range 9000 {
		alternatives = append(alternatives, fmt.Sprintf(`"k%d"`, i))
	}
	files := map[string]string{
		"chained.ebnf":   rules(100, `"a" NEXT | "b" NEXT NEXT | "c"`),
		"mutual.ebnf":    rules(many, `"aN" NEXT | "b" FAR NEXT | "c"`),
		"square.ebnf":    rules(many, `NEXT NEXT`),
		"repeated.ebnf":  rules(many, `NEXT{0,20}`),
		"thirty.ebnf":    rules(20, `"(" ( `+strings.Repeat("NEXT ", 30)+`)? ")"`),
		"wide.ebnf":      "s = t{0,20000} ;\nt = \"a\"? ;\n",
		"ambiguous.ebnf": `s = s s | s s s | "a" | "b" ;`,
		"one.ebnf":       "s = " + strings.Join(alternatives, " | ") + " | s s ;",
		"name.ebnf":      strings.Repeat("a", 1_000_000) + ` = "x" ;`,
		"brackets.txt":   strings.Repeat("(", 20_000) + "1" + strings.Repeat(")", 20_000),
	}
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	type command struct {
		line   string
		code   int
		stderr string
	}
	commands := []command{
		{"check -g chained.ebnf", done, ""},
		{"explain -g chained.ebnf -n 100", done, ""},
		{"gen -g chained.ebnf -n 2", done, ""},
		{"check -g mutual.ebnf", done, ""},
		{"explain -g mutual.ebnf -n 100", done, ""},
		{"gen -g mutual.ebnf -n 2 --strategy mixed", done, ""},
		{"check -g square.ebnf", done, ""},
		{"gen -g square.ebnf -n 2", refused, `^gramfuzz: sentences within depth \d+ have about 4 EiB each, more than the 1 MiB allowed`},
		{"gen -g square.ebnf -n 2 --strategy walk", refused, "^gramfuzz: derivations of a walk within depth \\d+ need about .*, more than the 2 GiB allowed"},
		{"gen -g square.ebnf -n 2 --strategy random-weights", refused, "need about .*, more than the 2 GiB allowed"},
		{"explain -g square.ebnf", refused, "more than the 1 MiB allowed"},
		{"fuzz -g square.ebnf -n 2 -o found -- true", refused, "more than the 2 GiB allowed"},
		{"check -g repeated.ebnf", done, ""},
		{"count -g repeated.ebnf --size 20", refused, "^gramfuzz: exact tables for size 0 to 20 terminals need about .*, more than the 2 GiB allowed"},
		{"gen -g repeated.ebnf -n 2 --strategy uniform", refused, "more than the 2 GiB allowed"},
		{"gen -g repeated.ebnf -n 2", done, ""},
		{"check -g thirty.ebnf", done, ""},
		{"gen -g thirty.ebnf -n 2", done, ""},
		{"explain -g thirty.ebnf -n 100", done, ""},
		{"check -g wide.ebnf", done, ""},
		{"count -g wide.ebnf --size 20", done, ""},
		{"gen -g wide.ebnf -n 2", done, ""},
		{"gen -g ambiguous.ebnf --over texts --size 9 -n 5", refused, "the grammar is too ambiguous within this bound"},
		{"count -g ambiguous.ebnf --over texts --size 100", refused, "; --size 15 would fit, or allow more --tries"},
		{"check -g one.ebnf", done, ""},
		{"explain -g one.ebnf -n 100", done, ""},
		{"check -g name.ebnf", done, ""},
		{"parse --tree -g expr brackets.txt", done, ""},
	}
	if data := os.Getenv("GRAMFUZZ_DATA"); data != "" {
		xpaths, err := filepath.Glob(filepath.Join(data, "grammars", "formats", "w3c-ebnf", "XPath-*.ebnf"))
		if err != nil || len(xpaths) == 0 {
			t.Errorf("no grammars of XPath: %v", err)
		}
		for _, x := range xpaths {
			commands = append(commands, command{"check -g " + x, done, ""}, command{"gen -n 2 -g " + x, done, ""})
		}
	}
	const most = 16 << 20 // bytes on standard output
	for _, c := range commands {
		var out, errs strings.Builder
		code := cli(strings.Fields(c.line), newStreams(strings.NewReader(""), &out, &errs))
		if code != c.code || !regexp.MustCompile(c.stderr).MatchString(errs.String()) {
			t.Errorf("%s: exit code %d: %.300s", c.line, code, errs.String())
		}
		if out.Len() > most {
			t.Errorf("%s: %d bytes on standard output", c.line, out.Len())
		}
	}
}
