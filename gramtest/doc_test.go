package gramtest

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFirstExample: the first example of the package comment is first_test.go, apart from the
// name of its package. That file is compiled and run.
func TestFirstExample(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("first_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(doc), "//\tpackage parser_test\n")
	got := "package gramtest_test\n"
	for line := range strings.Lines(code) {
		if line != "//\n" && !strings.HasPrefix(line, "//\t") {
			break
		}
		got += strings.TrimPrefix(strings.TrimPrefix(line, "//"), "\t")
	}
	if diff := cmp.Diff(string(file), strings.TrimRight(got, "\n")+"\n"); diff != "" {
		t.Errorf("first_test.go and the package comment differ (-file +comment):\n%s", diff)
	}
}
