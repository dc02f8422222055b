package antlrtool

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestSideBySide requests the same parser many times at once, with the jar and the cache of
// compiled parsers both missing. Scripts of a stand-in data folder imitate the real ones, and
// fail when two of them run at the same time.
func TestSideBySide(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	data, home := t.TempDir(), t.TempDir()
	t.Setenv("ANTLR_JAR", "")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
	tools := filepath.Join(data, "grammars", "tools")
	if err := os.MkdirAll(tools, 0o777); err != nil {
		t.Fatal(err)
	}
	script := func(name, text string) {
		if err := os.WriteFile(filepath.Join(tools, name), []byte("#!/bin/bash\nset -eu\n"+text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	// mkdir fails if the folder exists, which means that another script is still running.
	script("get_antlr_jar.sh", `
if [ ! -f ~/jar ]; then mkdir ~/fetching; sleep 0.1; echo fetched >> ~/log; touch ~/jar; rmdir ~/fetching; fi
echo ~/jar
`)
	script("antlr_accepts.sh", `
[ "$ANTLR_JAR" = ~/jar ]
if [ ! -f ~/built ]; then mkdir ~/building; sleep 0.1; echo built >> ~/log; touch ~/built; rmdir ~/building; fi
while read -r name; do printf 'accept\t%s\n' "$name"; done
`)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			cmd, err := Command(context.Background(), data, t.TempDir(), "s")
			if err != nil {
				t.Error(err)
				return
			}
			cmd.Stdin = strings.NewReader(fmt.Sprintln(i))
			out, err := cmd.Output()
			if want := fmt.Sprintf("accept\t%d\n", i); err != nil || string(out) != want {
				t.Errorf("%q, %v; want %q", out, err, want)
			}
		})
	}
	wg.Wait()
	log, err := os.ReadFile(filepath.Join(home, "log"))
	if got, want := string(log), "fetched\nbuilt\n"; err != nil || got != want {
		t.Errorf("what the scripts did: %q, %v; want %q", got, err, want)
	}
}
