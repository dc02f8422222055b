package parse_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

var update = flag.Bool("update", false, "write the table of ANTLR's trees anew; GRAMFUZZ_ANTLR names ANTLR's complete jar")

// operatorGrammars are rules behind "grammar G; s : e EOF ;" with tokens of one character.
var operatorGrammars = []string{
	`e : e '*' e | e '+' e | '1' ;`,
	`e : <assoc=right> e '^' e | e '*' e | e '+' e | '1' ;`,
	`e : '1' | e '*' e | e '+' e ;`,
	`e : e '*' e | '1' | e '+' e | '(' e ')' ;`,
	`e : '-' e | e '*' e | e '+' e | '1' ;`,
	`e : e '*' e | '-' e | e '+' e | '1' ;`,
	`e : e '*' e | e '+' e | '-' e | '1' ;`,
	`e : e '*' e | e '-' e | '-' e | '1' ;`,
	`e : '-' e | e '*' e | e '-' e | '1' ;`,
	`e : e '!' | e '*' e | '-' e | '1' ;`,
	`e : '-' e | e '!' | e '*' e | '1' ;`,
	`e : e '*' e | e '!' | '-' e | '1' ;`,
	`e : '-' e | e '*' e | e '!' | '1' ;`,
	`e : e '?' e ':' e | e '+' e | '1' ;`,
	`e : e '+' e | e '?' e ':' e | '1' ;`,
	`e : e '+' e | <assoc=right> e '?' e ':' e | '1' ;`,
	`e : <assoc=right> e '?' e ':' e | e '+' e | '1' ;`,
	`e : e '+' e | <assoc=right> e '=' e | '1' ;`,
	`e : <assoc=right> e '=' e | e '+' e | '1' ;`,
	`e : e ('*'|'/') e | e ('+'|'-') e | '1' ;`,
	`e : ('+'|'-') e | e ('*'|'/') e | e ('+'|'-') e | '1' ;`,
	`e : e '(' e ')' | e '*' e | '(' e ')' | '1' ;`,
	`e : e '*' e | e '(' e ')' | '1' ;`,
	`e : e '*' e | e '[' e ']' | '-' e | '1' ;`,
	`e : e '.' '1' | '-' e | e '*' e | '1' ;`,
	`e : '-' e | e '.' '1' | e '*' e | '1' ;`,
	`e : e '*' e # Mul | e '+' e # Add | '-' e # Neg | '1' # One ;`,
	`e : l=e '*' r=e | l=e '+' r=e | x+='-' e | '1' ;`,
	`e : e e | e '+' e | '1' ;`,
	`e : e '+' e | e e | '1' ;`,
	`e : <assoc=right> e e | e '+' e | '1' ;`,
	`e : e '*' e | '~' e '+' e | '1' ;`,
	`e : '~' e '+' e | e '*' e | '1' ;`,
	`e : e '*' e | e '+' f | '1' ; f : '-' e | '2' ;`,
	`e : f '=' e | f ; f : f '*' f | f '+' f | '1' ;`,
	`e : e '*' e | e '+' e | f ; f : '-' f | f '!' | '1' ;`,
	`e : 'i' e 'e' e | 'i' e | '1' ;`,
	`e : 'i' e ('e' e)? | '1' ;`,
	`e : 'i' e ('e' e)?? | '1' ;`,
	`e : f ; f : f '*' f | f '+' f | g ; g : '-' g | 'l' e | '1' ;`,
	`e : e '*' e | 'l' e | e '+' e | '1' ;`,
	`e : (f | g)+ ; f : '1' | '1' '2' ; g : '2' '1'? | '3' ;`,
	`e : f* ; f : '1' | '1' '1' ;`,
	`e : e ('+' e)+ | '1' ;`,
	`e : e '*' e | e '+' e? | '1' ;`,
	`e : e '+' | e '+' e | '1' ;`,
	`e : e '+' e | e '+' | '1' ;`,
	`e : e '<' e '>' | e '<' e | e '>' e | '1' ;`,
	`e : f+ ; f : '1' ('+' | EOF '*'?) ;`,
	`e : f+ | '+' EOF ; f : '1' '1' | '1' g ; g : '+' | '*' EOF ;`,
	`e : '1' EOF? e | '+' ;`,
	`e : (f '+')* EOF '1'? ; f : '1' | '*' EOF? ;`,
	`e : e '*' e | f ; f : '1' '+' | '1' EOF ;`,
}

// text returns the whole grammar.
func antlrGrammar(rules string) string { return "grammar G; s : e EOF ; " + rules }

