package lex

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// TestAgainstANTLR compares the scanner with ANTLR's own lexer on random
// grammars full of non-greedy loops, some recursive. GRAMFUZZ_ANTLR_JAR names
// the complete jar of ANTLR 4.13; it needs Java 17.
func TestAgainstANTLR(t *testing.T) {
	jar := os.Getenv("GRAMFUZZ_ANTLR_JAR")
	if jar == "" {
		t.Skip("GRAMFUZZ_ANTLR_JAR is not set: no ANTLR to compare with")
	}
	const n = 400
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(19, 20))
	var lexers []*Lexer
	var sources []string
	var inputs [][]string
	for i := range n {
		l, src := antlrCase(t, rnd, i%4 == 0)
		in := make([]string, 80)
		for k := range in {
			for range 1 + rnd.IntN(9) {
				in[k] += string([]rune("abébac")[rnd.IntN(6)])
			}
		}
		lexers, sources, inputs = append(lexers, l), append(sources, src), append(inputs, in)
		write(t, filepath.Join(dir, fmt.Sprintf("%d.g4", i)), src)
		write(t, filepath.Join(dir, fmt.Sprintf("%d.txt", i)), strings.Join(in, "\n"))
	}
	out, err := exec.Command("java", "-cp", jar, "testdata/Dump.java", dir, fmt.Sprint(n)).Output()
	if err != nil {
		t.Fatal(err)
	}
	compared, changed := 0, 0
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if line == "SKIP" { // most often a loop over an expression that can be empty
			continue
		}
		compared++
		changed += btoi(lexers[i].grammar.Rule("A").Written != nil)
		for k, want := range strings.Split(strings.TrimSuffix(line, "|"), "|") {
			if got := dump(lexers[i], inputs[i][k]); got != want {
				t.Errorf("%s%q:\n got %s\nwant %s", sources[i], inputs[i][k], got, want)
			}
		}
	}
	t.Logf("%d grammars compared, in %d of them a body was changed", compared, changed)
	if compared < n/8 || changed < n/40 {
		t.Error("too few to show anything")
	}
}

// antlrCase makes a random lexer grammar in both notations. If it matches the empty
// text, ANTLR's form is made invalid, because ANTLR would loop forever on it.
func antlrCase(t *testing.T, rnd *rand.Rand, recursive bool) (*Lexer, string) {
	g := gram(rule(grammar.Syntax, "s", alt(lit("zz"), ref("A"), ref("B"))))
	src := "lexer grammar L;\n"
	for _, name := range []string{"A", "B", "C"} {
		e := randomLexer(rnd, 2+rnd.IntN(2), recursive && name == "A")
		src += name + " : " + antlrText(e) + " ;\n"
		g.Rules = append(g.Rules, rule(grammar.Token, name, e))
	}
	l := newLexer(t, g)
	if l.modes[0].engine.start().accept >= 0 {
		return l, "spoilt"
	}
	return l, src
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// dump prints tokens as Dump.java does.
func dump(l *Lexer, src string) string {
	var b strings.Builder
	toks, err := l.Tokens(src)
	for _, tok := range toks {
		fmt.Fprintf(&b, "%s:%s ", l.Kinds()[tok.Kind].Name, src[tok.Start:tok.End])
	}
	if err != nil {
		b.WriteString("ERR")
	}
	return b.String()
}

func randomLexer(r *rand.Rand, depth int, recursive bool) *grammar.Expr {
	k := func() *grammar.Expr { return randomLexer(r, depth-1, recursive) }
	switch n := r.IntN(10); {
	case depth == 0 && recursive && n == 0:
		return seq(lit("b"), ref("A"))
	case depth == 0 || n == 9:
		return []*grammar.Expr{lit("a"), lit("b"), lit("é"), lit("ab"), lit("ba"), class("ab"), class("^a"), anyChar(), class("b-é")}[r.IntN(9)]
	case n < 4:
		return seq(k(), k())
	case n < 6:
		return alt(k(), k())
	}
	e := []*grammar.Expr{star(k()), plus(k()), opt(k())}[r.IntN(3)]
	e.Lazy = r.IntN(2) == 0
	return e
}

// antlrText prints an expression of randomLexer in ANTLR's notation.
func antlrText(e *grammar.Expr) string {
	var children []string
	for _, k := range e.Children {
		children = append(children, antlrText(k))
	}
	switch e.Op {
	case grammar.Lit:
		return "'" + e.Text + "'"
	case grammar.Class:
		set := ""
		for _, r := range e.Ranges {
			set += string(r.Lo) + "-" + string(r.Hi)
		}
		switch {
		case set == "":
			return "."
		case e.Negated:
			return "~[" + set + "]"
		}
		return "[" + set + "]"
	case grammar.Seq:
		return "(" + strings.Join(children, " ") + ")"
	case grammar.Choice:
		return "(" + strings.Join(children, " | ") + ")"
	case grammar.Ref:
		return e.Name
	}
	op := map[[2]int]string{{0, -1}: "*", {1, -1}: "+", {0, 1}: "?"}[[2]int{e.Min, e.Max}]
	if e.Lazy {
		op += "?"
	}
	return "(" + children[0] + ")" + op
}
