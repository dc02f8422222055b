package campaign

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/testing/afltest"
)

// TestAFL runs a program compiled for AFL through its fork server: its edges are labels, and a
// crash is found and shrunk.
func TestAFL(t *testing.T) {
	cmd := target.Command{Args: []string{afltest.Compile(t, filepath.Join("testdata", "calc.c"))}, Timeout: time.Minute, Scratch: t.TempDir()}
	if !Instrumented(cmd) || Instrumented(target.Command{Args: []string{"true"}}) {
		t.Error("it is not seen which program is compiled for AFL")
	}
	o := options(t, ByAFL(cmd, ""))
	sum := run(t, "expr", o)
	if sum.Labels < 10 {
		t.Errorf("%d labels", sum.Labels)
	}
	if len(sum.Findings) != 1 {
		t.Fatalf("%d findings", len(sum.Findings))
	}
	fd := sum.Findings[0]
	if text := string(fd.Record.Text); fd.Signature != "signal|SIGABRT" || strings.Count(text, "(") != 5 || len(text) > 15 {
		t.Errorf("found %s, %q", fd.Signature, text)
	}
}
