package agree

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// features are those whose pairs are counted.
var features = []struct {
	name string
	has  func(s *subject) bool
}{
	{"names", written(`@(define|fresh|shadow)\(\w+\)`)},
	{"typed", written(`@(define|fresh|shadow)\(\w+, `)},
	{"forward", written(`@forward\(`)},
	{"shadow", written(`@shadow\(`)},
	{"tokens", written(`@token`)},
	{"skips", written(`@skip`)},
	{"indent", written(`@indent\(`)},
	{"len", written(`(u|dec)\w+ @len\(`)},
	{"len var", written(`(dec|varint) @len\(`)},
	{"count", written(`@count\(`)},
	{"offset", written(`@offset\(`)},
	{"copy", written(`@copy\(`)},
	{"sums", written(`@(sum|crc32|inet|adler32)\(`)},
	{"each", written(`@each\(`)},
	{"digits", written(`@(hex|base64)`)},
	{"blocks", written(`@(blocks|pad)\(`)},
	{"packed", written(`@(deflate|zlib|lzw|gzip)`)},
	{"bytes", written(`@(range|value|bytes)`)},
	{"prec", written(`@(prec|prefer)\(`)},
	{"weights", written(`%\d`)},
	{"numbers", written(`@int\(`)},
	{"types", written(`@type\(`)},
	{"companion", func(s *subject) bool { return s.companion != "" }},
	{"nullable", func(s *subject) bool { return slices.ContainsFunc(s.g.Rules, s.nullable) }},
	{"left rec", func(s *subject) bool { return recursive(s.g, 0) }},
	{"right rec", func(s *subject) bool { return recursive(s.g, -1) }},
}

// apart reports whether docs/fields.md says that two features do not go together.
func apart(a, b string) bool {
	lexical, binary := []string{"tokens", "skips", "indent"}, []string{"len", "len var", "count", "offset", "copy", "sums", "each", "digits", "blocks", "packed", "bytes"}
	return slices.Contains(lexical, a) && slices.Contains(binary, b) || slices.Contains(lexical, b) && slices.Contains(binary, a)
}

func written(pattern string) func(s *subject) bool {
	re := regexp.MustCompile(pattern)
	return func(s *subject) bool { return re.MatchString(s.src + s.companion) }
}

func (s *subject) nullable(r *grammar.Rule) bool {
	return s.g.Facts(nil, grammar.Exact).Size(r.Body, grammar.Bytes, grammar.Any) == 0
}

// recursive reports whether a rule begins (end 0) or ends (-1) with itself.
func recursive(g *grammar.Grammar, end int) bool {
	edges := map[*grammar.Rule][]*grammar.Rule{}
	var follow func(r *grammar.Rule, e *grammar.Expr)
	follow = func(r *grammar.Rule, e *grammar.Expr) {
		switch {
		case e.Op == grammar.Ref && e.Rule != nil:
			edges[r] = append(edges[r], e.Rule)
		case e.Op == grammar.Seq && len(e.Children) > 0:
			follow(r, e.Children[(len(e.Children)+end)%len(e.Children)])
		default:
			for _, k := range e.Children {
				follow(r, k)
			}
		}
	}
	for _, r := range g.Rules {
		follow(r, r.Body)
	}
	for _, r := range g.Rules {
		seen := map[*grammar.Rule]bool{}
		for todo := slices.Clone(edges[r]); len(todo) > 0; todo = todo[1:] {
			if todo[0] == r {
				return true
			}
			if !seen[todo[0]] {
				seen[todo[0]] = true
				todo = append(todo, edges[todo[0]]...)
			}
		}
	}
	return false
}

// pairs counts the grammars that have two features.
type pairs [][]int

func (p *pairs) add(s *subject) {
	for len(*p) < len(features) {
		*p = append(*p, make([]int, len(features)))
	}
	has := make([]bool, len(features))
	for i, f := range features {
		has[i] = f.has(s)
	}
	for i := range features {
		for j := range features {
			if has[i] && has[j] {
				(*p)[i][j]++
			}
		}
	}
}

func (p pairs) String() string {
	var b strings.Builder
	for i, f := range features {
		fmt.Fprintf(&b, "%-10s", f.name)
		for j := range i + 1 {
			fmt.Fprintf(&b, " %4d", p[i][j])
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}

// TestPairs: of 1,000 accepted grammars some have each pair of features.
func TestPairs(t *testing.T) {
	var p pairs
	tried, accepted := 0, 0
	for n := uint64(0); accepted < 1000; n++ {
		tried++
		if s := newSubject(1, n); s != nil {
			accepted++
			p.add(s)
		}
	}
	t.Logf("%d of %d grammars are accepted; with two features:\n%v", accepted, tried, p)
	for i, f := range features {
		for j := range i + 1 {
			if p[i][j] == 0 && !apart(f.name, features[j].name) {
				t.Errorf("no grammar has %s and %s", f.name, features[j].name)
			}
		}
	}
}
