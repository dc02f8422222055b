package reduce_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// together has properties that no edit of one part keeps.
var together = []struct {
	name, text string
	has        func(text string) bool
	want       string
}{
	{"columns", "table(one, two, three)\nrow(1, 2, 3)\nrow(4, 5, 6)\n", func(text string) bool {
		lists := regexp.MustCompile(`(table|row)\((\w+(, *\w+)*)\)`).FindAllStringSubmatch(text, -1)
		if len(lists) < 3 || strings.Count(text, "(") != len(lists) {
			return false
		}
		for _, l := range lists {
			if strings.Count(l[2], ",") != strings.Count(lists[0][2], ",") {
				return false
			}
		}
		return lists[0][1] == "table"
	}, "table(b)row(2)row(5)"},
	{"a definition in place of its uses", "const empty = \"\"\nconst other = \"1\"\nprint(empty)\nprint(empty, empty)\n", func(text string) bool {
		defined := map[string]bool{}
		calls := 0
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if m := regexp.MustCompile(`^const (\w+) ?= ?"\d?"$`).FindStringSubmatch(line); m != nil {
				defined[m[1]] = true
				continue
			}
			m := regexp.MustCompile(`^print\((.*)\)$`).FindStringSubmatch(line)
			if m == nil {
				return false
			}
			for _, arg := range strings.Split(m[1], ",") {
				arg = strings.TrimSpace(arg)
				if !defined[arg] && arg != `""` {
					return false
				}
				calls++
			}
		}
		return calls >= 3
	}, "print(\"\")\nprint(\"\",\"\")"},
	{"two definitions that need each other", "view one of table two;\nview two of table one;\nget from two;\n", func(text string) bool {
		of := map[string]string{}
		got := ""
		for _, statement := range strings.Split(strings.TrimRight(text, ";\n "), ";") {
			if m := regexp.MustCompile(`^\s*view (\w+) of table (\w+)$`).FindStringSubmatch(statement); m != nil && of[m[1]] == "" {
				of[m[1]] = m[2]
			} else if m := regexp.MustCompile(`^\s*get from (\w+)$`).FindStringSubmatch(statement); m != nil && got == "" {
				got = m[1]
			} else {
				return false
			}
		}
		return of[got] == got && got != "" || got != "" && of[of[got]] == got // a circle
	}, "view b of table b;get from b"},
	{"openers and enders", "ifeq (a, b)\nifdef c\nneeded: x\nendif\nendif\nother: y\n", func(text string) bool {
		depth := 0
		for line := range strings.Lines(text) {
			switch word, _, _ := strings.Cut(strings.TrimSpace(line), " "); word {
			case "ifeq", "ifdef":
				depth++
			case "endif":
				depth--
			case "needed:", "other:", "":
			default:
				return false
			}
			if depth < 0 {
				return false
			}
		}
		return depth == 0 && strings.Contains(text, "needed: x")
	}, "needed: x"},
	{"all bodies without their heads", "func A() { one() }\nfunc B() { two() }\n", func(text string) bool {
		in := strings.Count(text, "func ") // either all statements are in functions, or none
		return strings.Contains(text, "one()") && strings.Contains(text, "two()") && in == strings.Count(text, "{") && in == strings.Count(text, "}") &&
			(in == 0 || in == 2 && regexp.MustCompile(`^func \w\(\) *{.*}\s*func \w\(\) *{.*}\s*$`).MatchString(text)) && !regexp.MustCompile(`\w\(\) ?\w+\(\) ?\w`).MatchString(text)
	}, "one()two()"},
	{"the body of a view", "MAKE a;\nROWS OF a: 11, 22, 33, 44, 55, 66, 77, 88, 99, 10, 20, 30, 40, 50, 60, 70, 80, 90, 12, 13, 14;\nVIEW big AS SHOW sum OF a;\nSHOW ALL OF big;\n", func(text string) bool {
		const rows = "ROWS OF a: 11, 22, 33, 44, 55, 66, 77, 88, 99, 10, 20, 30, 40, 50, 60, 70, 80, 90, 12, 13, 14"
		shown, views := "", map[string]bool{}
		for line := range strings.SplitSeq(strings.TrimSpace(text), ";") {
			line = strings.TrimSpace(line)
			if m := regexp.MustCompile(`^VIEW (\w+) AS SHOW sum OF a$`).FindStringSubmatch(line); m != nil && strings.HasPrefix(text, "MAKE a;") {
				views[m[1]] = true
			} else if m := regexp.MustCompile(`^SHOW ALL OF (\w+)$`).FindStringSubmatch(line); m != nil && views[m[1]] {
				shown += "sum"
			} else if line == "SHOW sum OF a" && strings.HasPrefix(text, "MAKE a;") {
				shown += "sum"
			} else if line != "MAKE a" && line != rows && line != "" {
				return false
			}
		}
		return shown == "sum" && strings.Contains(text, rows)
	}, "MAKE a;ROWS OF a: 11, 22, 33, 44, 55, 66, 77, 88, 99, 10, 20, 30, 40, 50, 60, 70, 80, 90, 12, 13, 14;SHOW sum OF a"},
	{"fields with the name of a variable", "c = {c:/()?/};\nprint(c.c.exec())\n", func(text string) bool {
		text = regexp.MustCompile(`\s`).ReplaceAllString(text, "")
		return regexp.MustCompile(`^(\w+)={(\w):/\(\)\?/};print\((\w)\.(\w)\.exec\(\)\)$`).MatchString(text) || regexp.MustCompile(`^print\({(\w):/\(\)\?/}\.c\.exec\(\)\)$`).MatchString(text)
	}, "print({c:/()?/}.c.exec())"},
	{"a word and a string", "attribute (paper) \"paper\" of (paper)\n", func(text string) bool {
		m := regexp.MustCompile(`^attribute ?\((\w+)\) ?"(\w+)"`).FindStringSubmatch(text)
		return m != nil && m[1] == m[2]
	}, `attribute(b)"b"`},
	{"neighbouring brackets", `{"all": [{"in": [1, 0, 0]}, {"in": [2, 0, 0]}]}`, func(text string) bool {
		var doc struct{ All []struct{ In []int } }
		if json.Unmarshal([]byte(text), &doc) != nil {
			return false
		}
		found := 0 // numbers in lists of at least three
		for _, d := range doc.All {
			for _, n := range d.In {
				if len(d.In) > 2 && n > 0 {
					found |= n
				}
			}
		}
		return found == 3
	}, `{"all":[{"in":[1,2,0]}]}`},
	{"a definition as a parameter", "func f(left First, n int) { var right Second = left.right; use(right); }\n", func(text string) bool {
		text = strings.Join(strings.Fields(text), " ")
		m := regexp.MustCompile(`^func \w\((.*?)\) ?{ ?(?:(.*?); ?)?use\((\w+)\);? ?}$`).FindStringSubmatch(text)
		if m == nil {
			return false
		}
		types := map[string]string{}
		for _, p := range strings.Split(m[1], ",") {
			name, kind, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(p), "var "), " ")
			types[name] = kind
		}
		if d := regexp.MustCompile(`^var (\w+) Second ?= ?(\w+)\.right$`).FindStringSubmatch(m[2]); d != nil && types[d[2]] == "First" {
			types[d[1]] = "Second"
		} else if m[2] != "" {
			return false
		}
		return types[m[3]] == "Second"
	}, "func f(b Second){use(b)}"},
	{"a run of tokens", "x;y{}z()", func(text string) bool { return text == "x;y{}z()" || text == "x z()" }, "x z()"},
}

