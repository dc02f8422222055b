package campaign

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/testing/afltest"
)

// TestIsolatedDrivers checks that programs of AFL's fork server and Go functions are isolated as
// programs started for each text are.
func TestIsolatedDrivers(t *testing.T) {
	isolate := &target.Isolation{Helper: "/proc/self/exe"}
	c, err := target.NewCage(target.Bounds{Isolate: isolate}, 0, t.TempDir())
	if err != nil {
		t.Skip(err)
	}
	missing := c.Missing()
	c.Close()
	if len(missing) > 0 {
		t.Skip(missing)
	}
	for _, tt := range []struct {
		name string
		by   func(t *testing.T) (target.Command, func(target.Command) Drive)
	}{
		{"afl", func(t *testing.T) (target.Command, func(target.Command) Drive) {
			cmd := target.Command{Args: []string{afltest.Compile(t, filepath.Join("testdata", "escape.c"))}, Timeout: time.Minute, Scratch: t.TempDir()}
			return cmd, func(cmd target.Command) Drive { return ByAFL(cmd, "") }
		}},
		{"go", func(t *testing.T) (target.Command, func(target.Command) Drive) {
			return goFunction(t, "./calc.Escapes"), ByGo
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd, by := tt.by(t)
			file := filepath.Join(t.TempDir(), "escaped")
			t.Setenv("ESCAPE", file)
			for _, i := range []*target.Isolation{isolate, nil} {
				cmd.Isolate = i
				o := options(t, by(cmd))
				o.Runs = 20
				sum := run(t, "expr", o)
				_, err := os.Stat(file)
				if escaped := err == nil; escaped != (i == nil) || (len(sum.Findings) > 0) != (i == nil) || sum.Runs < 20 {
					t.Errorf("isolated %v: escaped %v, %d runs, findings %+v", i != nil, escaped, sum.Runs, sum.Findings)
				}
			}
		})
	}
}
