package reduce_test

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/reduce"
)

// lawCase is a text to reduce.
type lawCase struct {
	name string
	text []byte
	has  func(text []byte) bool
	o    reduce.Options
}

func (c *lawCase) holds(_ context.Context, text []byte) (bool, error) { return c.has(text), nil }

// balanced reports whether all brackets have their partners.
func balanced(text []byte) bool {
	var open []byte
	for _, b := range text {
		if i := strings.IndexByte("([{", b); i >= 0 {
			open = append(open, ")]}"[i])
		} else if strings.IndexByte(")]}", b) >= 0 {
			if len(open) == 0 || open[len(open)-1] != b {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return len(open) == 0
}

// defined reports whether every name of a program of lines, "let NAME = USES", is defined in a
// line above its uses.
func defined(text []byte) bool {
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		name, uses, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " =")
		name, ok := strings.CutPrefix(name, "let ")
		if !ok || name == "" || !strings.HasSuffix(line, "\n") {
			return false
		}
		for _, use := range strings.Fields(uses) {
			if !seen[use] {
				return false
			}
		}
		seen[name] = true
	}
	return true
}

const program = `let alpha =
let beta = alpha
let gamma = beta alpha
let delta = gamma
let epsilon =
let zeta = epsilon gamma
let eta = zeta delta
let theta = eta beta zeta
`

// structured has properties of several distant parts, like those of real programs.
var structured = []lawCase{
	{name: "brackets and a word", text: []byte(luaText), has: func(text []byte) bool {
		return balanced(text) && bytes.Contains(text, []byte("area(")) && bytes.Contains(text, []byte("{"))
	}},
	{name: "a document and a number", text: []byte(jsonText), has: func(text []byte) bool {
		return json.Valid(text) && bytes.Contains(text, []byte("22"))
	}},
	{name: "a document and its depth", text: []byte(jsonText), has: func(text []byte) bool {
		return json.Valid(text) && bytes.Count(text, []byte("{")) >= 3 && bytes.Contains(text, []byte("null"))
	}},
	{name: "names and their definitions", text: []byte(program), has: func(text []byte) bool {
		return defined(text) && bytes.Contains(text, []byte(" = zeta"))
	}},
	{name: "a chain of names", text: []byte(program), has: func(text []byte) bool {
		return defined(text) && bytes.Contains(text, []byte("let theta = eta"))
	}},
}

// lawCases returns the texts without a grammar, with the JSON grammar if it accepts them, and
// sentences of the shipped grammars given as texts.
func lawCases(t *testing.T) (cases []lawCase) {
	parser := jsonParser(t)
	for _, c := range structured {
		cases = append(cases, c)
		c.name, c.o.Parse = c.name+", with a grammar", parser
		cases = append(cases, c)
	}
	for _, c := range textMinima {
		re := regexp.MustCompile(c.has).Match
		cases = append(cases, lawCase{c.name, []byte(c.text), re, reduce.Options{}},
			lawCase{c.name + ", with a grammar", []byte(c.text), re, reduce.Options{Parse: parser}})
	}
	for i, c := range minima {
		if i%2 != 0 {
			continue
		}
		g, re := grammarOf(t, c.grammar), regexp.MustCompile(c.has)
		for _, tree := range matching(t, g, re, 2) {
			o := reduce.Options{}
			if c.grammar == "json" {
				o.Parse = parser
			}
			cases = append(cases, lawCase{c.grammar + " " + c.has, []byte(tree.Text()), re.Match, o})
		}
	}
	return cases
}

// TestOneMinimal checks that no byte and no line can be taken out of a result of auto,
// and that no result is larger than the input.
func TestOneMinimal(t *testing.T) {
	for _, c := range lawCases(t) {
		r, err := reduce.Run(context.Background(), reduce.Input{Text: c.text}, c.holds, c.o)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		checkResult(t, nil, r, c.holds)
		if reduce.Compare(r.Text, nil, c.text, nil) > 0 {
			t.Errorf("%s: %q became %q", c.name, c.text, r.Text)
		}
		for i := range r.Text {
			if less := slices.Delete(slices.Clone(r.Text), i, i+1); c.has(less) {
				t.Errorf("%s: %q holds, and so does %q", c.name, r.Text, less)
			}
		}
		lines := bytes.SplitAfter(r.Text, []byte("\n"))
		for i := range lines {
			if less := bytes.Join(slices.Delete(slices.Clone(lines), i, i+1), nil); len(less) < len(r.Text) && c.has(less) {
				t.Errorf("%s: %q holds, and so does %q", c.name, r.Text, less)
			}
		}
	}
}

// TestNeverWorseThanDDMin checks that the result of auto is no larger than that of delta
// debugging on lines and then on characters.
func TestNeverWorseThanDDMin(t *testing.T) {
	smaller := 0
	cases := lawCases(t)
	for _, c := range cases {
		size := map[string]int{}
		for _, algorithm := range []string{"auto", "lines,bytes"} {
			o := c.o
			o.Algorithm = algorithm
			r, err := reduce.Run(context.Background(), reduce.Input{Text: c.text}, c.holds, o)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			size[algorithm] = len(r.Text)
		}
		switch auto, ddmin := size["auto"], size["lines,bytes"]; {
		case auto > ddmin:
			t.Errorf("%s: auto leaves %d bytes, ddmin %d", c.name, auto, ddmin)
		case auto < ddmin:
			smaller++
		}
	}
	if smaller == 0 {
		t.Errorf("of %d texts auto leaves less than ddmin on none: they are too easy", len(cases))
	}
}
