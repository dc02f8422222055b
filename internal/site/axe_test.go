package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAccessible runs axe-core on pages in headless Chromium, in light and dark mode, at the
// widths of a telephone, a tablet and a desktop; with GRAMFUZZ_LONG, on all pages. It needs chromium in PATH and the file axe.min.js of npm's
// axe-core in GRAMFUZZ_AXE.
func TestAccessible(t *testing.T) {
	axe := os.Getenv("GRAMFUZZ_AXE")
	if axe == "" {
		t.Skip("GRAMFUZZ_AXE does not name axe.min.js")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("GRAMFUZZ_AXE is set, and there is no chromium")
	}
	script, err := os.ReadFile(axe)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-o", dir, "--root", "../.."}, &stdout, &stderr); code != 0 {
		t.Fatal(stderr.String())
	}
	if err := os.WriteFile(filepath.Join(dir, "axe.js"), script, 0o666); err != nil {
		t.Fatal(err)
	}
	pages := []string{"index.html", "docs/index.html", "docs/commands.html", "docs/strategies.html", "docs/fuzzing.html", "docs/how/counting.html"}
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		pages = nil
		for _, glob := range []string{"*.html", "docs/*.html", "docs/how/*.html"} {
			found, err := fs.Glob(os.DirFS(dir), glob)
			if err != nil || len(found) == 0 {
				t.Fatal(err, glob)
			}
			pages = append(pages, found...)
		}
	}
	for i := range 6 { // each page in one of six ways
		width, scheme := []int{360, 768, 1280}[i%3], i/3
		var some []string
		for j := i; j < len(pages); j += 6 {
			some = append(some, pages[j])
		}
		t.Run(fmt.Sprint(width, scheme), func(t *testing.T) {
			for _, v := range violations(t, chromium, dir, some, width, scheme) {
				t.Errorf("%s: %s: %s, %d times, as in %s", v.Page, v.Impact, v.ID, v.Count, v.First)
			}
		})
	}
}

type violation struct {
	Page, Impact, ID, First string
	Count                   int
}

const (
	begin = "axe found "
	end   = " in all"
)

// violations returns axe's serious and critical findings in pages, and those that are wider than
// their windows. Pages are shown in frames, since no window of Chromium is narrower than 500.
func violations(t *testing.T, chromium, dir string, pages []string, width, scheme int) []violation {
	t.Helper()
	var frames strings.Builder
	fmt.Fprintf(&frames, `<meta name="color-scheme" content="light dark"><body><script>
const all = []; let ended = 0;
onmessage = e => { all.push(...e.data); if (++ended == %d) document.body.textContent = %q + btoa(unescape(encodeURIComponent(JSON.stringify(all)))) + %q; };
</script>`, len(pages), begin, end)
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(dir, page))
		if err != nil {
			t.Fatal(err)
		}
		up := strings.Repeat("../", strings.Count(page, "/"))
		ask := `<script src="` + up + `axe.js"></script><script>
axe.run({resultTypes: ["violations"]}).then(r => {
  const found = r.violations.filter(v => v.impact === "serious" || v.impact === "critical")
    .map(v => ({Impact: v.impact, ID: v.id, Count: v.nodes.length, First: v.nodes[0].html}));
  const wide = [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth && !e.closest("pre, table"));
  if (document.documentElement.scrollWidth > innerWidth)
    found.push({Impact: "serious", ID: "wider than the window", Count: wide.length, First: wide.length ? wide[0].outerHTML.slice(0, 200) : ""});
  const seen = innerWidth + (matchMedia("(prefers-color-scheme: dark)").matches ? " dark" : " light");
  if (seen !== "` + fmt.Sprintf("%d %s", width, []string{"dark", "light"}[scheme]) + `") found.push({Impact: "serious", ID: "shown as " + seen, Count: 1});
  parent.postMessage(found.map(v => ({Page: "` + page + `", ...v})), "*");
});
</script></body>`
		asked := filepath.Join(filepath.Dir(page), "asked-"+filepath.Base(page))
		if err := os.WriteFile(filepath.Join(dir, asked), bytes.Replace(text, []byte("</body>"), []byte(ask), 1), 0o666); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&frames, "<iframe src=%q style=\"width: %dpx; height: 900px; border: 0\"></iframe>\n", filepath.ToSlash(asked), width)
	}
	file := filepath.Join(dir, fmt.Sprintf("frames-%d-%d.html", width, scheme))
	if err := os.WriteFile(file, []byte(frames.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(),
		"--window-size=1400,1000", fmt.Sprintf("--blink-settings=preferredColorScheme=%d", scheme),
		"--virtual-time-budget=60000", "--dump-dom", "file://"+file)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(out), begin)
	coded, _, ended := strings.Cut(after, end)
	if !ok || !ended {
		t.Fatalf("axe did not answer; the page ended as %.300q", out)
	}
	var found []violation
	// JSON has a []byte in base64, as btoa writes it.
	var decoded []byte
	if err := json.Unmarshal([]byte(`"`+coded+`"`), &decoded); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(decoded, &found); err != nil {
		t.Fatal(err)
	}
	return found
}
