package gramtest

import (
	"math/big"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
)

// bug is a property that fails for some sentences of a shipped grammar.
type bug struct {
	name, grammar string
	fails         func(text string) bool
	want, damaged string // minimal text for every seed, with valid sentences and with damaged ones
}

func has(expr string) func(string) bool { return regexp.MustCompile(expr).MatchString }

// all returns a predicate for texts that contain all of the words.
func all(words ...string) func(string) bool {
	return func(text string) bool {
		for _, w := range words {
			if !strings.Contains(text, w) {
				return false
			}
		}
		return true
	}
}

// nesting returns the nesting depth of brackets.
func nesting(text, open, shut string) (most int) {
	d := 0
	for _, c := range text {
		if strings.ContainsRune(open, c) {
			d++
		} else if strings.ContainsRune(shut, c) {
			d--
		}
		most = max(most, d)
	}
	return most
}

// greatest returns the greatest number written in digits in a text.
func greatest(text string) *big.Int {
	most := new(big.Int)
	for _, digits := range regexp.MustCompile(`[0-9]+`).FindAllString(text, -1) {
		if n, _ := new(big.Int).SetString(digits, 10); n.Cmp(most) > 0 {
			most = n
		}
	}
	return most
}

var bugs = []bug{
	{"depth", "json", func(text string) bool { return nesting(text, "[{", "]}") > 3 }, "[[[[]]]]", "[[[["},
	{"two members", "json", has(`\{[^{}]*,`), `{",":0}`, "{,"},
	{"exponent", "json", has(`[0-9][eE]-`), "0E-0", "0E-"},
	{"escape", "json", has(`\\u[^0]`), `"\u1000"`, `\u `},
	{"object in a list in an object", "json", has(`^\{.*\[.*\{`), `{"":[{}]}`, "{[{"},
	{"number", "json", func(text string) bool { return greatest(text).Cmp(big.NewInt(255)) > 0 }, "256", "256"},
	{"constants", "json", all("true", "null", "{"), "[null,true,{}]", "nulltrue{"},
	{"long string", "json", has(`"[^"\\,:\[\]{}]{5}"`), `"     "`, `"     "`},
	{"quotient of a sum", "expr", has(`/ \([^()]*\+`), "0 / (0 + 0)", "/ (+"},
	{"minus twice", "expr", func(text string) bool { return strings.Count(text, "-") > 3 }, "-(-0 - -0)", "----"},
	{"depth and product", "expr", func(text string) bool { return nesting(text, "(", ")") > 2 && strings.Contains(text, "*") }, "(((0 * 0)))", "(((*"},
	{"even number", "expr", has(`[1-9][02468]\b.*[3579]\b`), "10 * 3", "10 3"},
	{"heights", "tree", func(text string) bool { return nesting(text, "(", ")") > 4 }, "(((((xx)x)x)x)x)", "((((("},
	{"reuse", "assign", func(text string) bool {
		m := regexp.MustCompile(`(?m)^([a-z]) = .*;$`).FindAllStringSubmatch(text, -1)
		seen := map[string]int{}
		for _, d := range m {
			seen[d[1]]++
		}
		for _, n := range seen {
			if n > 1 {
				return true
			}
		}
		return false
	}, "a = 0;\na = 0;\n", "a = ;\na = ;"},
	{"application of an abstraction", "lambda", has(`\([a-z]=>.*\)\(.*=>`), "(a=>a)(a=>a)", "(a=>)(=>"},
	{"port and query", "url", func(text string) bool {
		u, err := url.Parse(text)
		return err == nil && u.Port() != "" && u.RawQuery != ""
	}, "A://:0?!", "//:0? "},
	{"order and limit", "select", all("ORDER BY", "LIMIT"), "SELECT '' ORDER BY 1 LIMIT 10;", "LIMITORDER BY"},
	{"aggregate", "select", has(`HAVING|count\(\*\)`), "SELECT count(*) FROM (SELECT '' AS a, '' AS b);", "count(*)"},
	{"loop", "go", has(`(?s)for .*\{\n.*break`), "package A\nfunc A() {\nfor {\nbreak\n}\n}\n", "for {\nbreak"},
	{"method and map", "go", func(text string) bool { return has(`(?m)^func \(`)(text) && strings.Contains(text, "map[") }, "package A\nfunc (A A) A() map[A]A {\n}\n", "func (map["},
}

// shown returns the text in the report of a failure.
func shown(report string) string {
	_, text, _ := strings.Cut(report, "\n\n")
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, "\t") {
			break
		}
		lines = append(lines, line[1:])
	}
	return strings.Join(lines, "\n")
}

// TestCanonical: one bug gives one minimal text, whichever sentence showed it.
func TestCanonical(t *testing.T) {
	seeds := 2
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		seeds = 5
	}
	for _, b := range bugs {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			check := func(want string, opts ...Option) {
				for seed := range uint64(seeds) {
					said := outcome(t, func(tb testing.TB) {
						Check(tb, grammars.Must(b.grammar), func(t *T, s *Sentence) {
							if b.fails(s.String()) {
								t.Errorf("%s", b.name)
							}
						}, append([]Option{Seed(seed + 1), Dir(""), Count(20_000)}, opts...)...)
					})
					if got := shown(said); got != showText([]byte(want)) {
						t.Errorf("seed %d: %q, want %q; the report:\n%s", seed+1, got, want, said)
					}
				}
			}
			check(b.want, Valid())
			check(b.damaged)
		})
	}
}
