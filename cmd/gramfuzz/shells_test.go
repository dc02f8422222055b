//go:build linux || darwin

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestShellsComplete types into zsh and fish, and waits for the completions.
func TestShellsComplete(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for shell, test := range map[string]struct{ plain, load string }{
		"zsh":  {"-f", "autoload -U compinit; compinit -u; source <(gramfuzz completion zsh)"},
		"fish": {"--no-config", "gramfuzz completion fish | source"},
	} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("no %s on this machine", shell)
			}
			dir := t.TempDir()
			if err := os.Symlink(self, filepath.Join(dir, "gramfuzz")); err != nil {
				t.Fatal(err)
			}
			x := programOnTerminal(t, 100, 30, dir, path, []string{shell, test.plain}, []string{"PATH=" + dir + ":" + os.Getenv("PATH")})
			x.press(test.load + "; echo rea''dy\n")
			x.wait("\nready\n")
			x.press("gramfuzz gen --strat\t")
			x.wait("gramfuzz gen --strategy")
			x.press("rand\t")
			x.wait("--strategy random-weights")
			x.press("-g js\t")
			x.wait("-g json")
			x.press("\x15gramfuzz cou\t")
			x.wait("gramfuzz count")
		})
	}
}
