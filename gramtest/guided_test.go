package gramtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

// wordGrammar is a grammar in which "password" is one of 26^8 words of its length.
func wordGrammar(t *testing.T) *grammar.Grammar {
	t.Helper()
	g, _, err := load.Source("words.ebnf", []byte(`words = word (" " word)* ; word = [a-z]+ ;`), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// refuses returns a property that fails for sentences with a word that begins with a secret. It
// labels sentences by how close they come.
func refuses(secret string) property {
	return func(t *T, s *Sentence) { refuse(t, s, secret) }
}

func refuse(t *T, s *Sentence, secret string) {
	for word := range strings.FieldsSeq(s.String()) {
		n := 0
		for n < len(word) && n < len(secret) && word[n] == secret[n] {
			n++
		}
		s.Classify(n > 0, secret[:n])
		if n == len(secret) {
			t.Errorf("the secret is out")
		}
	}
}

// TestGuide: guides find failures that drawing without feedback does not, and these are shrunk
// and reported like any others.
func TestGuide(t *testing.T) {
	g := wordGrammar(t)
	for _, test := range []struct {
		opts   []Option
		secret string
		found  bool
	}{
		{[]Option{}, "password", false},
		{[]Option{Guide("none")}, "password", false},
		{[]Option{Guide("labels")}, "password", true},
		{[]Option{Guide("labels"), Valid()}, "password", true},
		{[]Option{Guide("cover")}, "password", true},
		{[]Option{Guide("cover"), Valid()}, "password", true},
		{[]Option{Guide("exemplars")}, "pas", true},
	} {
		opts := append([]Option{Seed(5), Count(20_000), Dir("")}, test.opts...)
		c := newConfig(opts)
		out := outcome(t, func(tb testing.TB) { Check(tb, g, refuses(test.secret), opts...) })
		if found := out != ""; found != test.found {
			t.Errorf("guide %q: found %v, want %v\n%s", c.guide, found, test.found, out)
		}
		if test.found && (sentence(out) != test.secret || !strings.Contains(out, "the secret is out") || !strings.Contains(out, "of seed 5")) {
			t.Errorf("guide %q reported\n%s", c.guide, out)
		}
	}
}

// TestGuideStops: loops end exactly by count and soon by time. A property that hangs is
// reported with its sentence.
func TestGuideStops(t *testing.T) {
	g := wordGrammar(t)
	for _, name := range []string{"none", "labels", "cover", "exemplars"} {
		n := 0
		Check(t, g, func(t *T, s *Sentence) { n++; s.Tree(); s.Assume(s.String() != "b") }, Guide(name), Seed(1), Count(300), Dir(""))
		if n < 300 || n > 310 {
			t.Errorf("%s: %d calls, not 300", name, n)
		}
		// Nothing shows a label, so the loop ends long before the count.
		Check(t, g, func(t *T, s *Sentence) {}, Guide(name), Seed(1), Count(1<<30), Idle(20*time.Millisecond), Dir(""))
	}
	Check(t, g, func(*T, *Sentence) {}, Guide("cover"), Seed(1), Time(50*time.Millisecond), Dir(""))
	hang := func(_ *T, s *Sentence) {
		s.Label(s.String()[:1])
		for strings.HasPrefix(s.String(), "q") {
			time.Sleep(time.Millisecond)
		}
	}
	out := hangs(t, "q", func(tb testing.TB, limit time.Duration) {
		Check(tb, g, hang, Guide("cover"), Valid(), Seed(1), Dir(""), Timeout(limit), Shrink(0))
	})
	if !strings.Contains(out, "takes longer than") || !strings.HasPrefix(sentence(out), "q") {
		t.Errorf("a property that hangs:\n%s", out)
	}
}

// TestGuideOptions: incompatible options are refused.
func TestGuideOptions(t *testing.T) {
	for want, opts := range map[string][]Option{
		"there is no guide": {Guide("nosuch")},
		"Isolate":           {Guide("cover"), Isolate()},
		"Valid":             {Guide("exemplars"), Valid()},
		"are for a Guide":   {Seeds(".")},
		"check the path":    {Guide("cover"), Seeds("nosuch")},
	} {
		out := outcome(t, func(tb testing.TB) { Check(tb, wordGrammar(t), refuses("x"), append(opts, Dir(""))...) })
		if !strings.Contains(out, want) {
			t.Errorf("want %q, got %s", want, out)
		}
	}
}

// TestSeeds: a word of a real text occurs in sentences, also if only a part of the text is a
// sentence, and nothing else finds it.
func TestSeeds(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "real"), []byte("?? no sentence\nthe password\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	holds := func(t *T, s *Sentence) {
		if words := strings.Fields(s.String()); len(words) > 2 && slices.Contains(words, "password") {
			t.Errorf("the secret is out")
		}
	}
	for _, test := range []struct {
		opts  []Option
		found bool
	}{
		{nil, false},
		{[]Option{Seeds(dir)}, true},
		{[]Option{Seeds(dir), Valid()}, true},
	} {
		opts := append([]Option{Guide("cover"), Seed(5), Count(2000), Dir("")}, test.opts...)
		out := outcome(t, func(tb testing.TB) { Check(tb, wordGrammar(t), holds, opts...) })
		if strings.Contains(out, "the secret is out") != test.found {
			t.Errorf("found: want %v, got %s", test.found, out)
		}
	}
}
