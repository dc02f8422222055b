// Witness draws sentences of the grammars of list.txt, for tree-sitter and for Lark, and
// asks their own parsers about them. It prints a table as Markdown.
//
//	GRAMFUZZ_DATA=… go run ./bench/notations/witness -packages DIR
//
// DIR has the packages of list.txt as npm pack writes them. It needs cc, and a python
// with the packages tree-sitter and lark.
package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

//go:embed list.txt
var list string

//go:embed witness.py
var script string

type options struct {
	data, packages, python string
	n                      int
}

func main() {
	var o options
	flag.StringVar(&o.data, "data", os.Getenv("GRAMFUZZ_DATA"), "the data folder")
	flag.StringVar(&o.packages, "packages", "", "the folder with npm's packages")
	flag.StringVar(&o.python, "python", "python3", "the python that has tree-sitter and lark")
	flag.IntVar(&o.n, "n", 1000, "sentences of a grammar")
	only := flag.String("only", "", "only lines of the list that hold this")
	flag.Parse()
	fmt.Print("| grammar | parser | externals | accepted | of | alternatives reached |\n|---|---|--:|--:|--:|--:|\n")
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		if strings.HasPrefix(line, "#") || !strings.Contains(line, *only) {
			continue
		}
		if err := o.row(context.Background(), words); err != nil {
			fmt.Printf("| %s | %s | | – | | %s |\n", words[1], words[0], strings.Join(strings.Fields(err.Error()), " "))
		}
	}
}

// row asks about the sentences of one grammar.
func (o options) row(ctx context.Context, words []string) error {
	dir, err := os.MkdirTemp("", "witness")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path, start := filepath.Join(o.data, "grammars", "formats", "lark", words[1]), ""
	args := []string{"lark", path}
	if words[0] == "lark" {
		start = words[2]
		args = append(args, words[2:]...)
	} else {
		if path, args, err = o.build(dir, words); err != nil {
			return err
		}
	}
	g, ds, err := load.File(path, load.Options{Start: start})
	if err != nil {
		return err
	}
	externals := 0
	for _, d := range ds {
		if d.Code == "external" {
			externals++
		}
	}
	texts, reached, err := draw(ctx, g, o.n)
	if err != nil {
		return err
	}
	ok, err := o.ask(dir, args, texts)
	if err != nil {
		return err
	}
	fmt.Printf("| %s | %s | %d | %d | %d | %d of %d |\n", words[1], strings.Join(args[len(args)-min(len(words)-2, 2):], ", "), externals, ok, len(texts), reached.Reached, reached.Total)
	return nil
}

// build unpacks a package and compiles its parser.
func (o options) build(dir string, words []string) (path string, args []string, err error) {
	found, err := filepath.Glob(filepath.Join(o.packages, words[1]+"-[0-9]*.tgz"))
	if err != nil || len(found) != 1 {
		return "", nil, fmt.Errorf("%d packages %s in %q; fetch it with npm pack %s", len(found), words[1], o.packages, words[1])
	}
	if out, err := exec.Command("tar", "xzf", found[0], "-C", dir).CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("%w: %s", err, out)
	}
	src, library := filepath.Join(dir, "package", "src"), filepath.Join(dir, "parser.so")
	code, err := filepath.Glob(filepath.Join(src, "*.c"))
	if err != nil {
		return "", nil, err
	}
	if out, err := exec.Command("cc", append([]string{"-w", "-shared", "-fPIC", "-I", src, "-o", library}, code...)...).CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("%w: %s", err, out)
	}
	return found[0], []string{"tree-sitter", library, words[2]}, nil
}

// draw returns n sentences of 5 to 200 terminals, every derivation of a size equally
// likely; of fewer where the language has none so long.
func draw(ctx context.Context, g *grammar.Grammar, n int) (texts [][]byte, reached coverage.Part, err error) {
	seen, err := coverage.New(g, coverage.Options{})
	if err != nil {
		return nil, reached, err
	}
	s, err := sample.New(ctx, g, sample.Options{Bound: count.Sizes(5, 200, grammar.Terminals), Seed: 1})
	if none := new(count.EmptyError); errors.As(err, &none) {
		s, err = sample.New(ctx, g, sample.Options{Bound: count.Sizes(1, 4, grammar.Terminals), Seed: 1})
	}
	if err != nil {
		return nil, reached, err
	}
	source := s.Source()
	for i := range n {
		t, err := source.Tree(ctx, uint64(i))
		if err != nil {
			return nil, reached, err
		}
		seen.Add(t)
		texts = append(texts, t.AppendText(nil))
	}
	return texts, seen.Report().Alternatives, nil
}

// ask returns how many of the texts the parser accepts.
func (o options) ask(dir string, args []string, texts [][]byte) (ok int, err error) {
	file := filepath.Join(dir, "witness.py")
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		return 0, err
	}
	cmd := exec.Command(o.python, append([]string{file}, args...)...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	answers := bufio.NewReader(out)
	for _, t := range texts {
		if _, err = io.WriteString(in, base64.StdEncoding.EncodeToString(t)+"\n"); err != nil {
			break
		}
		var answer string
		if answer, err = answers.ReadString('\n'); err != nil {
			break
		}
		if answer == "ok\n" {
			ok++
		}
	}
	in.Close()
	return ok, errors.Join(err, cmd.Wait())
}