// letters returns the tokens of a grammar: the letters in quotes.
func letters(rules string) (out []string) {
	for i, q := range strings.Split(rules, "'") {
		if i%2 == 1 && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out
}

// ruleTree writes a tree as ANTLR does, without EOF.
func ruleTree(t *derive.Tree) string {
	var b strings.Builder
	nodes := t.Nodes()
	var ends []int
	for i := range nodes {
		for len(ends) > 0 && ends[len(ends)-1] == i {
			b.WriteString(")")
			ends = ends[:len(ends)-1]
		}
		switch n := &nodes[i]; {
		case n.Expr.Op == grammar.Lit && n.Expr.Text != "":
			b.WriteString(" " + n.Expr.Text)
		case n.Expr.Op == grammar.Ref && !n.Expr.Rule.Inline:
			b.WriteString(" (" + strings.TrimSuffix(n.Expr.Name, "'EOF"))
			ends = append(ends, n.End)
		}
	}
	return strings.TrimSpace(b.String() + strings.Repeat(")", len(ends)))
}

// treesOf returns ANTLR's trees of texts, in order, with "-" for texts that ANTLR refuses.
func treesOf(t *testing.T, grammars []string, texts [][]string) (out [][]string) {
	t.Helper()
	jar := os.Getenv("GRAMFUZZ_ANTLR")
	if jar == "" {
		t.Skip("set GRAMFUZZ_ANTLR to the complete jar of ANTLR to run this test")
	}
	var in bytes.Buffer
	for i, g := range grammars {
		fmt.Fprintf(&in, "g %s\n", antlrGrammar(g))
		for _, text := range texts[i] {
			fmt.Fprintf(&in, "t %s\n", text)
		}
	}
	c := exec.CommandContext(t.Context(), "java", "-cp", jar, "testdata/Trees.java")
	c.Stdin, c.Stderr = &in, os.Stderr
	said, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(said))
	for _, each := range texts {
		var trees []string
		for range each {
			if !lines.Scan() {
				t.Fatal("ANTLR says too little")
			}
			trees = append(trees, lines.Text())
		}
		out = append(out, trees)
	}
	return out
}

// own returns the tree of a text by the grammar's precedences, or "-".
func ownTree(t *testing.T, p *parse.Parser, text string) string {
	t.Helper()
	f, err := p.Parse(t.Context(), "text", text)
	if err != nil {
		return "-"
	}
	tree, err := f.Tree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	first, err := f.At(t.Context(), zero)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(tree.Choices(), first.Choices()) {
		t.Errorf("%s: the tree is %s, the first of all %s", text, ruleTree(tree), ruleTree(first))
	}
	return ruleTree(tree)
}

func antlrParser(t *testing.T, rules string) *parse.Parser {
	t.Helper()
	g, _, err := load.Source("G.g4", []byte(antlrGrammar(rules)), load.Options{Notation: "antlr4"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.New(t.Context(), g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var zero = new(big.Int)

const antlrTable = "testdata/antlrtrees.txt"

// TestTreesOfANTLR checks trees against a table of ANTLR's. With -update ANTLR writes the table
// anew, for a sample of short sentences.
func TestTreesOfANTLR(t *testing.T) {
	if *update {
		writeAntlrTable(t)
	}
	table, err := os.ReadFile(antlrTable)
	if err != nil {
		t.Fatal(err)
	}
	var p *parse.Parser
	n := 0
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSuffix(line, "\n")
		rules, isGrammar := strings.CutPrefix(line, "grammar ")
		if isGrammar {
			p = antlrParser(t, rules)
			n++
			continue
		}
		text, want, _ := strings.Cut(line, "\t")
		if got := ownTree(t, p, text); got != want {
			t.Errorf("%s\n%s: %s, want %s", operatorGrammars[n-1], text, got, want)
		}
	}
	if n != len(operatorGrammars) {
		t.Errorf("the table has %d grammars of %d", n, len(operatorGrammars))
	}
}

func writeAntlrTable(t *testing.T) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	texts := make([][]string, len(operatorGrammars))
	for i, rules := range operatorGrammars {
		p := antlrParser(t, rules)
		for _, text := range allTexts(letters(rules), 7) {
			if ownTree(t, p, text) != "-" {
				texts[i] = append(texts[i], text)
			}
		}
		rng.Shuffle(len(texts[i]), func(a, b int) { texts[i][a], texts[i][b] = texts[i][b], texts[i][a] })
		texts[i] = texts[i][:min(25, len(texts[i]))]
		slices.SortFunc(texts[i], func(a, b string) int { return 1000*(len(a)-len(b)) + strings.Compare(a, b) })
	}
	var out bytes.Buffer
	for i, trees := range treesOf(t, operatorGrammars, texts) {
		fmt.Fprintf(&out, "grammar %s\n", operatorGrammars[i])
		for j, tree := range trees {
			fmt.Fprintf(&out, "%s\t%s\n", texts[i][j], tree)
		}
	}
	if err := os.WriteFile(antlrTable, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// allTexts lists the texts of up to n tokens.
func allTexts(tokens []string, n int) (out []string) {
	last := []string{""}
	for range n {
		var next []string
		for _, s := range last {
			for _, x := range tokens {
				next = append(next, s+x)
			}
		}
		out, last = append(out, next...), next
	}
	return out
}

// TestAllTreesOfANTLR compares trees with ANTLR's for all texts of up to 7 tokens, those that are
// no sentences among them. It runs with GRAMFUZZ_LONG=all, for some minutes.
func TestAllTreesOfANTLR(t *testing.T) {
	if os.Getenv("GRAMFUZZ_LONG") != "all" {
		t.Skip("set GRAMFUZZ_LONG=all and GRAMFUZZ_ANTLR to run this test")
	}
	for _, rules := range operatorGrammars {
		texts := allTexts(letters(rules), 7)
		p := antlrParser(t, rules)
		wrong, sentences := 0, 0
		for i, want := range treesOf(t, []string{rules}, [][]string{texts})[0] {
			got := ownTree(t, p, texts[i])
			if want != "-" {
				sentences++
			}
			if got != want {
				wrong++
				if wrong <= 3 {
					t.Errorf("%s\n%s: %s, want %s", rules, texts[i], got, want)
				}
			}
		}
		t.Logf("%s: %d of %d sentences differ", rules, wrong, sentences)
	}
}
