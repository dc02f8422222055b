package gramtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
)

// fake is a test whose failure does not fail the test around it. It has the name of that test,
// since children look for it.
type fake struct {
	*testing.T
	out    strings.Builder
	failed bool
}

type fatal struct{}

func (f *fake) Error(args ...any)            { f.failed = true; fmt.Fprintln(&f.out, args...) }
func (f *fake) Errorf(s string, args ...any) { f.Error(fmt.Sprintf(s, args...)) }
func (f *fake) Fatalf(s string, args ...any) { f.Errorf(s, args...); panic(fatal{}) }
func (f *fake) Logf(s string, args ...any)   { fmt.Fprintf(&f.out, s+"\n", args...) }

// outcome runs a check that may fail and returns its message, "" for a pass.
func outcome(t *testing.T, check func(tb testing.TB)) string {
	t.Helper()
	f := &fake{T: t}
	func() {
		defer func() {
			if v := recover(); v != nil && v != (fatal{}) {
				panic(v)
			}
		}()
		check(f)
	}()
	if !f.failed {
		return ""
	}
	return f.out.String()
}

// sentence returns the sentence in a report.
func sentence(report string) string {
	lines := strings.Split(report, "\n")
	for _, l := range lines {
		if strings.HasPrefix(l, "\t") {
			return l[1:]
		}
	}
	return ""
}

func TestCheckPasses(t *testing.T) {
	n := 0
	Check(t, grammars.Must("json"), func(t *T, s *Sentence) {
		n++
		if !s.Damaged() && !json.Valid(s.Text()) {
			t.Errorf("a valid sentence is refused")
		}
		if !s.Damaged() && s.Tree().Text() != s.String() {
			t.Errorf("the tree has another text")
		}
	}, Seed(1), Count(500), Dir(""))
	if n != 500 {
		t.Errorf("the property was called %d times, not 500", n)
	}
}

func TestShrinks(t *testing.T) {
	// deep panics on a number inside a list inside a list.
	deep := func(text []byte) {
		depth := 0
		for _, c := range text {
			switch {
			case c == '[':
				depth++
			case c == ']':
				depth--
			case depth >= 2 && c == '0':
				var none []int
				_ = none[depth]
			}
		}
	}
	tests := []struct {
		name string
		prop func(t *T, s *Sentence)
		opts []Option
		want string
		says []string
	}{
		{"panic", func(t *T, s *Sentence) { deep(s.Text()) }, []Option{Valid()}, "[[0]]",
			[]string{"index out of range [2]", "runtime.boundsError", "check_test.go", "tree:", "replay: GRAMFUZZ_SEED=3 go test -run"}},
		{"panic below the grammar", func(t *T, s *Sentence) { deep(s.Text()) }, nil, "[[0", []string{"damaged"}},
		{"error", func(t *T, s *Sentence) {
			t.Logf("looking at %s", s)
			if bytes.Contains(s.Text(), []byte("null")) {
				t.Errorf("%q has a null", s.Text())
			}
		}, []Option{Valid()}, "null", []string{`"null" has a null`, "looking at null", "check_test.go"}},
		{"fatal", func(t *T, s *Sentence) {
			if len(s.Text()) > 3 && s.Text()[0] == '"' {
				t.Fatalf("long list")
			}
		}, []Option{Valid()}, `"00"`, nil},
		{"the outer test", nil, []Option{Valid()}, "{}", []string{"use its own t"}},
		{"damage only", func(t *T, s *Sentence) {
			if s.Damaged() && bytes.HasSuffix(s.Text(), []byte("[")) {
				t.Errorf("ends with a bracket")
			}
		}, nil, "[", []string{"may be no sentence"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			prop := tt.prop
			if prop == nil {
				prop = func(_ *T, s *Sentence) {
					if bytes.Contains(s.Text(), []byte("{")) {
						runtime.Goexit() // as FailNow does, without failing this test
					}
				}
			}
			said := outcome(t, func(tb testing.TB) {
				Check(tb, grammars.Must("json"), prop, append([]Option{Seed(3), Dir(""), Count(5000)}, tt.opts...)...)
			})
			if sentence(said) != tt.want && !(tt.name == "fatal" && len(sentence(said)) == 4) {
				t.Errorf("shrunk to %q, want %q; the report:\n%s", sentence(said), tt.want, said)
			}
			for _, s := range tt.says {
				if !strings.Contains(said, s) {
					t.Errorf("the report does not say %q:\n%s", s, said)
				}
			}
		})
	}
}

// TestToldOfShrunk: the failure that is shown is that of the sentence that is shown. The last call
// that failed may be that of another one.
func TestToldOfShrunk(t *testing.T) {
	for seed := range uint64(5) {
		said := outcome(t, func(tb testing.TB) {
			Check(tb, grammars.Must("expr"), func(t *T, s *Sentence) {
				text := s.String()
				if i := strings.LastIndex(text, "/"); i >= 0 && strings.Count(text[:i], "(") > 3+strings.Count(text, ")") {
					t.Errorf("seen in %q", text)
				}
			}, Seed(seed), Dir(""), Count(5000), Damage(0.9))
		})
		if want := fmt.Sprintf("seen in %q", sentence(said)); !strings.Contains(said, want) {
			t.Errorf("seed %d: the report does not say %q:\n%s", seed, want, said)
		}
	}
}

