// Witness draws sentences of the grammars in list.txt, and counts the sentences that the parsers of
// tree-sitter, Lark and CPython accept. It prints a table in Markdown, followed by the errors of
// Python's compiler.
//
//	GRAMFUZZ_DATA=… go -C bench run ./notations/witness -packages DIR
//
// DIR has the packages of list.txt as written by npm pack. Witness needs cc, and a python with the
// packages tree-sitter, lark and hypothesis.
package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/cputime"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/stream"
)

//go:embed list.txt
var list string

//go:embed witness.py
var script string

type options struct {
	data, packages, python, companions string
	n, min, max, refused               int
	limit                              time.Duration
	trees                              bool
}

func main() {
	var o options
	flag.StringVar(&o.data, "data", os.Getenv("GRAMFUZZ_DATA"), "the data folder")
	flag.StringVar(&o.packages, "packages", "", "the folder with npm's packages")
	flag.StringVar(&o.python, "python", "python3", "the python that has tree-sitter and lark")
	flag.StringVar(&o.companions, "companions", filepath.Join("bench", "notations", "companions"), "the folder with companion files")
	flag.IntVar(&o.n, "n", 1000, "sentences of a grammar; ten times as many of Python's")
	flag.IntVar(&o.min, "min", 5, "least size in terminals")
	flag.IntVar(&o.max, "max", 200, "greatest size in terminals")
	flag.BoolVar(&o.trees, "trees", false, "of what tree-sitter accepts, count the texts to which it gives the tree of package parse")
	flag.IntVar(&o.refused, "refused", 0, "show so many of the refused sentences of a grammar on standard error")
	flag.DurationVar(&o.limit, "time", 2*time.Minute, "at most so much CPU time for the sentences of a grammar")
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

// row runs the parser on the sentences of one grammar.
func (o options) row(ctx context.Context, words []string) error {
	if words[0] == "speed" {
		return o.speed(ctx, words[1], words[2])
	}
	dir, err := os.MkdirTemp("", "witness")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(o.data, "grammars", "formats", "lark", words[1])
	args, how, n := []string{"lark", path}, stream.Plan{}, o.n
	var lo load.Options
	switch words[0] {
	case "lark":
		lo.Start = words[2]
		args = append(args, words[2:]...)
	case "python":
		path, args = filepath.Join(o.data, "grammars", words[1]), []string{"python", words[3]}
		how, n = stream.Plan{Strategy: "balanced", Layout: "spaced"}, 10*n
		lo.Companion, err = os.ReadFile(filepath.Join(o.companions, words[2]))
	default:
		path, args, err = o.build(dir, words)
		how = stream.Plan{Strategy: "balanced", Settled: true}
		if more, e := os.ReadFile(filepath.Join(o.companions, words[1]+".gramfuzz")); e == nil {
			lo.Companion = more
		}
	}
	if err != nil {
		return err
	}
	g, ds, err := load.File(path, lo)
	if err != nil {
		return err
	}
	externals := 0
	for _, d := range ds {
		if d.Code == "external" {
			externals++
		}
	}
	within, cancel := cputime.WithLimit(ctx, o.limit)
	defer cancel()
	texts, reached, err := o.draw(within, g, how, n)
	if err != nil && (len(texts) == 0 || within.Err() == nil) {
		return err
	}
	var trees [][]span
	if o.trees && words[0] == "tree-sitter" {
		if trees, err = treesOf(ctx, g, texts); err != nil {
			return err
		}
		args = append(args, filepath.Join(path, "src", "grammar.json"))
	}
	answers, err := o.ask(dir, args, texts, trees)
	if err != nil {
		return err
	}
	if trees != nil {
		fmt.Printf("%s: of %d texts %d have the same tree\n", words[1], answers["ok"]+answers["same"], answers["same"])
		return nil
	}
	fmt.Printf("| %s | %s | %d | %d | %d | %d of %d |\n", words[1], strings.Join(args[max(2, len(args)-2):], ", "), externals, answers["ok"], len(texts), reached.Reached, reached.Total)
	if words[0] == "python" {
		for _, a := range slices.Sorted(maps.Keys(answers)) {
			fmt.Printf("- %s: %d\n", a, answers[a])
		}
	}
	return nil
}

// zeroedMemory is a header for parsers. It makes malloc return zeros, since the scanner of
// tree-sitter-lua reads memory before it writes there.
const zeroedMemory = "#include <stdlib.h>\n#define malloc(n) calloc(1, n)\n"

// build unpacks a package and compiles its parser.
func (o options) build(dir string, words []string) (path string, args []string, err error) {
	packed := strings.ReplaceAll(strings.TrimPrefix(words[1], "@"), "/", "-") // as in file names of npm pack
	found, err := filepath.Glob(filepath.Join(o.packages, packed+"-[0-9]*.tgz"))
	if err != nil || len(found) != 1 {
		return "", nil, fmt.Errorf("%d packages %s in %q; fetch it with npm pack %s", len(found), words[1], o.packages, words[1])
	}
	if out, err := exec.Command("tar", "xzf", found[0], "-C", dir).CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("%w: %s", err, out)
	}
	root := filepath.Join(append([]string{dir, "package"}, words[3:]...)...)
	src, library := filepath.Join(root, "src"), filepath.Join(dir, "parser.so")
	scanner, err := filepath.Glob(filepath.Join(src, "scanner.c*")) // .c or .cc
	if err != nil {
		return "", nil, err
	}
	zeroed := filepath.Join(dir, "zeroed.h")
	if err := os.WriteFile(zeroed, []byte(zeroedMemory), 0o644); err != nil {
		return "", nil, err
	}
	if out, err := exec.Command("cc", append([]string{"-O0", "-w", "-shared", "-fPIC", "-include", zeroed, "-I", src, "-o", library}, append(scanner, filepath.Join(src, "parser.c"), "-lstdc++")...)...).CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("%w: %s", err, out)
	}
	return root, []string{"tree-sitter", library, words[2]}, nil
}

