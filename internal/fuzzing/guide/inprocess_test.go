package guide_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// TestInProcess: labels and cover find an error behind four conditions by the counters of the
// Go toolchain alone. These count edges, or blocks where edges are not available.
func TestInProcess(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no Go toolchain: ", err)
	}
	const testdata = "github.com/gramfuzz/gramfuzz/internal/fuzzing/guide/testdata"
	kinds := []struct {
		name  string
		flags []string
	}{
		{"edges", []string{"-tags=gramfuzz_edges", "-gcflags=" + testdata + "/watched=-d=libfuzzer", "-gcflags=" + testdata + "/program=-d=libfuzzer"}},
		{"blocks", []string{"-cover", "-covermode=atomic", "-coverpkg=" + testdata + "/watched," + testdata + "/program"}},
	}
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			if kind.name == "edges" && !slices.Contains([]string{"amd64", "arm64", "loong64"}, runtime.GOARCH) {
				t.Skip("the toolchain has no edges on " + runtime.GOARCH)
			}
			path := filepath.Join(t.TempDir(), "program.exe")
			build := exec.Command("go", append(append([]string{"build", "-o", path}, kind.flags...), "./testdata/program")...)
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, name := range []string{"labels", "cover"} {
				cmd := exec.Command(path, name)
				cmd.Env = append(os.Environ(), "GOCOVERDIR="+t.TempDir())
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%s: %v\n%s", name, err, out)
				}
				var edges, found bool
				var tests int
				if _, err := fmt.Sscan(string(out), &edges, &found, &tests); err != nil {
					t.Fatalf("%s: %v in %q", name, err, out)
				}
				t.Logf("%s: %d tests", name, tests)
				if edges != (kind.name == "edges") || !found || tests > 5000 {
					t.Errorf("%s: edges %v, found %v after %d tests", name, edges, found, tests)
				}
			}
		})
	}
}
