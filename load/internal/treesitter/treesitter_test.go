package treesitter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// rules returns a file with the rules and, before them, more members.
func rules(rules, more string) string { return `{` + more + `"rules": {` + rules + `}}` }

func TestParse(t *testing.T) {
	const (
		a    = `{"type": "STRING", "value": "a"}`
		x    = `{"type": "SYMBOL", "name": "x"}`
		word = `{"type": "PATTERN", "value": "[a-z]+"}`
	)
	notationtest.Shapes(t, Parse, []notationtest.Case{
		{"sequences and choices", rules(`"s": {"type": "SEQ", "members": [`+a+`, {"type": "CHOICE", "members": [`+x+`, {"type": "BLANK"}]}]}, "x": {"type": "SEQ", "members": [`+a+`, `+a+`]}`, ""),
			"s = (\"a\" (| x ()))\nx = (\"a\" \"a\")\n"},
		{"repetitions", rules(`"s": {"type": "SEQ", "members": [{"type": "REPEAT", "content": `+x+`}, {"type": "REPEAT1", "content": `+x+`}]}, "x": {"type": "SEQ", "members": [`+a+`, `+a+`]}`, ""),
			"s = (x{0,-1} x{1,-1})\nx = (\"a\" \"a\")\n"},
		{"what changes the tree only", rules(`"s": {"type": "PREC_LEFT", "value": 1, "content": {"type": "FIELD", "name": "f", "content": {"type": "ALIAS", "named": true, "value": "v", "content": {"type": "RESERVED", "context_name": "r", "content": {"type": "PREC_DYNAMIC", "value": -1, "content": `+x+`}}}}}, "x": `+word, ""),
			"s = x\ntoken x = ['a'-'z']{1,-1}\n"},
		{"tokens with and without names", rules(`"s": {"type": "SEQ", "members": [`+word+`, {"type": "TOKEN", "content": `+a+`}, {"type": "PATTERN", "value": "[0-9]"}, {"type": "PATTERN", "value": "[0-9]"}]}, "x": `+word, ""),
			"s = (x \"a\" s.1 s.1)\ntoken x = ['a'-'z']{1,-1}\ntoken s.1 = ['0'-'9']\n"},
		{"strings before patterns, layout last", rules(`"s": {"type": "SEQ", "members": [{"type": "SYMBOL", "name": "w"}, `+x+`]}, "w": `+word+`, "x": `+a, `"extras": [{"type": "PATTERN", "value": "\\s"}, {"type": "STRING", "value": "#"}],`),
			"s = (w x)\ntoken x = \"a\"\ntoken w = ['a'-'z']{1,-1}\nskip \"#\" = \"#\"\nskip extra.1 = ['\\t'-'\\n''\\r'' ']\n"},
		{"tokens in the order of their places", rules(`"s": {"type": "SEQ", "members": [{"type": "SYMBOL", "name": "w"}, {"type": "PATTERN", "value": "b"}, {"type": "PATTERN", "value": "c"}]}, "w": `+word+`, "x": {"type": "PATTERN", "value": "c"}`, ""),
			"s = (w s.1 x)\ntoken s.1 = \"b\"\ntoken x = \"c\"\ntoken w = ['a'-'z']{1,-1}\n"},
		{"layout that is a token too", rules(`"s": {"type": "SEQ", "members": [`+x+`, `+a+`]}, "x": {"type": "PATTERN", "value": "\\n"}`, `"extras": [`+x+`],`),
			"s = (x \"a\")\ntoken x = \"\\n\"\nskip extra x = \"\\n\"\n"},
		{"keywords", rules(`"s": {"type": "SEQ", "members": [`+a+`, `+x+`, {"type": "STRING", "value": "+"}]}, "x": `+word, `"word": "x",`),
			"s = (\"a\" x \"+\")\ntoken x = (- ['a'-'z']{1,-1} \"a\")\n"},
		{"tokens that would be one", rules(`"s": {"type": "REPEAT", "content": {"type": "CHOICE", "members": [{"type": "IMMEDIATE_TOKEN", "content": {"type": "PREC", "value": 1, "content": `+word+`}}, `+a+`]}}`, ""),
			"s = (s.1{0,1} (\"a\" s.1{0,1}){0,-1})\ntoken s.1 = ['a'-'z']{1,-1}\n"},
		{"tokens that would be one, at least one", rules(`"s": {"type": "REPEAT1", "content": {"type": "CHOICE", "members": [{"type": "IMMEDIATE_TOKEN", "content": `+word+`}, `+a+`]}}`, ""),
			"s = (| s.1 (s.1{0,1} (\"a\" s.1{0,1}){1,-1}))\ntoken s.1 = ['a'-'z']{1,-1}\n"},
		{"indentation", rules(`"s": {"type": "SEQ", "members": [`+a+`, {"type": "CHOICE", "members": [{"type": "SYMBOL", "name": "_newline"}, {"type": "SYMBOL", "name": "b"}]}]}, "b": {"type": "SEQ", "members": [{"type": "SYMBOL", "name": "_indent"}, {"type": "SYMBOL", "name": "s"}, {"type": "SYMBOL", "name": "_dedent"}]}`,
			`"externals": [{"type": "SYMBOL", "name": "_newline"}, {"type": "SYMBOL", "name": "_indent"}, {"type": "SYMBOL", "name": "_dedent"}],`),
			"s = (\"a\" (| _newline b))\nb = ((_newline _indent) s _dedent)\ntoken _newline = \"\\n\"\ntoken _indent = \"\\x0e\"\ntoken _dedent = \"\\x0f\"\n"},
		{"parts of tokens", rules(`"s": {"type": "TOKEN", "content": {"type": "SEQ", "members": [`+a+`, {"type": "REPEAT1", "content": {"type": "CHOICE", "members": [`+a+`, {"type": "PATTERN", "value": "B", "flags": "i"}]}}]}}`, ""),
			"token s = (\"a\" (| \"a\" ['B''b']){1,-1})\n"},
	})
}

