package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/internal/records/sentences"
	"github.com/gramfuzz/gramfuzz/parse"
)

const rankAbout = `
Print the rank of each sentence: its number among the derivations within a
bound, from 0. FILE has records, whose own grammar and bound are the
defaults; or, with -g and a bound, it is one text, which is parsed (if it has several
derivations, the first one counts). Without FILE or with - standard input is read.
With --over texts the rank is the number among distinct texts, as enum lists them.`

func runRank(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "rank [-g GRAMMAR] [--depth D | --size N] [flags] [FILE]", rankAbout)
	t := f.addRankTable()
	f.BoolVar(&t.json, "json", false, "print objects with the name of the sentence and its rank (JSON, one on a line)")
	f.addQuiet()
	if err := f.parse(args, 1); err != nil {
		return err
	}
	path := "-"
	if f.NArg() == 1 {
		path = f.Arg(0)
	}
	data, err := readInput(std, path)
	if err != nil {
		return err
	}
	out, err := create(std, "")
	if err != nil {
		return err
	}
	if record.Are(data) {
		err = t.rankRecords(ctx, path, data, out)
	} else {
		err = t.rankText(ctx, path, data, out)
	}
	if err != nil {
		return err
	}
	return out.Finish()
}

// rankText prints the rank of one text.
func (t *rankTable) rankText(ctx context.Context, path string, text []byte, out *files.File) error {
	if err := t.build(ctx, count.Bound{}); err != nil {
		return err
	}
	if t.texts != nil {
		return t.numberText(ctx, out, path, text)
	}
	p, err := parse.New(ctx, t.g, parse.Options{})
	if err != nil {
		return err
	}
	forest, err := sentences.Parse(ctx, p, path, text)
	if err != nil {
		return refused(path, err)
	}
	names := t.table.Names()
	tree, err := forest.Obeying(ctx, names)
	if err == nil {
		tree, err = names.Convert(tree)
	}
	if wrong := new(gctx.NameError); errors.As(err, &wrong) {
		return no("%s:%v", path, wrong)
	}
	if err != nil {
		return err
	}
	return t.printRank(out, path, tree)
}

// numberText prints the number of a text among the distinct ones.
func (t *rankTable) numberText(ctx context.Context, out *files.File, path string, text []byte) error {
	n, err := sentences.Trimmed(text, func(text string) (uint64, error) { return t.texts.Rank(ctx, path, text) })
	if errors.Is(err, count.ErrOutside) {
		return no("%s is not within %v", path, t.table.Bound())
	}
	if err != nil {
		return refused(path, err)
	}
	return t.printNumber(out, path, n)
}

// printNumber prints the rank of a sentence.
func (t *rankTable) printNumber(out io.Writer, what string, rank any) (err error) {
	if t.json {
		return json.NewEncoder(out).Encode(map[string]string{"sentence": what, "rank": fmt.Sprint(rank)})
	}
	_, err = fmt.Fprintln(out, rank)
	return err
}

func (t *rankTable) printRank(out *files.File, what string, tree *derive.Tree) error {
	rank, err := t.table.Rank(tree)
	if errors.Is(err, count.ErrOutside) {
		return no("%s is not within %v", what, t.table.Bound())
	}
	if err != nil {
		return err
	}
	return t.printNumber(out, what, rank)
}

// rankRecords prints the rank of each record. It makes a new table only when the bound changes.
func (t *rankTable) rankRecords(ctx context.Context, path string, data []byte, out *files.File) error {
	recs, err := record.ReadAll(path, data)
	if err != nil {
		return err
	}
	var last derive.Record
	var m *derive.Machine
	for i, r := range recs {
		if r.Grammar != last.Grammar || r.Bound != last.Bound || r.Measure != last.Measure || r.Layout != last.Layout || r.Names != last.Names || i == 0 {
			if err := t.buildFor(ctx, r); err != nil {
				return err
			}
			last = *r
			if m, err = record.Machine(t.g, r); err != nil {
				return err
			}
		}
		if t.texts != nil {
			if err := t.numberText(ctx, out, fmt.Sprintf("sentence %d", r.Index), r.Text); err != nil {
				return err
			}
			continue
		}
		tree, err := m.Run(ctx, derive.Replay(r.Choices))
		if err != nil {
			return err
		}
		if !bytes.Equal(tree.AppendText(nil), r.Text) {
			return fmt.Errorf("%s: the choices of sentence %d do not give its text; it was changed after it was made", path, r.Index)
		}
		if err := t.printRank(out, fmt.Sprintf("sentence %d", r.Index), tree); err != nil {
			return err
		}
	}
	return nil
}

// buildFor makes the table for a record.
func (t *rankTable) buildFor(ctx context.Context, r *derive.Record) error {
	b, err := record.ParseBound(r.Bound)
	if err != nil {
		return err
	}
	if !t.f.Changed("measure") && r.Measure != "" {
		t.bf.measure = r.Measure
	}
	names, err := gctx.ParseOptions(r.Names)
	if err != nil {
		return err
	}
	if !t.f.Changed("names") {
		t.bf.names = names.Mode.String()
	}
	if !t.f.Changed("pool") && names.Pool > 0 {
		t.bf.pool = names.Pool
	}
	ref := r.Grammar
	if t.g, err = loadRef(t.f, t.gf, &ref, r.Alphabet); err != nil {
		return err
	}
	return t.build(ctx, b)
}
