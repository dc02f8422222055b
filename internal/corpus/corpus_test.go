package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
)

func TestAddAndResume(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "found")
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var locked *LockedError
	if _, err := Open(dir); !errors.As(err, &locked) {
		t.Errorf("opened twice: %v", err)
	}
	rec := &derive.Record{Measure: "structure", Choices: []int{1, 2}, Text: []byte("a\xff")}
	for _, want := range []bool{true, false} {
		name, added, err := c.Add(rec.Text, rec)
		if err != nil || added != want || name != Name(rec.Text) {
			t.Fatalf("Add: %q %v %v, want added = %v", name, added, err, want)
		}
	}
	if _, _, err := c.Add([]byte("plain"), nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	// A run that was killed leaves half a record and half a file.
	f, err := os.OpenFile(dir+".jsonl", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"v":1,"tex`)
	f.Close()
	if err := os.WriteFile(filepath.Join(dir, ".tmp-1"), []byte("ha"), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err = Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if diff := cmp.Diff(2, c.Len()); diff != "" || !c.Has([]byte("plain")) || c.Has([]byte("other")) {
		t.Errorf("after resuming (-want +got):\n%s", diff)
	}
	rec.Text = []byte("more")
	if _, _, err := c.Add(rec.Text, rec); err != nil {
		t.Fatal(err)
	}
	recs, err := ReadAll(dir + ".jsonl")
	if err != nil || len(recs) != 2 || string(recs[0].Text) != "a\xff" || string(recs[1].Text) != "more" {
		t.Errorf("records: %+v, %v", recs, err)
	}
	texts, err := ReadAll(dir)
	if err != nil || len(texts) != 3 {
		t.Errorf("texts: %+v, %v", texts, err)
	}
	if err := c.Remove(Name([]byte("plain"))); err != nil || c.Has([]byte("plain")) {
		t.Errorf("Remove: %v", err)
	}
}

func TestFuzzFiles(t *testing.T) {
	for _, text := range []string{"", "plain", "quo\"te`s", "\x00\xff\u2028é", "two\nlines"} {
		for _, asString := range []bool{false, true} {
			got, err := ParseFuzz("f", FormatFuzz([]byte(text), asString))
			if err != nil || len(got) != 1 || string(got[0]) != text {
				t.Errorf("%q reads back as %q, %v", text, got, err)
			}
		}
	}
	mixed := "go test fuzz v1\r\n[]byte(\"a\")\nint(-5)\nstring(`b`)\nfloat64(NaN)\nmath.Float64frombits(0x7)\n\n"
	got, err := ParseFuzz("f", []byte(mixed))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]byte{[]byte("a"), []byte("b")}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for src, want := range map[string]string{
		"go test fuzz v2\n":                   "f:1: ",
		"go test fuzz v1\n[]byte(\"a\"":       "f:2: no Go expression",
		"go test fuzz v1\n\n[]byte(1)\n":      "f:3: []byte takes a string",
		"go test fuzz v1\nexec(\"a\")\n":      "f:2: values of type",
		"go test fuzz v1\n\"a\"\n":            "f:2: a value is written as",
		"go test fuzz v1\nstring(\"a\",\"\")": "f:2: a value is written as",
	} {
		if _, err := ParseFuzz("f", []byte(src)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("ParseFuzz(%q): %v, want %q", src, err, want)
		}
	}
}

func FuzzParseFuzz(f *testing.F) {
	f.Add([]byte("go test fuzz v1\n[]byte(\"a\")\n"))
	f.Add(FormatFuzz([]byte("\xff`"), true))
	f.Fuzz(func(t *testing.T, data []byte) {
		texts, err := ParseFuzz("f", data)
		if err != nil {
			return
		}
		for _, text := range texts {
			again, err := ParseFuzz("f", FormatFuzz(text, false))
			if err != nil || len(again) != 1 || string(again[0]) != string(text) {
				t.Errorf("%q reads back as %q, %v", text, again, err)
			}
		}
	})
}
