package antlr4

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// parseTests are grammars and their graphs.
var parseTests = []struct{ name, src, want string }{
	{"combined grammar with implicit tokens", `
grammar T; a : 'if' ID a? | ; ID : [a-z]+ ; WS : [ \t]+ -> skip ;`, `
rule a = (("if" ID a{0,1}) | ())
token ID = ['a'-'z']{1,-1}
skip WS = [' ' '\t']{1,-1} -> skip()
`},
	{"a literal is an alias of the token with its text", `
grammar T; e : e '+' e # Sum | N # Num ; PLUS : '+' ; N : '0'..'9' ;`, `
rule e = ((e PLUS e) #Sum | N #Num)
token PLUS = "+"
token N = ['0'-'9']
`},
	{"an alias may have commands, a fragment is none", `
grammar T; e : '(' ')' ; OPEN : '(' {code} -> pushMode(DEFAULT_MODE) ; fragment F : ')' ;`, `
rule e = (OPEN ")")
token OPEN = "(" -> pushMode()
fragment F = ")"
`},
	{"labels, arguments, actions, options and EOF change nothing", `
parser grammar T; @header { "}" }
options { language = Java; }
tokens { X }
a[int i] returns [int r] locals [int[] l] options { k = 2; } @init { /* } */ } : {act();} x=b[3] ys+=b {p()}? 'q'<assoc=right> EOF ;
  catch [E e] { // }
  } finally { }
b : <assoc=right> X ;`, `
rule a = (b b "q" ())
rule b = X
`},
	{"escapes", `
grammar T; a : '\n\\\'\u0041\u{1F600}\uD83D\uDE00"' ; S : [\]\-^a\-z\u{41}-C"'-] ;`, `
rule a = "\n\\'A😀😀\""
token S = [']' '-' '^' 'a' '-' 'z' 'A'-'C' '"' '\'' '-']
`},
	{"negated sets and any character", `
lexer grammar T; A : ~'a' ~[b-c] ~('d'|[e]|'f'..'g') . ; B : ~[\r\n]*? ;`, `
token A = ([^'a'] [^'b'-'c'] [^'d' 'e' 'f'-'g'] [^])
token B = [^'\r' '\n']{0,-1}?
`},
	{"properties", `
lexer grammar T; A : [\p{Zl}x] ; B : [\P{Any}] ; C : [\p{White_Space}-] ;`, `
token A = ['\u2028' 'x']
token B = []
token C = ['\t'-'\r' ' ' '\u0085' '\u00a0' '\u1680' '\u2000'-'\u200a' '\u2028'-'\u2029' '\u202f' '\u205f' '\u3000' '-']
`},
	{"token sets are inline rules over the visible tokens", `
grammar T; a : ~A . ~('+' | A) ~A ; A : 'a' ; B : 'b' ; C : 'c' -> channel(HIDDEN) ; fragment F : 'f' ;`, `
rule a = (~A . ~('+'|A) ~A)
token A = "a"
token B = "b"
skip C = "c" -> channel(HIDDEN)
fragment F = "f"
rule inline ~A = ("+" | B)
rule inline . = ("+" | A | B)
rule inline ~('+'|A) = B
`},
	{"a hidden token cannot be derived", `
grammar T; a : WS | 'x' ; WS : ' ' -> skip ;`, `
rule a = ([] | "x")
skip WS = " " -> skip()
`},
	{"modes and commands", `
lexer grammar T; A : '<' -> pushMode(M), more ; mode M; B : '>' -> popMode, type(A) ; mode DEFAULT_MODE; C : 'c' -> mode(M) ;`, `
token A = "<" -> pushMode(M) -> more()
token in M B = ">" -> popMode() -> type(A)
token C = "c" -> mode(M)
`},
	{"a rule whose alternatives have different commands is split", `
grammar T; a : X Y ; X : 'a' | 'b' | 'c' -> skip | 'd' ; Y : X '!' X ;`, `
rule a = (X'type Y)
token X = ['a' 'b']
skip X'2 = "c" -> skip()
token X'3 = "d" -> type(X)
token Y = (X'text "!" X'text)
fragment X'text = (['a' 'b'] | "c" | "d")
rule inline X'type = (X | X'3)
`},
	{"type makes several rules give one token", `
grammar T; tokens { S } a : S ; Q : 'q' -> type(S) ; R : 'r' -> type(S) ;`, `
rule a = S'type
token Q = "q" -> type(S)
token R = "r" -> type(S)
rule inline S'type = (Q | R)
`},
	{"one rule that gives a type", `
grammar T; tokens { S } a : S U ; Q : 'q' -> type(S) ; U : 'u' -> type(V) ; V : 'v' -> type(U) ;`, `
rule a = (Q V)
token Q = "q" -> type(S)
token U = "u" -> type(V)
token V = "v" -> type(U)
`},
	{"hidden rules that others use get a fragment twin", `
lexer grammar T; C : '/*' (C | .)*? '*/' -> channel(HIDDEN) ;`, `
skip C = ("/*" (C'text | [^]){0,-1}? "*/") -> channel(HIDDEN)
fragment C'text = ("/*" (C'text | [^]){0,-1}? "*/")
`},
	{"case folding, of implicit tokens too", `
grammar T; options { caseInsensitive = true; } a : 'do' '+' 'do' X ; X : 'x1' [a-c] ~'z' ; Y options { caseInsensitive = false; } : 'y' ; Z : [0-Z] 'ß' ;`, `
rule a = ('do' "+" 'do' X)
token 'do' = (['d' 'D'] ['o' 'O'])
token X = ((['x' 'X'] "1") ['a'-'c' 'A'-'C'] [^'z' 'Z'])
token Y = "y"
token Z = (['0'-'Z'] "ß")
`},
	{"alternatives of single characters are one set", `
lexer grammar T; A : 'a' | [b-c] | 'd'..'f' | {code} 'é' ; B : 'a' | 'bc' ; C : ('x' | ~'y') ('0' | '1')? ;`, `
token A = ['a' 'b'-'c' 'd'-'f' 'é']
token B = ("a" | "bc")
token C = (("x" | [^'y']) ['0' '1']{0,1})
`},
	{"EOF in the lexer, old block options, an empty block head", `
grammar T; a : ( : X)? (options { greedy = false; } : X)* ; X : 'x' ('\n' | EOF) ;`, `
rule a = (X{0,1} X{0,-1})
token X = ("x" ['\n' EOF])
`},
}

