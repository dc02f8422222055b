package ebnf

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// graph compares rules and expressions and ignores positions.
var graph = cmp.Options{
	cmpopts.IgnoreTypes(grammar.Pos{}),
	cmpopts.EquateEmpty(),
}

// printed prints a grammar as it was read.
func printed(g *syntax.Grammar) string {
	frozen, _ := notationtest.Freeze(g)
	return Print(frozen)
}

func mustParse(t *testing.T, src string) *syntax.Grammar {
	t.Helper()
	g, ds := Parse("test.ebnf", []byte(src))
	if err := ds.Err(); err != nil {
		t.Fatalf("%v\nin:\n%s", err, src)
	}
	return g
}

const sample = `# comment
assigns = assign ";\n" @commit(var) | assign ";\n" @commit(var) assigns ;
assign := name @define(var) " = " expr ; // comment
expr = expr " + " expr %2 | "(" expr ")" | name @use(var) | NUMBER ; (* comment *)
name = [a-z] ;
<a b> = ("x" y{2} {2,}?) @k(1, "two three") | () | "" | L: a (b c) (d|e)*? ? a-b - c [^\]a-] . ;
@token NUMBER = [1-9] [0-9]* | "0" ;
@skip  SPACE  = " "+ ;
@token @mode(STR) @command(pushMode, X) @x T = "\x80\u00e9" [\u00e9-\U0001f600] ;
@fragment F = ("a" | "b") - "a" - "b" - ("c" - "d") (("e" - "f") "g")?? ;
`

func TestPrintReadsBack(t *testing.T) {
	g := mustParse(t, sample)
	again := mustParse(t, printed(g))
	if d := cmp.Diff(g.Rules, again.Rules, graph); d != "" {
		t.Errorf("-read +printed and read again:\n%s\nprinted:\n%s", d, printed(g))
	}
}