// TestRules checks that precedences within tokens and IMMEDIATE_TOKEN become fields of rules.
func TestRules(t *testing.T) {
	g, ds := Parse("f", []byte(rules(`"s": {"type": "PREC", "value": 7, "content": {"type": "SYMBOL", "name": "x"}},
		"x": {"type": "IMMEDIATE_TOKEN", "content": {"type": "PREC", "value": -2, "content": {"type": "PATTERN", "value": "x"}}}`, `"name": "n", "word": "x",`)))
	if ds.Err() != nil {
		t.Fatal(ds.Err())
	}
	x := g.Rules[1]
	got := []any{g.Name, g.Entry, g.ContextLexing, x.Kind, x.Glued, x.Priority, x.Word}
	if diff := cmp.Diff([]any{"n", "s", true, grammar.Token, true, -2, true}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestPrecedences checks that precedences of rules become annotations, and named ones numbers. Of
// directly nested ones the outermost counts.
func TestPrecedences(t *testing.T) {
	const x, y = `{"type": "SYMBOL", "name": "x"}`, `{"type": "SYMBOL", "name": "y"}`
	g, ds := Parse("f", []byte(rules(`"s": {"type": "CHOICE", "members": [{"type": "PREC_LEFT", "value": "sum", "content": {"type": "SEQ", "members": [`+x+`, `+y+`]}},
		{"type": "PREC", "value": -3, "content": {"type": "PREC_DYNAMIC", "value": 4, "content": `+x+`}}, {"type": "PREC_RIGHT", "value": 0, "content": {"type": "PREC", "value": "power", "content": `+y+`}},
		{"type": "PREC", "value": 5, "content": {"type": "FIELD", "name": "f", "content": {"type": "PREC_LEFT", "value": 2, "content": `+y+`}}},
		{"type": "PREC", "value": 5, "content": {"type": "SEQ", "members": [{"type": "PREC_LEFT", "value": 2, "content": `+y+`}]}}]},
		"x": {"type": "SEQ", "members": [`+y+`, `+y+`]}, "y": {"type": "SEQ", "members": [`+x+`]}`,
		`"precedences": [[{"type": "STRING", "value": "power"}, {"type": "STRING", "value": "product"}, {"type": "STRING", "value": "sum"}], [{"type": "STRING", "value": "sum"}, `+x+`]],`)))
	if ds.Err() != nil {
		t.Fatal(ds.Err())
	}
	var got []string
	for _, r := range g.Rules {
		r.Body.Walk(func(e *syntax.Expr) {
			for _, a := range e.Annotations {
				got = append(got, a.Name+" "+strings.Join(a.Args, " "))
			}
		})
	}
	want := []string{"prec 2 left", "prefer 4", "prec -3", "prec 0 right", "prec 5 left", "prec 2 left", "prec 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestNotes checks that features beyond context-free grammars are reported.
func TestNotes(t *testing.T) {
	src := rules(`"s": {"type": "PREC", "value": 1, "content": {"type": "CHOICE", "members": [{"type": "SYMBOL", "name": "x"}, {"type": "SYMBOL", "name": "made"}]}},
"x": {"type": "SEQ", "members": [{"type": "SYMBOL", "name": "made"}, {"type": "SYMBOL", "name": "s"}]}`,
		`"conflicts": [["s", "x"]], "reserved": {"global": []}, "precedences": [[{"type": "STRING", "value": "a"}, {"type": "SYMBOL", "name": "x"}]], "inline": ["gone"],
"externals": [{"type": "SYMBOL", "name": "made"}, {"type": "SYMBOL", "name": "x"}, {"type": "STRING", "value": "||"}], "extras": [{"type": "SYMBOL", "name": "x"}],
`)
	g, ds := Parse("f", []byte(src))
	want := `f:1:154: warning: "gone" is not a rule, but stands in "inline"; remove it
f:2:131: note: the extra "x" is not a token, so it is not put between tokens`
	if diff := cmp.Diff(want, ds.Error()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	want = `f:1:16: note: not kept: conflicts (1, first at 1:16), sets of reserved words (1, first at 1:42); conflicts only help tree-sitter to choose among trees; a keyword is never a name here
f:2:15: note: the token "made" is made by code, not by the grammar; it is needed by s, x; say in a companion file what its text is, or what stands in the rules without it`
	if diff := cmp.Diff(want, g.Ignored.Error()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestMalformed(t *testing.T) { notationtest.Malformed(t, Parse, 15) }

func FuzzParse(f *testing.F) {
	seq := `{"type": "SEQ", "members": [`
	notationtest.FuzzPrinted(f, Parse, nil, rules(`"s": {"type": "REPEAT", "content": {"type": "CHOICE", "members": [{"type": "STRING", "value": "a"}, {"type": "SYMBOL", "name": "t"}]}},
		"t": {"type": "IMMEDIATE_TOKEN", "content": {"type": "PREC", "value": 1, "content": {"type": "PATTERN", "value": "([^\\]a]|\\\\.)+?b{2,3}(?!x)[\\d[:alpha:]]", "flags": "i"}}}`,
		`"word": "t", "extras": [{"type": "PATTERN", "value": "\\s"}, {"type": "SYMBOL", "name": "t"}], "externals": [{"type": "SYMBOL", "name": "e"}], "inline": ["s"], "conflicts": [["s"]],`),
		`{"rules": {"s": `+strings.Repeat(seq, 400)+strings.Repeat("]}", 400)+`}}`, `{"rules": {"s": {"type": "TOKEN", "content": {"type": "BLANK"}}}}`)
}
