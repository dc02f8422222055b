package count_test

import (
	"math/big"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
)

// TestCompanionNames compares a grammar with a companion file with the same grammar with
// annotations: there are as many programs of every size.
func TestCompanionNames(t *testing.T) {
	const abnf = `program = assign end / assign end program
assign = name " = " expr
expr = expr " + " expr / expr " - " expr / "(" expr ")" / name / digit
end = ";" %x0A
name = %x61-7A
digit = "0" / "1"
`
	const w3c = `program ::= assign end | assign end program
assign ::= name " = " expr
expr ::= expr " + " expr | expr " - " expr | "(" expr ")" | name | digit
end ::= ";" #xA
name ::= [a-z]
digit ::= "0" | "1"
`
	const iso = `program = assign, end | assign, end, program;
assign = name, " = ", expr;
expr = expr, " + ", expr | expr, " - ", expr | "(", expr, ")" | name | digit;
end = ";", ? new line ?;
name = ? letter ?;
digit = "0" | "1";
`
	const notes = `%annotate assign:name @define(var)
%annotate expr:name @use(var)
%annotate end @commit(var)
`
	bound := count.Sizes(0, 40, grammar.Bytes)
	want := sizes(t, grammars.Must("assign"), bound)
	for _, c := range []struct{ notation, src, more string }{
		{"abnf", abnf, notes}, {"w3c", w3c, notes},
		{"iso", iso, notes + "<? new line ?> = \"\\n\" ;\n<? letter ?> = [a-z] ;\n"},
	} {
		g, _, err := load.Source("assign."+c.notation, []byte(c.src), load.Options{Notation: c.notation, Companion: []byte(c.more)})
		if err != nil {
			t.Errorf("%s: %v", c.notation, err)
			continue
		}
		for n, got := range sizes(t, g, bound) {
			if got.Cmp(want[n]) != 0 {
				t.Errorf("%s: %v programs of %d bytes, want %v", c.notation, got, n, want[n])
			}
		}
	}
	if want[40].BitLen() < 40 {
		t.Errorf("%v programs of 40 bytes", want[40])
	}
}

func sizes(t *testing.T, g *grammar.Grammar, b count.Bound) []*big.Int {
	t.Helper()
	table, err := count.New(ctx, g, b, count.Options{Measure: grammar.Exact, Names: gctx.Options{}})
	if err != nil {
		t.Fatal(err)
	}
	var out []*big.Int
	for n := b.Min; n <= b.Max; n++ {
		out = append(out, table.At(n))
	}
	return out
}

// TestCompanionNameErrors finds the errors of annotations at their places in the companion.
func TestCompanionNameErrors(t *testing.T) {
	for _, c := range []struct{ more, want string }{
		{"%annotate s:n @define(v)\n\n%annotate e:n @use(w)", `g.abnf.gramfuzz:3:15: nothing defines the names of namespace "w"; annotate with @define or @fresh the place where they come from`},
		{"%annotate s:n @define", "g.abnf.gramfuzz:1:15: @define takes the name of one namespace; write it as in @define(var)"},
		{"%annotate s:n#3 @define(v)", ""},
	} {
		g, _, err := load.Source("g.abnf", []byte("s = n e\ne = n\nn = \"a\" / \"b\"\n"), load.Options{Notation: "abnf", Companion: []byte(c.more)})
		if err == nil {
			_, err = gctx.New(g, gctx.Options{})
		}
		switch {
		case err == nil:
			t.Errorf("%q is taken", c.more)
		case c.want != "" && err.Error() != c.want:
			t.Errorf("%q: %v\nwant %s", c.more, err, c.want)
		}
	}
}