// TestDetour checks that a short result that bars the way is left for a shorter one.
func TestDetour(t *testing.T) {
	var told []string
	r, err := reduce.Run(context.Background(), reduce.Input{Text: []byte("(i|in)[0-9](|u)|a")}, func(_ context.Context, text []byte) (bool, error) {
		return strings.Contains(string(text), "](|u)") || strings.Contains(string(text), "i|in"), nil
	}, reduce.Options{Best: func(text []byte, _ *derive.Tree) error {
		told = append(told, string(text))
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if string(r.Text) != "i|in" || told[len(told)-1] != "i|in" {
		t.Errorf("got %q, told %q", r.Text, told)
	}
	for i := 1; i < len(told); i++ {
		if reduce.Compare([]byte(told[i]), nil, []byte(told[i-1]), nil) >= 0 {
			t.Errorf("after %q the best is %q", told[i-1], told[i])
		}
	}
}

func TestTogether(t *testing.T) {
	for _, c := range together {
		t.Run(c.name, func(t *testing.T) {
			holds := func(_ context.Context, text []byte) (bool, error) { return c.has(string(text)), nil }
			r, err := reduce.Run(context.Background(), reduce.Input{Text: []byte(c.text)}, holds, reduce.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if string(r.Text) != c.want {
				t.Errorf("got %q, want %q (%d calls)", r.Text, c.want, r.Stats.Calls)
			}
		})
	}
}
