package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/folder"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/records/lastgen"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/internal/records/sentences"
	"github.com/gramfuzz/gramfuzz/internal/ui/language"
	"github.com/gramfuzz/gramfuzz/parse"
)

// reduceInput is the source of sentences to shrink.
type reduceInput struct {
	name string           // file name of candidates
	g    *grammar.Grammar // nil if none is known
	text []byte           // a text without a record; nil if there are records or a plan
	recs []*derive.Record // in the order to try them
	last *lastgen.Last    // if no file was named

	folder bool // text encodes a folder
}

// found is a sentence to check with the predicate, and to shrink.
type found struct {
	what   string // for messages
	text   []byte
	tree   *derive.Tree // nil if there is none
	below  bool         // reduction may leave the grammar
	record derive.Record
}

// input reads the source of sentences, before the predicate is called.
func (f *reduceFlags) input(ctx context.Context) (*reduceInput, error) {
	in := &reduceInput{}
	if f.file == "" {
		return in, f.lastInput(in)
	}
	path := f.file
	in.name = filepath.Base(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		in.folder = true
		in.text, err = folder.Read(path, maxInput)
		return in, err
	}
	data, err := readInput(f.std, path)
	if err != nil {
		return nil, err
	}
	if path == "-" {
		in.name = "input"
	}
	switch {
	case record.Are(data):
		in.name = "input"
		in.recs, err = record.ReadAll(path, data)
		slices.SortStableFunc(in.recs, func(a, b *derive.Record) int { return len(a.Text) - len(b.Text) })
	default:
		var rec *derive.Record
		if path != "-" {
			rec, err = record.Beside(path, data)
		}
		in.text = data
		if rec != nil {
			in.text, in.recs = nil, []*derive.Record{rec}
		}
	}
	if err != nil {
		return nil, err
	}
	return in, f.grammarOf(in)
}

// lastInput takes the plan of the last gen in this folder.
func (f *reduceFlags) lastInput(in *reduceInput) (err error) {
	if in.last, err = readLast(); err != nil {
		return err
	}
	in.name = "input"
	in.g, err = loadRef(f.flags, f.g, &in.last.Plan.Grammar, in.last.Plan.Alphabet)
	return err
}

// grammarOf loads the grammar of -g, of the records, or of the text's language; a text needs
// none.
func (f *reduceFlags) grammarOf(in *reduceInput) (err error) {
	switch {
	case len(in.recs) > 0:
		for _, r := range in.recs[1:] {
			if r.Grammar != in.recs[0].Grammar {
				return fmt.Errorf("the records are of different grammars (%s and %s); reduce those of one at a time",
					grammarName(in.recs[0].Grammar), grammarName(r.Grammar))
			}
		}
		ref := in.recs[0].Grammar
		in.g, err = loadRef(f.flags, f.g, &ref, in.recs[0].Alphabet)
	case f.g.given():
		in.g, err = f.g.load()
	case !f.noGrammar:
		in.g = language.Grammar(in.name, in.text)
		if in.g != nil {
			f.note("%s is read by the grammar %s, which ships; --no-grammar reduces it as a text", f.file, in.g.Name)
		}
	}
	return err
}

// parser returns a parser, nil if there is no grammar, or none for which a parser can be made.
func (in *reduceInput) parser(ctx context.Context, memory *words.Bytes) *parse.Parser {
	if in.g == nil {
		return nil
	}
	p, err := parse.New(ctx, in.g, parse.Options{MaxMemory: int64(*memory)})
	if err != nil {
		return nil
	}
	return p
}

// sentence makes the sentence of a record.
func (in *reduceInput) sentence(ctx context.Context, rec *derive.Record) (*found, error) {
	fd := &found{what: fmt.Sprintf("sentence %d", rec.Index), text: rec.Text, record: *rec}
	tree, err := sentences.Replay(ctx, in.g, rec)
	if err != nil {
		return nil, err
	}
	// A text that was changed after it was derived has a tree only if it parses.
	if tree.Text() == string(rec.Text) {
		fd.tree = tree
	}
	return fd, nil
}

// parsed makes the sentence of a text without a record. A text that is not a sentence is reduced
// without the grammar.
func (f *reduceFlags) parsed(ctx context.Context, in *reduceInput) (*found, error) {
	fd := &found{what: f.file, text: in.text, below: true}
	if in.g == nil {
		return fd, nil
	}
	fd.record = derive.Record{Grammar: refOf(f.g.ref(), in.g), Measure: "structure"}
	p := in.parser(ctx, f.memory)
	if p == nil {
		f.note("no parser can be made for the grammar; %s is reduced as a text", f.file)
		return fd, ctx.Err()
	}
	forest, err := sentences.Parse(ctx, p, f.file, in.text)
	if err == nil {
		fd.tree, err = forest.Tree(ctx)
	}
	if err != nil && ctx.Err() == nil {
		f.note("%v; it is reduced as a text, its parts that are sentences by the grammar", refused(f.file, err))
	}
	return fd, ctx.Err()
}
