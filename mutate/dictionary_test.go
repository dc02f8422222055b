package mutate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

func TestParseDictionary(t *testing.T) {
	src := "# words\nkw_select=\"SELECT\"\n magic@2 = \"\\x7fELF\"\n\"a\\\\\\\"b\"\n\n\"SELECT\"\n\"\"\n"
	got, err := ParseDictionary("sql.dict", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"SELECT", "\x7fELF", `a\"b`}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseDictionaryErrors(t *testing.T) {
	for src, want := range map[string]string{
		"word":           "f:1:1: there is no text in double quotes",
		"\n\"abc":        "f:2:4: the text has no closing quote",
		`kw "x"`:         "f:1:1: there is no = ",
		`a="x"y"`:        `f:1:5: a quote inside`,
		`"\q"`:           `f:1:2: after \ comes`,
		`"\xg0"`:         `f:1:2: \x takes two`,
		`"\x0"`:          `f:1:2: after \ comes`,
		"\"ok\"\n\"\\\"": `f:2:2: after \ comes`,
	} {
		_, err := ParseDictionary("f", []byte(src))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseDictionary(%q): %v, want %q", src, err, want)
		}
	}
}

func FuzzParseDictionary(f *testing.F) {
	f.Add([]byte("a=\"b\"\n"))
	f.Add(formatDictionary(Strings()))
	blind.Fuzz(f, func(t *testing.T, src []byte) {
		words, err := ParseDictionary("f", src)
		if err != nil {
			return
		}
		again, err := ParseDictionary("f", formatDictionary(words))
		if err != nil || !cmp.Equal(words, again) {
			t.Errorf("the words do not read back: %q, %v", again, err)
		}
	})
}

func TestLiterals(t *testing.T) {
	got := literals(grammars.Must("assign"))
	if diff := cmp.Diff([]string{" + ", " - ", " = ", "(", ")", "0", "1", ";\n"}, got, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPools(t *testing.T) {
	for name, pool := range map[string][]string{"Numbers": numbers(), "Strings": Strings()} {
		seen := map[string]bool{}
		for _, w := range pool {
			if w == "" || seen[w] {
				t.Errorf("%s: %q is empty or there twice", name, w)
			}
			seen[w] = true
		}
	}
}

// formatDictionary writes words as a dictionary.
func formatDictionary(words []string) []byte {
	var b []byte
	for _, w := range words {
		b = append(b, '"')
		for i := range len(w) {
			switch c := w[i]; {
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			case c < ' ' || c > '~':
				b = fmt.Appendf(b, `\x%02x`, c)
			default:
				b = append(b, c)
			}
		}
		b = append(b, '"', '\n')
	}
	return b
}
