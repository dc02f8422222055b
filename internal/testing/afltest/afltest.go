// Package afltest compiles programs for tests with AFL's instrumentation.
//
//	program := afltest.Compile(t, "testdata/deep.c") // skips t without a compiler
//	d, err := afl.Start(ctx, afl.Options{Command: []string{program}})
package afltest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Compile makes an instrumented program of a C file and returns its path. It skips the test where
// no compiler is installed. The variables are for the compiler, as "AFL_LLVM_CMPLOG=1".
func Compile(t testing.TB, source string, variables ...string) string {
	t.Helper()
	cc, err := exec.LookPath("afl-clang-fast")
	if err != nil {
		t.Skip("no afl-clang-fast on this machine (Debian: afl++)")
	}
	bin := filepath.Join(t.TempDir(), "prog")
	cmd := exec.Command(cc, "-O1", "-o", bin, source)
	cmd.Env = append(append(os.Environ(), "AFL_QUIET=1"), variables...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}
