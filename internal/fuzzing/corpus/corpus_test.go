package corpus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

// TestReadAll reads files of each kind, alone and from a folder; hidden files and folders are
// skipped.
func TestReadAll(t *testing.T) {
	dir := t.TempDir()
	rec := derive.Record{Measure: "structure", Choices: []int{1, 2}, Text: []byte("a\xff")}
	for name, data := range map[string][]byte{
		"1.jsonl":   append(append(rec.Append(nil), '\n'), append(rec.Append(nil), '\n')...),
		"2":         FormatFuzz([]byte("fuzz"), false),
		"3.txt":     []byte("plain"),
		".tmp-1":    []byte("half a file"),
		"sub/other": []byte("not read"),
	} {
		if err := WriteFile(filepath.Join(dir, name), data); err != nil {
			t.Fatal(err)
		}
	}
	all, err := ReadAll(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range all {
		got = append(got, fmt.Sprintf("%s %q %v", filepath.Base(e.Name), e.Text, e.Record != nil))
	}
	want := []string{`1.jsonl:1 "a\xff" true`, `1.jsonl:2 "a\xff" true`, `2 "fuzz" false`, `3.txt "plain" false`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	one, err := ReadAll(filepath.Join(dir, "3.txt"))
	if err != nil || len(one) != 1 || string(one[0].Text) != "plain" {
		t.Errorf("one file: %+v, %v", one, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bad.jsonl"), []byte(`{"v":99}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadAll(dir); err == nil {
		t.Error("a record of an unknown version was read")
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	lock, err := TryLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := TryLock(path); !errors.Is(err, ErrLocked) {
		t.Errorf("taken twice: %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := TryLock(path)
	if err != nil {
		t.Fatal(err)
	}
	again.Unlock()
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
	blind.Fuzz(f, func(t *testing.T, data []byte) {
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

// TestExport checks that exported texts are read again, and that existing files stay.
func TestExport(t *testing.T) {
	texts := [][]byte{[]byte("a"), []byte("b\n\xff")}
	for _, form := range Forms {
		dir := t.TempDir()
		for range 2 {
			if err := Export(dir, form, texts); err != nil {
				t.Fatal(err)
			}
		}
		all, err := ReadAll(dir)
		if err != nil || len(all) != len(texts) {
			t.Fatalf("%s: %d files, %v", form, len(all), err)
		}
		got := map[string]bool{}
		for _, e := range all {
			got[string(e.Text)] = true
			if strings.HasPrefix(filepath.Base(e.Name), "id:0000") != (form == "afl") {
				t.Errorf("%s: a file %s", form, e.Name)
			}
		}
		if !got["a"] || !got["b\n\xff"] {
			t.Errorf("%s: %v", form, got)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Export(file, "raw", texts); err == nil || !strings.Contains(err.Error(), "file") {
		t.Errorf("into a file: %v", err)
	}
}

// TestDiskTrace checks that each change is reported, in order.
func TestDiskTrace(t *testing.T) {
	dir := t.TempDir()
	var got []string
	d := Disk{Trace: func(s Step) {
		line := string(s.Kind)
		for _, path := range []string{s.Path, s.To} {
			if name := filepath.Base(path); path != "" && !strings.HasPrefix(name, ".tmp-") {
				line += " " + name
			}
		}
		got = append(got, line+string(s.Data))
	}}
	path := filepath.Join(dir, "sub", "x")
	for _, err := range []error{
		d.Write(path, []byte("=1")), d.WriteSynced(path, []byte("=2")), d.SyncDir(filepath.Dir(path)),
		d.Rename(path, path+"y"), d.Remove(path + "y"), d.Remove(path + "y"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"mkdir sub", "write=1", "rename x", "write=2", "sync", "rename x", "syncdir sub", "rename x xy", "remove xy"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
