package gramtest

import (
	"regexp"
	"strings"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
)

// pooled returns an option with hooks that know only two names; the grammar itself has 26.
func pooled(t *testing.T) Option {
	g := grammars.Must("assign")
	names, err := gctx.New(g, gctx.Options{Pool: 2})
	if err != nil {
		t.Fatal(err)
	}
	return Hooks(func() derive.Hooks {
		h, err := names.Hooks(&derive.Options{})
		if err != nil {
			t.Error(err)
		}
		return h
	})
}

// undefined returns the first name in a program without an earlier defining statement.
func undefined(program string) string {
	defined := map[string]bool{}
	for _, statement := range strings.Split(strings.TrimSpace(program), "\n") {
		left, right, _ := strings.Cut(statement, " = ")
		for _, name := range regexp.MustCompile(`[a-z]`).FindAllString(right, -1) {
			if !defined[name] {
				return name
			}
		}
		defined[left] = true
	}
	return ""
}

// TestHooks: sentences are drawn with the given hooks, and shrunk failures still obey the
// names.
func TestHooks(t *testing.T) {
	seen := map[string]bool{}
	Check(t, grammars.Must("assign"), func(t *T, s *Sentence) {
		for _, name := range regexp.MustCompile(`[a-z]`).FindAllString(s.String(), -1) {
			seen[name] = true
		}
		if name := undefined(s.String()); name != "" {
			t.Errorf("%s is not defined", name)
		}
	}, pooled(t), Valid(), Seed(1), Dir(""))
	if len(seen) != 2 {
		t.Errorf("the names are %v, not those of the hooks' pool", seen)
	}
	report := outcome(t, func(tb testing.TB) {
		Check(tb, grammars.Must("assign"), func(t *T, s *Sentence) {
			if strings.Contains(s.String(), "= b") && undefined(s.String()) == "" {
				t.Errorf("b is used")
			}
		}, pooled(t), Valid(), Seed(1), Dir(""))
	})
	if !regexp.MustCompile(`"b = 0;\\n[ab] = b;\\n"`).MatchString(report) {
		t.Errorf("not shrunk to a definition and a use of b:\n%s", report)
	}
}

// TestDictionary: dictionary entries occur in the stated share of sentences. One sentence in
// four is damaged; a change inserts an entry two times in eighteen, and there are 1.875 changes
// on average.
func TestDictionary(t *testing.T) {
	const n = 8000
	with := 0
	Check(t, grammars.Must("json"), func(_ *T, s *Sentence) {
		if strings.Contains(s.String(), "DICTIONARY") {
			with++
			if !s.Damaged() {
				t.Errorf("%q is not called damaged", s.String())
			}
		}
	}, Dict([]string{"DICTIONARY"}), Count(n), Seed(1), Dir(""))
	// Later changes remove some entries, so the share is a little below n/4·(1-(16/18)^1.875) ≈
	// n/20.
	if with < n/28 || with > n/18 {
		t.Errorf("%d of %d sentences have the entry", with, n)
	}
}
