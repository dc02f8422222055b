package language_test

import (
	"slices"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/base/folder"
	"github.com/gramfuzz/gramfuzz/internal/ui/language"
)

func TestOf(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a.json", "", "json"},
		{"a.JSON", " nonsense", "json"},
		{"input", "\n{\"a\": 1}\n", "json"},
		{"input", "[1]", "json"},
		{"input", "{", ""},
		{"input", "", ""},
		{"a.c", "{}", ""},
		{"a.csv", "a,b\r\n", "csv"},
		{"a.png", "\x89PNG\r\n\x1a\n", "png"},
		{"picture", "\x89PNG\r\n\x1a\nx", "png"},
		{"a.png", "no picture", ""},
		{"a.unknown", "GIF89a", "gif"},
	} {
		if got := language.Of(tt.name, []byte(tt.text)); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.name, tt.text, got, tt.want)
		}
		if g := language.Grammar(tt.name, []byte(tt.text)); (g != nil) != (tt.want != "") || g != nil && g.Name != tt.want {
			t.Errorf("%s %q: grammar %v", tt.name, tt.text, g)
		}
	}
}

// TestIslands checks that the files of a folder that their grammars accept are islands, at the
// right offsets.
func TestIslands(t *testing.T) {
	text := folder.Pack([]folder.File{
		{Name: "a.json", Data: []byte("{\"k\": [1, 2]}\n")},
		{Name: "b.json", Data: []byte("{")},
		{Name: "c.txt", Data: []byte("{}")},
		{Name: "d.csv", Data: []byte("a,b\r\nc,d")},
		{Name: "e.json", Data: []byte("\"\x1b\"")},
	})
	var f language.Files
	for range 2 { // the second time from the cache
		var got []string
		for from, tree := range f.Islands(t.Context(), text) {
			part := tree.Text()
			if string(text[from:from+len(part)]) != part {
				t.Errorf("%q is not at %d", part, from)
			}
			got = append(got, tree.Grammar.Name)
		}
		slices.Sort(got)
		if len(got) != 2 || got[0] != "csv" || got[1] != "json" {
			t.Errorf("grammars %q", got)
		}
	}
}
