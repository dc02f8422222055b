package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

// TestForeignText gives commands names, numbers and texts of all bytes, and of characters that
// change the writing direction: none reaches standard error unquoted.
func TestForeignText(t *testing.T) {
	texts := []string{"\u202e\u2066\u061c\u200f", "\u200b\ufeff\u2028\u0085", "\x1b]0;x\x07", "a\x1b[2J\r\nb"}
	for b := 1; b < 256; b += 16 {
		var bytes, runes strings.Builder
		for i := b; i < min(b+16, 256); i++ {
			bytes.WriteByte(byte(i))
			runes.WriteRune(rune(i))
		}
		texts = append(texts, bytes.String(), runes.String())
	}
	if os.Getenv("GRAMFUZZ_LONG") == "" {
		texts = append(texts[:8], texts[20], texts[31]) // some of the control characters, some above ASCII
	}
	t.Chdir(t.TempDir())
	for _, x := range texts {
		file := filepath.Base("f" + strings.ReplaceAll(x, "/", ""))
		if err := os.WriteFile(file, []byte("a = \""+x), 0o600); err != nil && runtime.GOOS == "linux" {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"companion.ebnf": "a = \"x\" ;", "companion.ebnf.gramfuzz": x, "tokens": `{"name":"t","rules":{"a":{"type":"` + x} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{
			{x}, {"help", x}, {"gen", "--" + x}, {"gen", "-" + x}, {"gen", "-g", x}, {"gen", "-g", "json", x},
			{"gen", "-g", "json", "--start", x}, {"gen", "-g", "json", "--format", x}, {"gen", "-g", "json", "--size", x},
			{"gen", "-g", "json", "--unit", x}, {"gen", "-g", "json", "-n", x}, {"gen", "-g", "json", "--time", x},
			{"gen", "-g", "json", "--strategy", x}, {"gen", "-g", "json", "--containing", x}, {"gen", "-g", "json", "--swarm", x},
			{"gen", "-g", "json", "-o", file}, {"check", "-g", file}, {"check", "-g", file, "--format", "ebnf"}, {"check", "-g", "-"},
			{"parse", "-g", "json", file}, {"parse", "-g", "json", x}, {"parse", "-g", "json", "-"}, {"convert", "-g", "json", "--to", x},
			{"count", "-g", "json", "--depth", x}, {"unrank", "-g", "json", "--depth", "3", "--", x}, {"rank", file}, {"fmt", file},
			{"coverage", "-g", "json", file}, {"explain", "-g", "json", "--alphabet", x}, {"reduce", "--pred", "false", file},
			{"gen", "--plan", file}, {"gen", "-g", "json", "-n", "1", "--seeds", file}, {"gen", "-g", "json", "-n", "1", "--damage", "1", "--dict", file},
			{"gen", "-g", "json", "--swarm", file}, {"gen", "-g", "json", "--swarm", "down", "--swarm-p", file}, {"gen", "-g", "json", "--shard", x},
			{"learn", "-g", "json", file}, {"fix", "-g", "png", file}, {"fuzz", "-g", "json", "-n", "1", "-o", "dir" + file, "--", x},
			{"fuzz", "-g", "json", "-n", "1", "-o", "dir" + file, "--label", x, "--", "true"}, {"corpus", "minimise", x, "-o", "least", "--", "true"},
			{"fleet", "--token-file", file}, {"fleet", "--hub", x}, {"hub", "--data", file, "--listen", x}, {"serve", "-g", "json", "--socket", "none/" + file},
			{"reduce", "--model", "--pred", x, file}, {"dist", "-g", "json", "--strategy", x}, {"completion", x}, {"man", x},
			{"check", "-g", "companion.ebnf"}, {"check", "-g", "tokens", "--format", "tree-sitter"},
			{"check", "-g", file, "--format", "lark"}, {"check", "-g", file, "--format", "antlr4"}, {"check", "-g", file, "--format", "abnf"},
			{"check", "-g", file, "--format", "w3c"}, {"check", "-g", file, "--format", "gbnf"}, {"check", "-g", file, "--format", "iso"},
			{"check", "-g", file, "--format", "goebnf"}, {"check", "-g", file, "--format", "jsong"}, {"check", "-g", file, "--format", "bnf"},
		} {
			var out, errs strings.Builder
			code := cli(args, newStreams(strings.NewReader("<a> ::= "+x+"\n<b> ::= \"\n"), &out, &errs))
			if code == exitBug {
				t.Errorf("%q: %s", args, errs.String())
			}
			for line := range strings.Lines(errs.String()) {
				if i := strings.IndexFunc(strings.TrimSuffix(line, "\n"), func(r rune) bool { return r != '\u3000' && !unicode.IsPrint(r) }); i >= 0 {
					t.Errorf("%q: standard error has %q", args, line[i:])
				}
			}
		}
	}
}

