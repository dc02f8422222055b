package main

import (
	"context"
	"fmt"
	"io"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
	"github.com/gramfuzz/gramfuzz/internal/ui/picture"
	"github.com/gramfuzz/gramfuzz/parse"
)

const parseAbout = `
Check whether texts are sentences of a grammar. The exit code is 0 if all are, and
1 if one is not; a message then has file:line:col, the text found there and the
tokens that could follow. Without FILE or with - standard input is read; of a
folder every file. Of several trees the canonical one is shown: the one that
precedences prefer, or else the one whose choices come first.`

// parseFlags are the flags of parse.
type parseFlags struct {
	tree, dot, json, count, hexdump bool
	svg                             string
}

func runParse(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "parse -g GRAMMAR [flags] [FILE...]", parseAbout)
	gf := f.addGrammar()
	var pf parseFlags
	f.BoolVar(&pf.tree, "tree", false, "print the tree, a line for each node")
	f.BoolVar(&pf.dot, "dot", false, "print the tree for Graphviz")
	f.BoolVar(&pf.json, "json", false, "print a record of the tree (JSON, one on a line)")
	f.BoolVar(&pf.hexdump, "hexdump", false, "print the bytes in hexadecimal digits, with their rules and computed fields")
	f.BoolVar(&pf.count, "count", false, "print the number of trees of the text")
	f.StringVar(&pf.svg, "svg", "", "also draw the tree of one text into `FILE`")
	memory := f.addParsing()
	f.addQuiet()
	if err := f.parse(args, -1); err != nil {
		return err
	}
	asked := 0
	for _, b := range []bool{pf.tree, pf.dot, pf.json, pf.count, pf.hexdump} {
		if b {
			asked++
		}
	}
	if asked > 1 {
		return f.wrong("--tree, --dot, --json, --count and --hexdump do not go together; give one of them")
	}
	g, err := gf.load()
	if err != nil {
		return err
	}
	s, err := newSentenceReader(ctx, f, g, *memory)
	if err != nil {
		return err
	}
	s.Outline = !pf.json && !pf.hexdump
	files, err := filesIn(f.Args())
	if err != nil {
		return err
	}
	if pf.svg != "" && len(files) != 1 {
		return f.wrong("--svg draws one text, not %d; name one", len(files))
	}
	out, err := create(std, "")
	if err != nil {
		return err
	}
	line := f.progressBeside("parsing", !s.Outline || pf.tree || pf.dot || pf.count)
	defer line.End()
	rec := derive.Record{Gramfuzz: version(), Grammar: refOf(gf.ref(), g), Measure: "structure"}
	for i, path := range files {
		text, err := readParsed(std, path, *memory)
		if err != nil {
			return err
		}
		if i > 0 {
			line.Done(uint64(i), uint64(len(files)))
		}
		forest, err := s.Parse(ctx, path, text)
		var tree *derive.Tree
		switch {
		case err != nil || forest == nil:
		case s.Names != nil || pf.json || pf.hexdump || pf.tree || pf.dot || pf.svg != "":
			tree, err = s.Tree(ctx, path, forest)
			if tree == nil {
				forest = nil
			}
		}
		if err == nil && forest != nil {
			rec.Index = uint64(i)
			if err = pf.draw(f, tree); err == nil {
				err = pf.print(ctx, out, forest, tree, rec)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := out.Finish(); err != nil {
		return err
	}
	return s.answer()
}

// draw draws a tree if a flag demands it.
func (pf *parseFlags) draw(f *flags, tree *derive.Tree) error {
	return writeTo(f.std, pf.svg, func(w io.Writer) error {
		hidden, err := picture.WriteTree(w, tree)
		if hidden > 0 {
			f.note("%s: %s not drawn, since the tree is large", pf.svg, words.Plural(hidden, "node"))
		}
		return err
	})
}

// print writes the result for one text in the format of the flags.
func (pf *parseFlags) print(ctx context.Context, out *files.File, forest *parse.Forest, tree *derive.Tree, rec derive.Record) error {
	switch {
	case pf.count:
		n, err := forest.Count(ctx)
		if err == nil {
			fmt.Fprintln(out, n)
		}
		return err
	case !pf.tree && !pf.dot && !pf.json && !pf.hexdump:
		return nil
	}
	var err error
	switch {
	case pf.tree:
		describe.Tree(out, tree)
	case pf.hexdump:
		err = describe.Hexdump(out, tree)
	case pf.dot:
		describe.Dot(out, tree)
	default:
		record.SetTree(&rec, tree, tree.Grammar.Facts(nil, grammar.Structure))
		_, err = out.Write(append(rec.Append(nil), '\n'))
	}
	return err
}
