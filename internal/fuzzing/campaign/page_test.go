package campaign

import (
	"encoding/xml"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

// TestPage checks that the page has every finding unchanged, and loads nothing.
func TestPage(t *testing.T) {
	o := options(t, fails(func(text string) string {
		if strings.Contains(text, "(") {
			return "<script>alert(1)</script>\x1b[2J\u202e" + blind.Hostile()
		}
		return ""
	}))
	sum := run(t, "expr", o)
	src, err := os.ReadFile(sum.Page)
	if err != nil {
		t.Fatal(err)
	}
	html := string(src)
	if strings.Contains(html, "<script") || blind.Raw(html) != "" || regexp.MustCompile(`(src|href)=|url\(|@import`).MatchString(html) {
		t.Error("the page has a script, or loads something")
	}
	for _, want := range []string{
		`&lt;script&gt;alert(1)&lt;/script&gt;\x1b[2J\u202e`, `<pre class="text">` + string(sum.Findings[0].Record.Text) + "</pre>",
		"run again: <code>calc ", "<svg", "runs of the program", "at most so many terminals", "texts that it refused",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	// Every opened element is closed; meta and br, which have no end tag in HTML, get one here.
	html = regexp.MustCompile(`<(meta[^>]*|br|!DOCTYPE html)>`).ReplaceAllString(html, "")
	d := xml.NewDecoder(strings.NewReader(html))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
