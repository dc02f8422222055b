package sentences_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/records/sentences"
	"github.com/gramfuzz/gramfuzz/parse"
)

// TestEach checks that texts are parsed and records replayed. A record with a changed text or of
// another grammar is parsed. A text that is no sentence is refused.
func TestEach(t *testing.T) {
	g := grammars.Must("tree")
	for _, test := range []struct{ name, data, want, refused string }{
		{"a text", "(xx)", "(xx)", ""},
		{"line breaks at the end", "(xx)\r\n", "(xx)", ""},
		{"no sentence", "(x", "", "f"},
		{"records", `{"v":1,"grammar":{},"bound":{"depth":3},"choices":[1,0,0],"text":"(xx)"}` + "\n" + `{"v":1,"grammar":{},"bound":{"depth":3},"choices":[0],"text":"x"}` + "\n", "(xx)x", ""},
		{"a record of another grammar", `{"v":1,"grammar":{"sha256":"aa"},"bound":{"depth":3},"choices":[9],"text":"((xx)x)"}` + "\n", "((xx)x)", ""},
		{"an edited record", `{"v":1,"grammar":{},"bound":{"depth":3},"choices":[0],"text":"(x","edits":[{"at":0,"old":"x","new":"(x"}]}` + "\n", "", "f"},
	} {
		r, err := sentences.New(t.Context(), g, parse.DefaultMaxMemory)
		if err != nil {
			t.Fatal(err)
		}
		got, refused := "", ""
		r.Refuse = func(path string, _ []byte, _ error) { refused += path }
		if err := r.Each(t.Context(), "f", []byte(test.data), func(tree *derive.Tree) { got += tree.Text() }); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if got != test.want || refused != test.refused {
			t.Errorf("%s: %q, refused %q; want %q, %q", test.name, got, refused, test.want, test.refused)
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "d", "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"d/a", "d/b", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	got, err := sentences.Files([]string{"-", "d", "c", "none"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"-", filepath.Join("d", "a"), filepath.Join("d", "b"), "c", "none"}, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
