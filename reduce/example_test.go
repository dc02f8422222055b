package reduce_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// Shrinks a text without a grammar, by its brackets, lists, lines and words.
func ExampleRun_text() {
	text := []byte(`{"name": "widget", "parts": [{"id": 1}, {"id": -0}, {"id": 3}], "price": 9.5}`)
	negativeZero := func(_ context.Context, text []byte) (bool, error) {
		return bytes.Contains(text, []byte("-0")), nil
	}
	r, err := reduce.Run(context.Background(), reduce.Input{Text: text}, negativeZero, reduce.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, %d bytes before and %d after\n", r.Text, r.Stats.From, r.Stats.To)
	// Output:
	// -0, 77 bytes before and 2 after
}

// Shrinks a generated sentence by its choices: every candidate is a sentence.
func ExampleRun_sentence() {
	g := grammars.Must("expr")
	tree, err := derive.NewMachine(g, derive.Options{}).Run(context.Background(), derive.Replay([]int{1, 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5}))
	if err != nil {
		log.Fatal(err)
	}
	multiplies := func(_ context.Context, text []byte) (bool, error) {
		return bytes.Contains(text, []byte("*")), nil
	}
	r, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, multiplies, reduce.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\nbecomes\n%s\nof choices %v\n", tree.Text(), r.Text, r.Tree.Choices())
	// Output:
	// (0 / 0 - 0) / 0 * 0 * 0 * 0 + 0
	// becomes
	// 0 * 0
	// of choices [0 1 0 0 1 0 0 1 0]
}

// Replays the smaller candidates of a sentence in a loop with a test of its own.
func ExampleSmaller() {
	g := grammars.Must("expr")
	m := derive.NewMachine(g, derive.Options{})
	tree, err := m.Run(context.Background(), derive.Replay([]int{1, 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5}))
	if err != nil {
		log.Fatal(err)
	}
	next := reduce.Smaller(g.Facts(nil, grammar.Structure))(tree)
	for choices := next(); choices != nil; choices = next() {
		smaller, err := m.Run(context.Background(), derive.Replay(choices))
		if err != nil {
			log.Fatal(err)
		}
		if text := smaller.Text(); strings.Contains(text, "*") {
			fmt.Println(text)
			break
		}
	}
	// Output:
	// 0 * 0 + 0
}

// Keeps answers in a file, which a second run uses instead of calls.
func ExampleOpenFileCache() {
	dir, err := os.MkdirTemp("", "answers")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	hasX := func(_ context.Context, text []byte) (bool, error) { return bytes.Contains(text, []byte("x")), nil }
	for range 2 {
		cache, err := reduce.OpenFileCache(filepath.Join(dir, "x"))
		if err != nil {
			log.Fatal(err)
		}
		r, err := reduce.Run(context.Background(), reduce.Input{Text: []byte("f(a, x)")}, hasX, reduce.Options{Cache: cache})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s, %d calls\n", r.Text, r.Stats.Calls)
		if err := cache.Close(); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// x, 7 calls
	// x, 0 calls
}
