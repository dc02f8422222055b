package campaign

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/target"
)

// instrumented compiles a program of testdata for AFL.
func instrumented(t testing.TB, source string) string {
	t.Helper()
	cc, err := exec.LookPath("afl-clang-fast")
	if err != nil {
		t.Skip("no afl-clang-fast on this machine (Debian: afl++)")
	}
	bin := filepath.Join(t.TempDir(), "prog")
	cmd := exec.Command(cc, "-O1", "-o", bin, filepath.Join("testdata", source))
	cmd.Env = append(os.Environ(), "AFL_QUIET=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// A program compiled for AFL is run through its fork server: its edges are
// labels, and a crash is found and shrunk.
func TestAFL(t *testing.T) {
	cmd := target.Command{Args: []string{instrumented(t, "calc.c")}, Timeout: time.Minute, Scratch: t.TempDir()}
	if !Instrumented(cmd) || Instrumented(target.Command{Args: []string{"true"}}) {
		t.Error("it is not seen which program is compiled for AFL")
	}
	o := options(t, ByAFL(cmd))
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
