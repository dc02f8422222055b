package target

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReuse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, code string
		reused     bool
	}{
		{"nothing done", "cat $0", true},
		{"file changed", "cat $0; echo more >> $0", true},
		{"file emptied", "cat $0; : > $0", true},
		{"file removed", "cat $0; rm $0", false},
		{"file replaced", "cat $0; echo x > y; mv y $0", false},
		{"mode changed", "cat $0; chmod 600 $0", false},
		{"linked elsewhere", `cat $0; ln $0 "$KEEP/kept"`, false},
		{"symlink in its place", "cat $0; rm $0; ln -s /dev/null $0", false},
		{"another file", "cat $0; echo > other", false},
		{"folder inside", "cat $0; mkdir d", false},
		{"folder's mode", "cat $0; chmod 755 .", false},
		{"folder removed", `cat $0; rm -rf "$TMPDIR"`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, root := shell(t, tt.code, func(c *Command) {
				c.Feed, c.Reuse = FeedAll, true
				keep, err := os.MkdirTemp(c.Scratch, "keep") // a hard link needs the same file system
				if err != nil {
					t.Fatal(err)
				}
				c.Env = append(os.Environ(), "KEEP="+keep)
			})
			keeps, _ := filepath.Glob(filepath.Join(root, "keep*"))
			dirs := map[string]bool{}
			for _, input := range []string{"first input", "second", strings.Repeat("third ", 5000), ""} {
				res := mustRun(t, r, input)
				if string(res.Stdout) != input {
					t.Errorf("the program read %.40q, want %.40q", res.Stdout, input)
				}
				dirs[res.Scratch] = true
				os.Remove(filepath.Join(keeps[0], "kept"))
			}
			if reused := len(dirs) == 1; reused != tt.reused {
				t.Errorf("reused: %v, want %v", reused, tt.reused)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			mustRun(t, r, "after the close")
			os.RemoveAll(keeps[0])
			wantEmpty(t, root)
		})
	}
}
