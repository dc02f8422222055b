package campaign

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/target"
	"github.com/gramfuzz/gramfuzz/internal/target/gofunc"
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
