package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestSite checks that the pages of the repository have no broken link, and load nothing from
// elsewhere.
func TestSite(t *testing.T) {
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-o", dir, "--root", "../.."}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	fetched := regexp.MustCompile(`(?:src|<link [^>]*href)="(?:https?:)?//`)
	pages := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".html" {
			return err
		}
		pages++
		text, err := os.ReadFile(path)
		if at := fetched.Find(text); at != nil {
			t.Errorf("%s fetches %s", path, at)
		}
		if n := bytes.Count(text, []byte("<h1")); n != 1 {
			t.Errorf("%s has %d titles", path, n)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 30 {
		t.Errorf("only %d pages", pages)
	}
}

// small returns a repository of three pages.
func small() fstest.MapFS {
	return fstest.MapFS{
		"README.md":      {Data: []byte("# Home\n\nSee [one](docs/one.md#the-second-part), [code](cmd) and [elsewhere](https://example.com/x.md).\n")},
		"cmd/main.go":    {Data: []byte("package main\n")},
		"docs/README.md": {Data: []byte("# All\n\n## Part\n\n- [One](one.md)\n")},
		"docs/one.md":    {Data: []byte("# One\n\nText.\n\n## The second part\n\nA <script>, a [picture](p.svg), [home](../README.md) and [the code](../cmd/main.go).\n\n| a | b |\n|---|---|\n| `x` | y |\n")},
		"docs/p.svg":     {Data: []byte("<svg/>")},
	}
}

func TestLinks(t *testing.T) {
	s, err := read(small(), "https://source")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := s.write(dir); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range []string{"index.html", "docs/one.html"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		_, main, _ := strings.Cut(string(text), "<main")
		for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(main, -1) {
			got = append(got, m[1])
		}
		if strings.Contains(main, "<script>,") {
			t.Errorf("%s has a script of the text", name)
		}
	}
	want := []string{"docs/one.html#the-second-part", "https://source/tree/main/cmd", "https://example.com/x.md", "../docs/p.svg", "../index.html", "https://source/blob/main/cmd/main.go"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("links: -want +got:\n%s", d)
	}
	if _, err := os.Stat(filepath.Join(dir, "docs", "p.svg")); err != nil {
		t.Error(err)
	}
	search, err := os.ReadFile(filepath.Join(dir, "search.js"))
	if err != nil {
		t.Fatal(err)
	}
	if place := `{"p":"One","t":"The second part","u":"docs/one.html#the-second-part","x":`; !strings.Contains(string(search), place) {
		t.Errorf("the search does not have %s", place)
	}
}

func TestBrokenLinks(t *testing.T) {
	for _, test := range []struct{ file, text, want string }{
		{"docs/one.md", "# One\n\n## The second part\n\n[x](two.md)", "docs/one.md: link to two.md:"},
		{"docs/one.md", "# One\n\n[x](#no) ## The second part", `README.md: link to docs/one.md#the-second-part: the page has no heading "the-second-part"`},
		{"docs/one.md", "# One\n\n## The second part\n\n![x](q.svg)", "docs/one.md: link to q.svg:"},
		{"docs/lost.md", "# Lost", "docs/lost.md: the index docs/README.md does not list this page"},
	} {
		fsys := small()
		fsys[test.file] = &fstest.MapFile{Data: []byte(test.text)}
		_, err := read(fsys, "")
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.text, err, test.want)
		}
	}
}
