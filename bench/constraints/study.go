package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

// studyGrammar reads the grammar of Fandango's study. The words true, false and return are not
// taken for variables, so that a text has the tree that it was made from.
func (o options) studyGrammar() (*grammar.Grammar, error) {
	if o.study == "" {
		return nil, errors.New("no folder of the study; name one with -study")
	}
	spec, err := os.ReadFile(filepath.Join(o.study, "lang_validity_only.fan"))
	if err != nil {
		return nil, err
	}
	var rules strings.Builder // in the native notation
	for _, line := range strings.Split(string(spec), "\n") {
		if rule, ok := strings.CutPrefix(line, "<"); ok {
			rules.WriteString(strings.NewReplacer("> ::=", " =", "<var_access> | <value>", "value | var_access",
				`<expr_stmt> ";" | <return_stmt> ";"`, `return_stmt ";" | expr_stmt ";"`, `\'`, "'").Replace(rule) + "\n")
		}
	}
	text := regexp.MustCompile(`<(\w+)>`).ReplaceAllString(rules.String(), "$1")
	g, _, err := load.Source("lang.ebnf", []byte(text), load.Options{})
	return g, err
}

// studyTrees returns the trees of texts for the study's checker as JSON: a list of the name of a rule
// and its parts, or a terminal. A text without a tree is an empty list.
func (o options) studyTrees(ctx context.Context, texts [][]byte) (trees [][]byte, err error) {
	g, err := o.studyGrammar()
	if err != nil {
		return nil, err
	}
	parsed, err := sentences(ctx, g, texts)
	if err != nil {
		return nil, err
	}
	for _, t := range parsed {
		tree := []byte("[]")
		if t != nil {
			if tree, err = json.Marshal(studyParts(t, 0, len(t.Nodes()))[0]); err != nil {
				return nil, err
			}
		}
		trees = append(trees, tree)
	}
	return trees, nil
}

// checkerAccepts asks the study's checker.
func checkerAccepts(ctx context.Context, o options, subject string, texts [][]byte) (int, error) {
	trees, err := o.studyTrees(ctx, texts)
	if err != nil {
		return 0, err
	}
	return pythonAccepts(ctx, o, subject, trees)
}

// studyParts returns the trees of the nodes from number from up to number to.
func studyParts(t *derive.Tree, from, to int) (parts []any) {
	for from < to {
		switch n := t.Nodes()[from]; n.Expr.Op {
		case grammar.Ref:
			parts = append(parts, append([]any{n.Expr.Rule.Name}, studyParts(t, from+1, n.End)...))
			from = n.End
		case grammar.Lit:
			parts = append(parts, n.Expr.Text)
			from++
		default:
			from++
		}
	}
	return parts
}

// gccAccepts returns the number of texts that gcc compiles. As in the study, two headers stand before
// each text, and a main stands behind it.
func gccAccepts(ctx context.Context, _ options, _ string, texts [][]byte) (int, error) {
	dir, err := os.MkdirTemp("", "gramfuzz-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	args := []string{"-fsyntax-only", "-w"}
	for i, text := range texts {
		name := fmt.Sprintf("%d.c", i)
		args = append(args, name)
		program := "#include <stdio.h>\n#include <stdbool.h>\n" + string(text) + "\nint main() { return 0; }\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(program), 0o666); err != nil {
			return 0, err
		}
	}
	cmd := exec.CommandContext(ctx, "gcc", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	wrong := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^(\d+\.c):\d+:\d+: (fatal )?error: `).FindAllStringSubmatch(string(out), -1) {
		wrong[m[1]] = true
	}
	if err != nil && len(wrong) == 0 {
		return 0, fmt.Errorf("%w: %s", err, out)
	}
	return len(texts) - len(wrong), nil
}
