package regexps

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// shape returns the form of an expression, or the errors in it.
func shape(text, flags string, d Dialect) string {
	e, problems := Parse(grammar.Pos{}, text, flags, d)
	if e == nil {
		return fmt.Sprintf("%d: %s", problems[0].Offset, problems[0].What)
	}
	out := strings.TrimSuffix(notationtest.Shape(&syntax.Grammar{Rules: []*syntax.Rule{{Name: "x", Body: e}}}), "\n")
	for _, p := range problems {
		out += p.Severity.String() + ": " + p.What
	}
	return strings.TrimPrefix(out, "x = ")
}

func TestParse(t *testing.T) {
	const any = "[^]{0,-1}"
	for _, c := range []struct {
		text, flags string
		d           Dialect
		want        string
	}{
		{"abc", "", Python, `"abc"`},
		{"a|b*|", "", Python, `(| "a" "b"{0,-1} ())`},
		{`a+?b{2}c{1,}d{,3}`, "", Python, `("a"{1,-1} "b"{2,2} "c"{1,-1} "d"{0,3})`},
		{`"a*?(?<!b)"c`, "", Python, `((- ((- ("\"" "a"{0,-1}) ([^]{0,-1} "b")) "\"") (((- ("\"" "a"{0,-1}) ([^]{0,-1} "b")) "\"") [^]{1,-1})) "c")`},
		{"{a}{", "", TreeSitter, `"{a}{"`},
		{`\d`, "", TreeSitter, "['0'-'9']"},
		{`.`, "", TreeSitter, `[^'\x00''\n']`},
		{`.`, "s", Python, "[^]"},
		{`[^\]\n-]`, "", Python, `[^'\n''-'']']`},
		{`[a-c[x-z]]`, "", TreeSitter, "['a'-'c''x'-'z']"},
		{`[[:digit:]_]`, "", TreeSitter, "['0'-'9''_']"},
		{`[--][-a]`, "", TreeSitter, "(['-'] ['-''a'])"},
		{`[[]`, "", Python, "['[']"},
		{`\x41\u0042\u{43}\/\.`, "", TreeSitter, `"ABC/."`},
		{"aß", "i", Python, "(['a''A'] ['ß''ẞ'])"},
		{"sſ", "i", TreeSitter, "(['s''S'] \"ſ\")"},
		{"[k-m]s", "i", Python, "(['K'-'M''k'-'m''K'] ['s''S''ſ'])"},
		{"[k-m]s", "i", TreeSitter, "(['K'-'M''k'-'m'] ['s''S'])"},
		{"(?i:a)b", "", Python, "(['a''A'] \"b\")"},
		{"(?P<n>a)(?:b)(c)", "", Python, `"abc"`},
		{"a b # c\nd", "x", Python, `"abd"`},
		{"(?#no)a", "", Python, `"a"`},
		{`(?!ab)[a-z]+`, "", Python, `(- ['a'-'z']{1,-1} ("ab" ` + any + `))`},
		{`(?=a)[a-z]+`, "", Python, `(- ['a'-'z']{1,-1} (- ` + any + ` ("a" ` + any + `)))`},
		{`x*(?<!y)z`, "", Python, `((- "x"{0,-1} (` + any + ` "y")) "z")`},
		{`a(?!b)`, "", Python, `"a"note: a look ahead or behind is not kept: it looks out of its part of the token`},
		{`^a\b`, "", Python, `"a"note: '^' is not kept: it looks out of the tokennote: \b is not kept: it looks out of its part of the token`},
		{`(a)\1`, "", Python, "4: a reference to a group has no automaton"},
		{`a)`, "", Python, "1: the ) closes nothing"},
		{`(a`, "", Python, "2: a group is never closed"},
		{`[a`, "", Python, "2: a class is never closed"},
		{`*`, "", Python, "0: '*' repeats nothing"},
		{`\`, "", Python, `1: a \ stands at the end`},
		{`\y`, "", Python, `1: \y is no escape`},
		{`\uZZZZ`, "", Python, `6: "ZZZZ" is no code of a character`},
		{strings.Repeat("(", 300), "", Python, "201: groups nest more than 200 deep"},
		{strings.Repeat("a", 1<<17), "", Python, "0: the regular expression has more than 65536 bytes"},
	} {
		if got := shape(c.text, c.flags, c.d); got != c.want {
			t.Errorf("/%s/%s: %s, want %s", c.text, c.flags, got, c.want)
		}
	}
}

// TestLazy checks that lazy loops stay lazy. Tree-sitter is the exception, since it has none.
func TestLazy(t *testing.T) {
	for _, c := range []struct {
		d    Dialect
		want bool
	}{{Python, true}, {TreeSitter, false}} {
		e, _ := Parse(grammar.Pos{}, `a*?b`, "", c.d)
		if got := e.Children[0].Lazy; got != c.want {
			t.Errorf("lazy %v, want %v", got, c.want)
		}
	}
}

// TestManyLazyLoops checks the limit on copies. Each lazy loop before a lookbehind doubles the part
// before the loop.
func TestManyLazyLoops(t *testing.T) {
	for n, want := range map[int]string{3: "", 40: "too many loops that take as little as they can stand before a look behind"} {
		e, problems := Parse(grammar.Pos{}, strings.Repeat(`.*?b`, n)+`(?<!c)d`, "", Python)
		got := ""
		if len(problems) > 0 {
			got = problems[len(problems)-1].What
		}
		if got != want || (e == nil) != (want != "") {
			t.Errorf("%d loops: %q, want %q", n, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`(?i)a|[^\]a-z\d]{2,3}?(?<!\\)(\\\\)*?"`, `(?P<n>x)(?!y).*\p{Lu}\u{41}\x4`, `[[:alpha:]&&x]`, `(((`, `a{9,1}`, strings.Repeat(`.*?b`, 40) + `(?<!c)`} {
		f.Add(s, "i", true)
		f.Add(s, "", false)
	}
	blind.Fuzz(f, func(t *testing.T, text, flags string, js bool) {
		d := Python
		if js {
			d = TreeSitter
		}
		e, problems := Parse(grammar.Pos{}, text, flags, d)
		if (e == nil) != (len(problems) > 0 && problems[len(problems)-1].Severity == grammar.Error) {
			t.Errorf("%v, %v", e, problems)
		}
	})
}