// TestDamagedTree: a damaged text is shown without the tree of another text. It is shown with
// its own tree if shrinking byte by byte has made it a sentence again.
func TestDamagedTree(t *testing.T) {
	tests := []struct {
		name  string
		fails func(s *Sentence) bool
		want  string
		tree  bool
	}{
		{"damage only", func(s *Sentence) bool { return s.Damaged() && bytes.HasSuffix(s.Text(), []byte("[")) }, "[", false},
		{"no sentence", func(s *Sentence) bool { return bytes.HasPrefix(s.Text(), []byte("[[")) }, "[[", false},
		{"a sentence again", func(s *Sentence) bool { return bytes.Contains(s.Text(), []byte("7")) }, "7", true},
		{"damage to a sentence", func(s *Sentence) bool { return s.Damaged() && bytes.Contains(s.Text(), []byte("7")) }, "7", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			said := outcome(t, func(tb testing.TB) {
				Check(tb, grammars.Must("json"), func(t *T, s *Sentence) {
					if tt.fails(s) {
						t.Errorf("it fails")
					}
				}, Seed(3), Dir(""), Count(5000), Damage(0.9))
			})
			if got := sentence(said); got != tt.want || strings.Contains(said, "tree:") != tt.tree || tt.tree && !strings.Contains(said, `"`+tt.want+`"`) {
				t.Errorf("want %q, with a tree: %v; the report:\n%s", tt.want, tt.tree, said)
			}
		})
	}
}

// TestFailFile: the failure is stored, tried first, and passes once it is fixed.
func TestFailFile(t *testing.T) {
	dir := t.TempDir()
	broken := true
	var texts []string
	check := func(tb testing.TB) {
		Check(tb, grammars.Must("json"), func(t *T, s *Sentence) {
			texts = append(texts, s.String())
			if broken && strings.Contains(s.String(), "true") {
				t.Errorf("true is a lie")
			}
		}, Dir(dir), Seed(5), Valid(), Count(2000))
	}
	if first := outcome(t, check); sentence(first) != "true" {
		t.Fatalf("first run:\n%s", first)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "TestFailFile", "*.json"))
	if len(files) != 1 {
		t.Fatalf("fail files: %v", files)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	rec, err := derive.ParseRecord(data)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := derive.NewMachine(grammars.Must("json"), derive.Options{}).Run(t.Context(), derive.Strict(rec.Choices))
	if err != nil || tree.Text() != "true" {
		t.Errorf("the record replays to %v, %v", tree, err)
	}
	texts = nil
	if again := outcome(t, check); !strings.Contains(again, "still fails") {
		t.Errorf("second run:\n%s", again)
	}
	if diff := cmp.Diff([]string{"true"}, texts); diff != "" {
		t.Errorf("the second run tried (-want +got):\n%s", diff)
	}
	broken = false
	if mended := outcome(t, check); mended != "" {
		t.Errorf("after mending:\n%s", mended)
	}
	if err := os.WriteFile(files[0], []byte(`{"v":99}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if said := outcome(t, check); !strings.Contains(said, "version 99") {
		t.Errorf("a record of another version:\n%s", said)
	}
}

func TestAssumeCoverSometimes(t *testing.T) {
	g := grammars.Must("json")
	list := func(s *Sentence) bool { return s.Text()[0] == '[' }
	tests := []struct {
		name string
		prop func(t *T, s *Sentence)
		opts []Option
		want string // "" is a pass
	}{
		{"assume", func(t *T, s *Sentence) {
			s.Assume(list(s))
			if !list(s) {
				t.Errorf("assumed in vain")
			}
		}, nil, ""},
		{"exhausted", func(t *T, s *Sentence) { s.Assume(false) }, nil, "arguments exhausted"},
		{"cover", func(t *T, s *Sentence) { s.Classify(list(s), "list") }, []Option{Cover(5, "list")}, ""},
		{"cover in vain", func(t *T, s *Sentence) { s.Classify(list(s), "list") }, []Option{Cover(99, "list")}, "at least 99% should be"},
		{"sometimes", func(t *T, s *Sentence) { s.Sometimes("list", list(s)) }, nil, ""},
		{"never", func(t *T, s *Sentence) { s.Sometimes("a letter", s.Text()[0] == 'z') }, nil, `"a letter" should hold sometimes`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			said := outcome(t, func(tb testing.TB) { Check(tb, g, tt.prop, append(tt.opts, Seed(1), Count(300), Valid(), Dir(""))...) })
			if (said == "") != (tt.want == "") || !strings.Contains(said, tt.want) {
				t.Errorf("want %q; it said:\n%s", tt.want, said)
			}
		})
	}
}

func TestSeedDecides(t *testing.T) {
	draw := func(seed uint64) (texts []string) {
		Check(t, grammars.Must("expr"), func(_ *T, s *Sentence) { texts = append(texts, s.String()) }, Seed(seed), Count(600), Dir(""))
		return texts
	}
	a, b, c := draw(1), draw(1), draw(2)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("the same seed draws other sentences (-want +got):\n%s", diff)
	}
	if cmp.Equal(a, c) {
		t.Errorf("another seed draws the same sentences")
	}
}

func TestTime(t *testing.T) {
	n := 0
	Check(t, grammars.Must("expr"), func(*T, *Sentence) { n++ }, Time(300*time.Millisecond), Count(1), Dir(""))
	if n < 2 {
		t.Errorf("%d sentences, the count was to be of no matter", n)
	}
}
