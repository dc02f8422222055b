package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gofunc"
	"github.com/gramfuzz/gramfuzz/internal/testing/afltest"
	"github.com/gramfuzz/gramfuzz/load"
)

// goFunction builds a function of gofunc's test module.
func goFunction(t *testing.T, fn string) target.Command {
	t.Helper()
	p, err := gofunc.Build(t.Context(), gofunc.Options{
		Func: fn, Dir: filepath.Join("..", "target", "gofunc", "testdata", "mod"), Out: filepath.Join(t.TempDir(), "program"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if !p.Edges {
		t.Skip("the toolchain has no edges here")
	}
	return target.Command{Args: []string{p.Path}, Timeout: time.Minute, Scratch: t.TempDir()}
}

// TestGoFunction runs a Go function in process. Its edges guide the campaign to a deep panic,
// which is identified by its stack and shrunk.
func TestGoFunction(t *testing.T) {
	o := options(t, ByGo(goFunction(t, "./calc.Parse")))
	o.Runs, o.Guide, o.Enough, o.Time = 0, "cover", 1, 5*time.Minute
	sum := run(t, "expr", o)
	if len(sum.Findings) != 1 {
		t.Fatalf("%d findings, %d labels, %d runs", len(sum.Findings), sum.Labels, sum.Runs)
	}
	fd := sum.Findings[0]
	text := string(fd.Record.Text)
	if fd.Class != target.GoPanic || !strings.HasPrefix(fd.Frames[0], "example.com/mod/calc.(*parser).term calc.go:") || len(text) > 13 || strings.Count(text, "(") != 4 {
		t.Errorf("found %s, %q", fd.Signature, text)
	}
	if sum.Labels < 50 {
		t.Errorf("%d labels", sum.Labels)
	}
}

// TestGoFunctionEnds checks that it is also a failure if the function ends the process silently.
func TestGoFunctionEnds(t *testing.T) {
	o := options(t, ByGo(goFunction(t, "./calc.Ends")))
	o.Runs = 300
	sum := run(t, "expr", o)
	if len(sum.Findings) != 1 || sum.Findings[0].Signature != "go-panic|fatal|the process was ended with exit code 0" {
		t.Errorf("%+v", sum.Findings)
	}
}

// plantedGrammar is a language of typed names; programs need not be well typed.
const plantedGrammar = `
program = line{1,8} ;
line    = ("let " name @define(var) " : " type " = " sum | "both " name @use(var) " " name @use(var)) "\n" ;
type    = "int" | "text" ;
sum     = operand (" + " operand){0,3} ;
operand = number | "'" [a-z]{0,6} "'" | name @use(var) ;
number  = [0-9]{1,6} ;
name    = [a-z] ;
`

// TestPlanted checks that a bug behind a type, a name used twice and a comparison with a constant
// is found with nine seeds of ten in 10,000 runs, a few seconds, and without comparisons with one of
// three at most. A program for AFL gets 40,000 runs: its addresses differ each time, and so does the
// order of its comparisons. Ten seeds took at most 7,086.
func TestPlanted(t *testing.T) {
	g := load.MustString(plantedGrammar)
	source := filepath.Join("testdata", "planted.c")
	for _, tt := range []struct {
		name  string
		runs  uint64
		drive func(t *testing.T) Drive
	}{
		{"go", 10_000, func(t *testing.T) Drive { return ByGo(goFunction(t, "./planted.Run")) }},
		{"afl", 40_000, func(t *testing.T) Drive {
			cmd := target.Command{Args: []string{afltest.Compile(t, source)}, Timeout: time.Minute, Scratch: t.TempDir()}
			return ByAFL(cmd, afltest.Compile(t, source, "AFL_LLVM_CMPLOG=1"))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) { testPlanted(t, g, tt.drive(t), tt.runs) })
	}
}

func testPlanted(t *testing.T, g *grammar.Grammar, drive Drive, runs uint64) {
	found := func(seeds int, without bool, runs uint64) (n int, used []uint64) {
		for seed := range uint64(seeds) {
			o := options(t, drive)
			o.Grammar = derive.GrammarRef{Name: "planted"}
			o.Seed, o.Runs, o.Enough, o.Guide, o.ShrinkTime, o.withoutComparisons = seed, runs, 1, "cover", -1, without
			c, err := New(t.Context(), g, o)
			if err != nil {
				t.Fatal(err)
			}
			sum, err := c.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			n += len(sum.Findings)
			used = append(used, sum.Runs)
		}
		return n, used
	}
	seeds := long(2, 4)
	if os.Getenv("GRAMFUZZ_LONG") == "all" {
		seeds = 10
	}
	with, used := found(seeds, false, runs)
	t.Logf("found with %d of %d seeds in %d runs", with, seeds, used)
	if with < seeds*9/10 {
		t.Errorf("found with %d of %d seeds in %d runs each", with, seeds, runs)
	}
	few := long(0, 3)
	without, used := found(few, true, 10_000)
	t.Logf("without comparisons found with %d of %d, in %d runs", without, few, used)
	if long(0, without) > 1 {
		t.Errorf("without comparisons it is found, too: the test shows nothing")
	}
}
