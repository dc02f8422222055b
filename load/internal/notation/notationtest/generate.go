package notationtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Generated returns the grammar.json that tree-sitter's generator makes of a grammar.js. If the
// generator refuses the file, Generated returns nil, and the test fails. Without tree-sitter the
// test is skipped.
func Generated(t *testing.T, name, js string) []byte {
	t.Helper()
	cli, err := exec.LookPath("tree-sitter")
	if err != nil {
		t.Skip("there is no tree-sitter")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "grammar.js"), []byte(js), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(cli, "generate", "--no-parser")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v: %s\n%s", name, err, out, js)
		return nil
	}
	made, err := os.ReadFile(filepath.Join(dir, "src", "grammar.json"))
	if err != nil {
		t.Fatal(err)
	}
	return made
}