// TestManyDiagnostics checks that only the first of very many messages are printed.
func TestManyDiagnostics(t *testing.T) {
	var out, errs strings.Builder
	src := "s = " + strings.Repeat("x ", 5000) + ";"
	for i := range 5000 {
		src = strings.Replace(src, "x ", fmt.Sprintf("u%d ", i), 1)
	}
	if code := cli([]string{"check", "-g", "-"}, newStreams(strings.NewReader(src), &out, &errs)); code != 2 {
		t.Errorf("exit code %d", code)
	}
	if n := strings.Count(errs.String(), "is not defined"); n != maxShown || !strings.HasSuffix(errs.String(), " more messages like these are left out\n") {
		t.Errorf("%d messages; the end is %q", n, errs.String()[max(0, errs.Len()-300):])
	}
}

// TestColor checks that only terminals get colours, and only if the user wants them.
func TestColor(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminal here: ", err)
	}
	defer terminal.Close()
	for _, test := range []struct {
		term, noColor string
		want          bool
	}{{"xterm", "", true}, {"dumb", "", false}, {"xterm", "1", false}} {
		t.Setenv("TERM", test.term)
		t.Setenv("NO_COLOR", test.noColor)
		if got := newStreams(nil, nil, terminal).show.Color; got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
		if newStreams(nil, nil, new(strings.Builder)).show.Color {
			t.Errorf("%+v: colours in a file", test)
		}
	}
}

// TestForeignOutput checks that neither the output of a program nor the result of a reduction
// reaches the terminal or a page unquoted.
func TestForeignOutput(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the program is a shell script that ends by a signal")
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"said": blind.Hostile(), "prog": "#!/bin/sh\ncat " + "\"$SAID\"" + " >&2\nkill -SEGV $$\n", "input": "x" + blind.Hostile(), "has-x": "#!/bin/sh\nexec grep -q x\n"} {
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	said, err := filepath.Abs("said")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SAID", said)
	for _, args := range [][]string{
		{"fuzz", "-g", "expr", "--seed", "1", "-n", "3", "-j", "1", "-o", "found", "--", "./prog"},
		{"reduce", "--trace", "trace.html", "--pred", "./has-x", "-o", "small", "input"},
	} {
		var out, errs strings.Builder
		if code := cli(args, newStreams(strings.NewReader(""), &out, &errs)); code > 1 {
			t.Errorf("%q: exit code %d\n%s", args, code, errs.String())
		}
		if raw := blind.Raw(strings.ReplaceAll(out.String()+errs.String(), "\r", "")); raw != "" {
			t.Errorf("%q prints %q", args, raw)
		}
	}
	pages, err := filepath.Glob("found/*.html")
	if err != nil || len(pages) == 0 {
		t.Errorf("the pages of the campaign: %q, %v", pages, err)
	}
	for _, page := range append(pages, "trace.html") {
		src, err := os.ReadFile(page)
		if err != nil {
			t.Error(err)
		}
		if raw := blind.Raw(string(src)); raw != "" {
			t.Errorf("%s has %q", page, raw)
		}
	}
}
