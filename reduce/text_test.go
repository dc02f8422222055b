package reduce_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/reduce"
)

const luaText = `-- a small program
local function area(w, h)
  local a = w * h
  if a > 100 then
    print("large", a)
  else
    print("small")
  end
  return a
end

local shapes = { {1, 2}, {30, 40}, {5, 6} }
for i, s in ipairs(shapes) do
  local total = area(s[1], s[2])
  print(i, total, string.format("%5.2f", total))
end
`

const jsonText = `{
  "name": "example",
  "items": [ {"id": 1, "tags": ["a", "b"]}, {"id": 22, "tags": []} ],
  "nested": {"deep": {"deeper": {"deepest": [null, true, 3.25e1]}}}
}
`

// textMinima has texts without a grammar with the least result expected of auto.
var textMinima = []struct {
	name, text, has, want string
}{
	{"a word", luaText, `ipairs`, "ipairs"},
	{"a call", luaText, `area\(.*\)`, "area()"},
	{"a block kept whole", luaText, `(?s)if .* then.*end`, "if  thenend"},
	{"two far apart", luaText, `(?s)large.*deep|large.*5\.2f`, `large5.2f`},
	{"brackets", jsonText, `\{.*\[.*\].*\}`, "{[]}"},
	{"a key", jsonText, `"tags": \[\]`, `"tags": []`},
	{"numbers", jsonText, `"id": \d\d`, `"id": 22`},
	{"nothing at all", jsonText, ``, ""},
	{"a part that is a sentence", `?? {"a": [1, 2], "b": "needed"} ??`, `\?\?.*"needed".*\?\?`, `??"needed"??`},
	{"bytes that are no text", "\xff\xfe\x00abc\xff", `\x{0}`, "\x00"},
}

func TestTexts(t *testing.T) {
	for _, c := range textMinima {
		t.Run(c.name, func(t *testing.T) {
			re := regexp.MustCompile(c.has)
			holds := func(_ context.Context, text []byte) (bool, error) { return re.Match(text), nil }
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

// TestEveryAlgorithmOnTexts checks for every algorithm and text that the property holds at the
// end and nothing is larger; and that every pass did something.
func TestEveryAlgorithmOnTexts(t *testing.T) {
	parser := jsonParser(t)
	asked := map[string]int{}
	for _, c := range textMinima {
		re := regexp.MustCompile(c.has)
		holds := func(_ context.Context, text []byte) (bool, error) { return re.Match(text), nil }
		for _, algorithm := range reduce.Algorithms() {
			r, err := reduce.Run(context.Background(), reduce.Input{Text: []byte(c.text)}, holds, reduce.Options{Algorithm: algorithm, Parse: parser})
			if err != nil {
				t.Fatalf("%s, %s: %v", c.name, algorithm, err)
			}
			checkResult(t, nil, r, holds)
			if len(r.Text) > len(c.text) {
				t.Errorf("%s, %s: %d bytes became %d", c.name, algorithm, len(c.text), len(r.Text))
			}
			for _, p := range r.Stats.Passes {
				asked[p.Name] += p.Calls
			}
		}
	}
	for _, algorithm := range reduce.Algorithms() {
		if algorithm != "auto" && asked[algorithm] == 0 {
			t.Errorf("%s never asked anything", algorithm)
		}
	}
}

func jsonParser(t testing.TB) func(context.Context, []byte) (*derive.Tree, error) {
	t.Helper()
	p, err := parse.New(context.Background(), grammars.Must("json"), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context, text []byte) (*derive.Tree, error) {
		f, err := p.Parse(ctx, "text", string(text))
		if err != nil {
			return nil, err
		}
		return f.Tree(ctx)
	}
}

// TestLayoutStays checks that passes on trees keep every byte between tokens that they do not
// delete.
func TestLayoutStays(t *testing.T) {
	parser := jsonParser(t)
	text := "[ 1 ,\t{ \"a\" :\n [ true , 5 ] } , 17 ]\n"
	holds := func(_ context.Context, text []byte) (bool, error) {
		return bytes.Contains(text, []byte("true ")), nil
	}
	for _, algorithm := range []string{"perses", "hdd", "probdd"} {
		r, err := reduce.Run(context.Background(), reduce.Input{Text: []byte(text)}, holds, reduce.Options{Algorithm: algorithm, Parse: parser})
		if err != nil {
			t.Fatal(err)
		}
		if r.Tree == nil || r.Tree.Text() != string(r.Text) {
			t.Errorf("%s: the tree of %q is %v", algorithm, r.Text, r.Tree)
		}
		if got, err := parser(context.Background(), r.Text); err != nil || got.Text() != string(r.Text) {
			t.Errorf("%s: %q is no sentence any more: %v", algorithm, r.Text, err)
		}
		if algorithm == "perses" && string(r.Text) != "[ true ]\n" && string(r.Text) != "[ true ]" {
			t.Errorf("%s: %q", algorithm, r.Text)
		}
	}
}

// TestTreeOfAnotherText checks that a text is reduced even if the text of its tree lacks the
// property.
func TestTreeOfAnotherText(t *testing.T) {
	tree, err := jsonParser(t)(context.Background(), []byte(`[1,2,3]`))
	if err != nil {
		t.Fatal(err)
	}
	holds := func(_ context.Context, text []byte) (bool, error) { return bytes.Contains(text, []byte("2 ")), nil }
	r, err := reduce.Run(context.Background(), reduce.Input{Text: []byte("[1, 2 , 3]"), Tree: tree}, holds, reduce.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if string(r.Text) != "2 " || !r.Stats.LostTree {
		t.Errorf("got %q, %+v", r.Text, r.Stats)
	}
}

// TestTimeouts checks that a candidate that timed out is tried again when the run is stuck.
func TestTimeouts(t *testing.T) {
	asked := map[string]bool{}
	slow := func(_ context.Context, text []byte) (bool, error) {
		if len(text) < 6 && !asked[string(text)] {
			asked[string(text)] = true
			return false, fmt.Errorf("predicate: %w", lateError{})
		}
		return strings.Contains(string(text), "x"), nil
	}
	r, err := reduce.Run(context.Background(), reduce.Input{Text: []byte("aa bb x cc dd")}, slow, reduce.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if string(r.Text) != "x" || r.Stats.TimedOut == 0 {
		t.Errorf("got %q, %+v", r.Text, r.Stats)
	}
}

type lateError struct{}

func (lateError) Error() string { return "no answer in time" }
func (lateError) Timeout() bool { return true }

// TestNoRoomForPredicate checks that a predicate that could not be started, since the system has
// no more processes, has given no answer.
func TestNoRoomForPredicate(t *testing.T) {
	full := &fs.PathError{Op: "fork/exec", Path: "check.sh", Err: syscall.EAGAIN}
	asked := 0
	_, err := reduce.Run(context.Background(), reduce.Input{Text: []byte("aa bb x cc dd")}, func(context.Context, []byte) (bool, error) {
		asked++
		if asked > 1 {
			return false, full
		}
		return true, nil
	}, reduce.Options{})
	if !errors.Is(err, full) {
		t.Errorf("got %v, want %v", err, full)
	}
}
