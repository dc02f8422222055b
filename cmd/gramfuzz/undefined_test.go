package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// undefinedRules has grammars in every notation that only warns of rules without a definition, by
// file name: such a rule stands in tokens, in layout, in rules, and where fields and names are.
var undefinedRules = map[string]string{
	"rule.g4":              "grammar rule; s : A | b A | c? A c* ; A : [a-z] ;",
	"token.g4":             "grammar token; s : A+ ; A : [a-z] | B | 'x' B? B* ~'q' ; WS : (' ' | C) -> skip ;",
	"parts.g4":             "grammar parts; s : A+ D? ; A : [a-z] | F ; fragment F : '0' | B | F2 ; fragment F2 : [0-9] B* ; D : B | 'd'+? 'e' ; E : B+ ;",
	"modes.g4":             "lexer grammar modes; A : 'a' | B ; O : '<' -> pushMode(M) ; mode M ; C : '>' -> popMode ; T : (X | ~'>')+ ;",
	"nested.g4":            "grammar nested; s : s '+' s | A | b ; A : ('(' A? ')') | 'a' B? ; WS : [ \\n]+ -> channel(HIDDEN) ; CM : '/*' (CM | .)*? '*/' -> skip ;",
	"names.g4":             "grammar names; s : st+ ; st : 'let' ID '=' v ';' | b ; v : ID | N | c ; ID : [a-z] | B ; N : [0-9] | D ; WS : ' ' -> skip ;",
	"names.g4.gramfuzz":    "%annotate st:ID @define(v)\n%annotate v:ID @use(v)\n",
	"rule.lark":            "start: A | b A\nA: /[a-z]/\n%ignore \" \"\n",
	"rule.abnf":            "s = a / b\na = 1*3( \"x\" / c ) *d\n",
	"tokens.abnf":          "s = 1*4( a / kw / u )\nkw = \"let\" / \"l\" u\na = 1*3( \"x\" / c )\nws = \" \" / c\n",
	"tokens.abnf.gramfuzz": "%token a kw\n%skip ws\n",
	"fields.abnf":          "s = 1*2 m\nm = x / u\nx = 1*3( \"x\" / c / \"y\" c )\n",
	"fields.abnf.gramfuzz": "m = dec1 @len(p) x @part(p) ;\n",
	"rule.bnf":             "<s> ::= <a> | <b>\n<a> ::= \"x\" | <c> \"y\"\n",
	"rule.w3c":             "s ::= a | b\na ::= \"x\" | c? [a-z] (d - e)*\n",
	"rule.iso":             "s = a | b ;\na = \"x\" | [ c ], { d } ;\n",
	"rule.go":              "S = A | B .\nA = \"a\" | C [ D ] { B } .\n",
	"names.gbnf":           "root ::= a a? | u\na ::= \"k\" b* | d\nb ::= [0-9] | c\n",
	"names.gbnf.gramfuzz":  "root = n @fresh(v, t) \"=\" n @use(v, t) | a ;\n%token n\nn = [a-c] ;\n",
	"rule.json":            `{"<start>": ["<a>", "<b>"], "<a>": ["x", "<c>y"]}`,
	"grammar.json":         `{"name":"x","word":"id","rules":{"s":{"type":"CHOICE","members":[{"type":"SYMBOL","name":"id"},{"type":"SYMBOL","name":"b"}]},"id":{"type":"PATTERN","value":"[a-z]+"}},"extras":[{"type":"STRING","value":" "},{"type":"SYMBOL","name":"d"}]}`,
}

// TestUndefinedRules runs every subcommand on these grammars. None fails for a reason of its own.
func TestUndefinedRules(t *testing.T) {
	t.Chdir(t.TempDir())
	formats := map[string]string{".w3c": "w3c", ".iso": "iso", ".go": "goebnf"}
	var names []string
	for name, text := range undefinedRules {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) != ".gramfuzz" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		grammar := "-g " + name
		if f := formats[filepath.Ext(name)]; f != "" {
			grammar += " --format " + f
		}
		t.Run(name, func(t *testing.T) {
			done := 0
			run := func(line string) (code int) {
				var out, errs strings.Builder
				code = cli(strings.Fields(strings.ReplaceAll(line, "-g", grammar)), newStreams(strings.NewReader(""), &out, &errs))
				if code > exitWrong {
					t.Errorf("%s: exit code %d: %.300s", line, code, errs.String())
				}
				if code == 0 {
					done++
				}
				return code
			}
			if code := run("gen -g -n 20 --seed 1 -o texts"); code != 0 {
				t.Fatalf("gen: exit code %d", code)
			}
			for _, line := range []string{
				"check -g", "check -g --json", "check -g -o page.html", "fmt " + name, "swarm -g --seed 1",
				"parse -g texts", "parse -g --tree texts", "parse -g --json texts", "parse -g --hexdump texts", "fix -g texts", "rank -g --size 0..12 texts", "rank -g --depth 9 texts",
				"coverage -g texts", "coverage -g --json --k 2 texts", "coverage -g -o page.html texts", "learn -g texts", "corpus minimise -g texts",
				"reduce -g --pred true texts/000000.txt", "reduce -g --certify 20 --pred false texts/000000.txt", "fuzz -g -n 20 -o found -- true",
				"gen -g -n 5 --seed 1 --invalid", "gen -g -n 5 --seed 1 --damage 0.5", "gen -g -n 5 --seed 1 --settled", "gen -g -n 5 --seed 1 --layout random --seeds texts", "gen -g --cover",
			} {
				run(line)
			}
			for _, bound := range []string{"--depth 6", "--size 0..6", "--size 0..9 --unit bytes", "--size 0..6 --measure exact", "--size 0..9 --unit nodes"} {
				for _, line := range []string{"count -g", "count -g --over texts", "explain -g", "explain -g --json", "enum -g -n 9", "unrank -g 1", "dist -g", "dist -g --json", "gen -g -n 5 --seed 1 --json", "gen -g -n 5 --seed 1 --distinct", "gen -g -n 5 --seed 1 --over texts"} {
					run(line + " " + bound)
				}
				for _, strategy := range []string{"uniform", "balanced", "mixed", "walk", "limit", "weighted", "boltzmann --mean 4", "broad"} {
					run("gen -g -n 5 --seed 1 --strategy " + strategy + " " + bound)
				}
			}
			for _, to := range []string{"ebnf", "antlr4", "abnf", "w3c", "bnf", "gbnf", "jsong", "lark", "tree-sitter", "grammar.js"} {
				run("convert -g --to " + to)
			}
			if done < 40 {
				t.Errorf("%d commands end well", done)
			}
			if err := os.RemoveAll("texts"); err != nil {
				t.Fatal(err)
			}
			os.RemoveAll("found")
		})
	}
}
