package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
)

// TestBeside checks that the record of a text is found in each of the files that may have it.
func TestBeside(t *testing.T) {
	line := func(text string) string {
		r := derive.Record{Text: []byte(text)}
		return string(r.Append(nil)) + "\n"
	}
	for _, name := range []string{"texts/000001.txt.json", "texts/000001.txt.jsonl", "texts.jsonl"} {
		dir := t.TempDir()
		text := filepath.Join(dir, "texts", TextName(1))
		if err := os.MkdirAll(filepath.Dir(text), 0o700); err != nil {
			t.Fatal(err)
		}
		if rec, err := Beside(text, []byte("b")); rec != nil || err != nil {
			t.Errorf("beside nothing: %v, %v", rec, err)
		}
		data := []byte(line("a") + line("b"))
		if recs, err := ReadAll(name, data); err != nil || len(recs) != 2 || !Are(data) || Are([]byte("text")) {
			t.Errorf("%d records, %v", len(recs), err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if rec, err := Beside(text, []byte("b")); err != nil || rec == nil || string(rec.Text) != "b" {
			t.Errorf("%s: %v, %v", name, rec, err)
		}
		if rec, err := Beside(text, []byte("c")); err != nil || rec != nil {
			t.Errorf("%s, another text: %v, %v", name, rec, err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Beside(text, []byte("b")); err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
			t.Errorf("%s, no records: %v", name, err)
		}
	}
}
