package gramtest

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/sample"
)

// TestBytes: the bytes of a sentence give the sentence back, and any bytes give a sentence.
func TestBytes(t *testing.T) {
	for _, name := range []string{"json", "expr", "assign"} {
		g := grammars.Must(name)
		m := fuzzMachine(g, derive.Options{})
		s, err := sample.New(t.Context(), g, sample.Options{Strategy: sample.Walk, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		src := s.Source()
		for i := range uint64(300) {
			tree, err := src.Tree(t.Context(), i)
			if err != nil {
				t.Fatal(err)
			}
			data, err := toBytes(t.Context(), m, tree.Choices())
			if err != nil {
				t.Fatal(err)
			}
			again, err := fromBytes(t.Context(), m, data)
			if err != nil || again.Text() != tree.Text() {
				t.Fatalf("%s: %q becomes %q, %v", name, tree.Text(), again.Text(), err)
			}
			for _, d := range [][]byte{nil, data[:len(data)/2], append(data, 200, 201), []byte(tree.Text())} {
				if _, err := fromBytes(t.Context(), m, d); err != nil {
					t.Fatalf("%s: bytes %v: %v", name, d, err)
				}
			}
		}
	}
}

func TestByteWidth(t *testing.T) {
	for n, want := range map[int]int{1: 0, 2: 1, 256: 1, 257: 2, 1 << 16: 2, 1<<16 + 1: 3} {
		if got := byteWidth(n); got != want {
			t.Errorf("byteWidth(%d) = %d, want %d", n, got, want)
		}
	}
}

// FuzzJSON: encoding/json accepts every sentence of the JSON grammar.
func FuzzJSON(f *testing.F) {
	Fuzz(f, grammars.Must("json"), func(t *T, s *Sentence) {
		if !json.Valid(s.Text()) {
			t.Errorf("refused")
		}
		if s.Damaged() || s.Tree().Text() != s.String() {
			t.Errorf("the tree has another text")
		}
	})
}

// panicsVariable enables FuzzPanics; it is the folder for fail files.
const panicsVariable = "GRAMTEST_PANICS"

// FuzzPanics panics for some of its seeds, in the child processes of TestFuzzSeeds.
func FuzzPanics(f *testing.F) {
	dir := os.Getenv(panicsVariable)
	if dir == "" {
		f.Skip("TestFuzzSeeds runs it")
	}
	Fuzz(f, grammars.Must("json"), func(t *T, s *Sentence) {
		if strings.Contains(s.String(), "[[") {
			panic("a list in a list")
		}
	}, Dir(dir))
}

// TestFuzzSeeds: a panic in a seed is shrunk, stored, and tried first by the next run.
func TestFuzzSeeds(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		args []string
		says []string
	}{
		{nil, []string{"--- FAIL: FuzzPanics", "of seed 1 fails (shrunk from", "\t[[]]\n", "panic: a list in a list", "tries " + filepath.ToSlash(dir)}},
		{nil, []string{"--- FAIL: FuzzPanics", "still fails", "\t[[]]\n"}},
		{[]string{"-test.fuzz=^FuzzPanics$", "-test.fuzztime=1x", "-test.fuzzcachedir=" + t.TempDir()}, []string{"--- FAIL: FuzzPanics", "still fails"}},
	} {
		cmd := exec.Command(os.Args[0], append([]string{"-test.run=^FuzzPanics$"}, tt.args...)...)
		cmd.Env = append(os.Environ(), panicsVariable+"="+dir)
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.Errorf("%v: it passed", tt.args)
		}
		for _, want := range tt.says {
			if !strings.Contains(string(out), want) {
				t.Errorf("%v: no %q in\n%s", tt.args, want, out)
			}
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "FuzzPanics", "*.json")); len(files) != 1 {
		t.Errorf("fail files: %v", files)
	}
}

func TestAgree(t *testing.T) {
	atoi := func(text []byte) (int64, error) { return strconv.ParseInt(string(text), 10, 64) }
	tests := []struct {
		name string
		f    func(text []byte) (int64, error)
		want string // the sentence; "" is a pass
		says string
	}{
		{"the same", func(text []byte) (int64, error) {
			n, err := atoi(text)
			if err != nil {
				return 0, errors.New("another message")
			}
			return n, nil
		}, "", ""},
		{"refuses zero", func(text []byte) (int64, error) {
			if string(text) == "0" {
				return 0, errors.New("zero")
			}
			return atoi(text)
		}, "0", "the second refuses"},
		{"wrong from ten on", func(text []byte) (int64, error) {
			n, err := atoi(text)
			return n + n/10, err
		}, "10", "the values differ"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			said := outcome(t, func(tb testing.TB) {
				Agree(tb, grammars.Must("json"), atoi, tt.f, Valid(), Seed(2), Count(3000), Dir(""))
			})
			if sentence(said) != tt.want || !strings.Contains(said, tt.says) {
				t.Errorf("want %q and %q; it said:\n%s", tt.want, tt.says, said)
			}
		})
	}
}
