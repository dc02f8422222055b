package load_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/load"
)

// corpora are the folders of grammars from elsewhere. broken lists the files that are broken at
// their source, each with a part of the expected message. All other files have to load, and the
// broken ones must not.
var corpora = []struct {
	folder, ext, notation string // the notation that must be detected
	broken                map[string]string
}{
	{"gbnf", ".gbnf", "gbnf", map[string]string{
		"gallina3.gbnf": "\")\" closes nothing",        // brackets do not match; \& is no escape
		"json.gbnf":     "8:18: \"(\" is never closed", // the comment on the line swallows the bracket
		"json_arr.gbnf": "13:19: \"(\" is never closed",
	}},
	{"abnf", ".abnf", "abnf", map[string]string{
		// The first rule needs rules of other RFCs, which the file names in a comment.
		"declaresub-rfc3987.abnf": `rule "scheme" is not defined`,       // RFC 3986
		"declaresub-rfc5987.abnf": `rule "token" is not defined`,        // RFC 2616
		"declaresub-rfc6266.abnf": `rule "OWS" is not defined`,          // RFC 7230
		"declaresub-rfc6797.abnf": `rule "OWS" is not defined`,          // RFC 7230
		"declaresub-rfc7235.abnf": `rule "OWS" is not defined`,          // RFC 7230
		"declaresub-rfc7240.abnf": `rule "OWS" is not defined`,          // RFC 7230
		"declaresub-rfc7489.abnf": `rule "addr-spec" is not defined`,    // RFC 5322
		"nradov-rfc7950.abnf":     `< a string that matches the rule >`, // prose that its start needs
	}},
	{"fuzzingbook", ".json", "jsong", map[string]string{
		"ddset-grep.json": `"expression-1" derives itself without adding any text`,
	}},
	{"go-ebnf", ".ebnf", "goebnf", nil},
	{"w3c-ebnf", ".ebnf", "w3c", map[string]string{
		"XmlXl.ebnf": `rule "S" is not defined`, // its lexer is not in the file
	}},
	{"iso-ebnf", ".ebnf", "iso", map[string]string{
		"vscode-EBNF.ebnf":    `rule "? digits from 0 to 9 ?" is needed`, // prose that its start needs
		"vscode-issue15.ebnf": `28:5: "|" does not fit here`,             // a semicolon in the middle of a rule
		"vscode-issue21.ebnf": `rule "letter" is not defined`,            // an excerpt
		"vscode-issue9.ebnf":  `rule "optional" is not defined`,          // an excerpt, which might be native
	}},
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// TestBugGrammars loads the 30 grammars of known bugs: W3C EBNF, where a backslash stands for
// itself.
func TestBugGrammars(t *testing.T) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("set GRAMFUZZ_DATA to the data folder to run this test")
	}
	files, err := filepath.Glob(filepath.Join(data, "gobugs", "cases", "*", "grammar.ebnf"))
	if err != nil || len(files) != 30 {
		t.Fatalf("%d files, want 30 (%v)", len(files), err)
	}
	for _, f := range files {
		g, _, err := load.File(f, load.Options{})
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		if g.Notation != "w3c" {
			t.Errorf("%s: found to be %s", f, g.Notation)
		}
		backslashes := 0
		for _, e := range g.Exprs {
			backslashes += strings.Count(e.Text, "\\")
		}
		if want := literalBackslashes(string(content(t, f))); backslashes != want {
			t.Errorf("%s: %d backslashes in literals, want %d", f, backslashes, want)
		}
	}
}

// literalBackslashes counts the backslashes in the literals of a W3C grammar by an independent
// scan.
func literalBackslashes(src string) (n int) {
	for i := 0; i < len(src); i++ {
		end := -1
		switch {
		case strings.HasPrefix(src[i:], "/*"):
			i += strings.Index(src[i:], "*/") + 1
		case src[i] == '[':
			i += strings.IndexByte(src[i:], ']')
		case src[i] == '"' || src[i] == '\'':
			end = strings.IndexByte(src[i+1:], src[i])
			n += strings.Count(src[i+1:i+1+end], "\\")
			i += end + 1
		}
	}
	return n
}

func TestCorpus(t *testing.T) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("set GRAMFUZZ_DATA to the data folder to run this test")
	}
	for _, c := range corpora {
		t.Run(c.folder, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(data, "grammars", "formats", c.folder, "*"+c.ext))
			if err != nil || len(files) == 0 {
				t.Fatalf("no files (%v)", err)
			}
			for _, f := range files {
				base := filepath.Base(f)
				g, ds, err := load.File(f, load.Options{})
				if g != nil && g.Notation != c.notation {
					t.Errorf("%s: found to be %q, want %q", base, g.Notation, c.notation)
				}
				switch reason, broken := c.broken[base]; {
				case !broken && err != nil:
					t.Errorf("%s does not load:\n%v", base, err)
				case broken && err == nil:
					t.Errorf("%s loads, but is listed as broken: %s", base, reason)
				case broken && !strings.Contains(err.Error(), reason):
					t.Errorf("%s fails with\n%v\nwant %q in it", base, err, reason)
				case !broken:
					t.Logf("%s: %d rules, %d diagnostics", base, len(g.Rules), len(ds))
				}
			}
			t.Logf("%d files, %d of them broken at the source", len(files), len(c.broken))
		})
	}
}