func TestParse(t *testing.T) {
	for _, tt := range parseTests {
		t.Run(tt.name, func(t *testing.T) {
			g, ds := Parse("T.g4", []byte(tt.src))
			if err := ds.Err(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimPrefix(tt.want, "\n"), show(g)); diff != "" {
				t.Errorf("graph (-want +got):\n%s", diff)
			}
			if g.Notation != "antlr4" || !g.LenientUndefined || g.Name != "T" {
				t.Errorf("notation %q, lenient %v, name %q", g.Notation, g.LenientUndefined, g.Name)
			}
		})
	}
}

// TestMalformed reads the files in testdata/malformed. The messages that a file must give
// stand in it, each in a comment "// ERROR col: text" at the end of its line (or
// WARNING). A message matches if it contains the text.
func TestMalformed(t *testing.T) {
	files, err := filepath.Glob("testdata/malformed/*.g4")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			lines := bufio.NewScanner(strings.NewReader(string(src)))
			for n := 1; lines.Scan(); n++ {
				for _, part := range strings.Split(lines.Text(), "// ")[1:] {
					for _, sev := range []string{"ERROR ", "WARNING "} {
						if s, ok := strings.CutPrefix(part, sev); ok {
							want = append(want, fmt.Sprintf("%s %d:%s", strings.TrimSpace(sev), n, strings.TrimSpace(s)))
						}
					}
				}
			}
			_, ds := Parse(filepath.Base(file), src)
			var got []string
			for _, d := range ds {
				got = append(got, fmt.Sprintf("%s %d:%d: %s; %s", strings.ToUpper(d.Severity.String()), d.Pos.Line, d.Pos.Col, d.Message, d.Hint))
				if d.Hint == "" || d.Pos.File != filepath.Base(file) {
					t.Errorf("no hint or file: %v", d)
				}
			}
			for i := range got {
				if i < len(want) && strings.HasPrefix(got[i], want[i]) {
					got[i] = want[i]
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIgnored(t *testing.T) {
	g, ds := Parse("T.g4", []byte("grammar T;\n@header { x }\na : {a} 'x' {p}? | b[1] ;\nb : {c}? 'y' ;\n"))
	if len(ds) != 0 || len(g.Ignored) != 1 {
		t.Fatalf("diagnostics %v, ignored %v", ds, g.Ignored)
	}
	want := "T.g4:3:13: warning: ignored: predicates (2, first at line 3), actions (1, first at line 3), named actions (1, first at line 2), rules with arguments or results (1, first at line 3); what this code of the target language forbids or allows is not in the grammar"
	if diff := cmp.Diff(want, g.Ignored[0].String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPositions(t *testing.T) {
	g, _ := Parse("T.g4", []byte("grammar T;\na : 'é' b\n  | ( 'x' )* ;\n  b : [a] ;"))
	x := g.Rules[0].Body.Children[1]
	want := []grammar.Pos{{File: "T.g4", Line: 2, Col: 1}, {File: "T.g4", Line: 2, Col: 9}, {File: "T.g4", Line: 3, Col: 5}}
	got := []grammar.Pos{g.Rules[0].Pos, g.Rules[0].Body.Children[0].Children[1].Pos, x.Pos}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