// draw returns the texts of n sentences of the demanded sizes, or of sizes below 5 if the language
// has none of the former. It skips derivations without a text: nothing keeps their tokens apart.
func (o options) draw(ctx context.Context, g *grammar.Grammar, plan stream.Plan, n int) (texts [][]byte, reached coverage.Part, err error) {
	seen, err := coverage.New(g, coverage.Options{})
	if err != nil {
		return nil, reached, err
	}
	plan.Seed, plan.Bound = 1, derive.BoundRef{Min: o.min, Max: o.max, Unit: "terminals"}
	if plan.Strategy == "balanced" && plan.Settled && g.Alts > manyAlternatives { // then balanced sentences take long
		walks := plan
		walks.Strategy, walks.Mix = stream.Mixed, []stream.Generator{{Strategy: stream.RandomWeights}, {Strategy: "walk"}}
		texts, err = add(ctx, g, walks, n*3/5, seen, nil)
		plan.Bound.Max = min(o.max, smallSize)
	}
	if err == nil {
		texts, err = add(ctx, g, plan, n, seen, texts)
	}
	if none := new(count.EmptyError); errors.As(err, &none) && o.min > 1 {
		o.min, o.max = 1, 4
		return o.draw(ctx, g, plan, n)
	}
	return texts, seen.Report().Alternatives, err
}

// Grammars with more than manyAlternatives are drawn from differently: two in five sentences are
// balanced, of at most smallSize terminals. The others are walks, with and without random weights.
const (
	manyAlternatives = 400
	smallSize        = 40
)

// add appends sentences of a plan until there are n.
func add(ctx context.Context, g *grammar.Grammar, plan stream.Plan, n int, seen *coverage.Coverage, texts [][]byte) ([][]byte, error) {
	s, err := plan.Open(ctx, g, stream.Options{})
	if err != nil {
		return texts, err
	}
	source := s.Source()
	for i := 0; len(texts) < n; i++ {
		t, err := source.Tree(ctx, uint64(i))
		if err != nil && i < 2*n && ctx.Err() == nil {
			continue
		} else if err != nil {
			return texts, err
		}
		seen.Add(t)
		texts = append(texts, t.AppendText(nil))
	}
	return texts, nil
}

// treesOf parses each text and returns the spans of the rules in its tree.
func treesOf(ctx context.Context, g *grammar.Grammar, texts [][]byte) (out [][]span, err error) {
	p, err := parse.New(ctx, g, parse.Options{})
	if err != nil {
		return nil, err
	}
	for _, text := range texts {
		f, err := p.Parse(ctx, "a sentence", string(text))
		if err != nil {
			return nil, err
		}
		t, err := f.Outline(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, spansOf(t))
	}
	return out, nil
}

// ask counts the parser's answers to the texts. "ok" means that it accepts a text, "same" that its
// tree also equals the one in trees. Other answers are errors.
func (o options) ask(dir string, args []string, texts [][]byte, trees [][]span) (given map[string]int, err error) {
	file := filepath.Join(dir, "witness.py")
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		return nil, err
	}
	cmd := exec.Command(o.python, append([]string{file}, args...)...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	answers := bufio.NewReader(out)
	given = make(map[string]int)
	shown := 0
	for i, t := range texts {
		line := base64.StdEncoding.EncodeToString(t)
		if trees != nil {
			tree, err := json.Marshal(trees[i])
			if err != nil {
				return nil, err
			}
			line += " " + base64.StdEncoding.EncodeToString(tree)
		}
		if _, err = io.WriteString(in, line+"\n"); err != nil {
			break
		}
		var answer string
		if answer, err = answers.ReadString('\n'); err != nil {
			break
		}
		answer = strings.TrimSpace(answer)
		given[answer]++
		if answer != "ok" && answer != "same" && shown < o.refused {
			shown++
			fmt.Fprintf(os.Stderr, "--- %s\n%s\n", answer, t)
		}
	}
	in.Close()
	return given, errors.Join(err, cmd.Wait())
}
