package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestAllTargets checks that the account has every fuzz target of the module, and no other. Those of
// gramtest draw sentences from a grammar, and read nothing.
func TestAllTargets(t *testing.T) {
	t.Chdir("../..")
	all, err := find()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, target := range all {
		found = append(found, target.Pkg+" "+target.Name)
	}
	text, err := exec.Command("grep", "-rhoE", "--include=*_test.go", `^func Fuzz\w+\(\w+ \*testing\.F\)`, ".").Output()
	if err != nil {
		t.Skip("no grep here: ", err)
	}
	if n := strings.Count(string(text), "func "); n != len(all)+3 {
		t.Errorf("%d fuzz targets go through internal/testing/blind, of %d, of which gramtest has 3: %q", len(all), n, found)
	}
	results, err := os.ReadFile("bench/fuzz/RESULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^\| (\S+) \| (Fuzz\w+) \|`).FindAllStringSubmatch(string(results), -1) {
		listed = append(listed, m[1]+" "+m[2])
	}
	slices.Sort(found)
	slices.Sort(listed)
	if !slices.Equal(found, listed) {
		t.Errorf("RESULTS.md lists %q,\nand there are %q", listed, found)
	}
	for name := range weights {
		if !slices.Contains(found, name) {
			t.Errorf("the weight of %s is of no target", name)
		}
	}
}
