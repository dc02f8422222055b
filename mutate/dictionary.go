package mutate

import (
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// ParseDictionary reads a dictionary in the format of afl-fuzz -x and libFuzzer -dict. Each line
// is empty, a comment (#), or an entry: a text in double quotes, with \\, \" and \xNN. A name and
// = may come before it; the name may end in @ and a level.
//
//	# the keywords
//	kw_select="SELECT"
//	magic@2="\x7fELF"
//	"--"
//
// It returns the texts in order, without repetition. The error is a [grammar.Diagnostics] with
// every wrong line.
func ParseDictionary(name string, src []byte) ([]string, error) {
	var words []string
	var ds grammar.Diagnostics
	seen := map[string]bool{}
	for i, line := range strings.Split(string(src), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		word, col, problem := entry(line)
		if problem != "" {
			ds = append(ds, grammar.Diagnostic{
				Severity: grammar.Error, Pos: grammar.Pos{File: name, Line: i + 1, Col: col},
				Code: "dictionary", Message: problem, Hint: `write a line as name="text"`,
			})
			continue
		}
		if word != "" && !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	return words, ds.Err()
}

// entry reads one line; problem is the mistake at column col.
func entry(line string) (word string, col int, problem string) {
	open := strings.IndexByte(line, '"')
	switch {
	case open < 0:
		return "", 1, "there is no text in double quotes"
	case open > 0 && !strings.HasSuffix(strings.TrimSpace(line[:open]), "="):
		return "", 1, "there is no = between the name and the text"
	case len(line) < open+2 || line[len(line)-1] != '"':
		return "", len(line), "the text has no closing quote"
	}
	body := line[open+1 : len(line)-1]
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '"':
			return "", open + 2 + i, `a quote inside of the text is written \"`
		case c != '\\':
			b.WriteByte(c)
		case i+1 < len(body) && (body[i+1] == '\\' || body[i+1] == '"'):
			i++
			b.WriteByte(body[i])
		case i+3 < len(body) && body[i+1] == 'x':
			n, err := strconv.ParseUint(body[i+2:i+4], 16, 8)
			if err != nil {
				return "", open + 2 + i, `\x takes two hexadecimal digits`
			}
			b.WriteByte(byte(n))
			i += 3
		default:
			return "", open + 2 + i, `after \ comes \, " or xNN`
		}
	}
	return b.String(), 0, ""
}
