package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/outfile"
	"github.com/gramfuzz/gramfuzz/parse"
)

func grammarName(ref derive.GrammarRef) string { return ref.Name + ref.Path }

// loadRef loads the grammar that a record or a plan names, or that of -g instead, which ref
// then names.
func loadRef(f *flags, gf *grammarFlags, ref *derive.GrammarRef, alphabet string) (*grammar.Grammar, error) {
	if gf.given() {
		want := ref.SHA256
		gf.words = cmp.Or(gf.words, ref.Case)
		g, err := gf.load()
		if err != nil {
			return nil, err
		}
		if want != "" && g.SHA256 != want {
			f.note("%s is not the grammar that was recorded; choices may mean something else", gf.path)
		}
		*ref = refOf(gf.ref(), g)
		return g, nil
	}
	path := ref.Path
	if path == "" {
		path = ref.Name
	}
	if path == "" {
		return nil, errors.New("the grammar has no name there; name it with -g")
	}
	g, _, err := readGrammar(f, *ref, path, alphabet)
	if err != nil {
		return nil, err
	}
	if ref.SHA256 != "" && g.SHA256 != ref.SHA256 {
		return nil, fmt.Errorf("the grammar %s has changed since the sentence was made; give -g %s to use it as it is now", path, path)
	}
	return g, nil
}

// isRecords reports whether data looks like records.
func isRecords(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(data), []byte(`{"v":`))
}

// readRecords reads all records of a file.
func readRecords(path string, data []byte) ([]*derive.Record, error) {
	var recs []*derive.Record
	for rec, err := range derive.ReadRecords(path, bytes.NewReader(data)) {
		if err != nil {
			return nil, err
		}
		recs = append(recs, rec)
	}
	return recs, nil
}

// recordOf returns the record of a text, if there is one, from a file beside it:
// DIR.jsonl for DIR/FILE, or FILE.json or FILE.jsonl.
func recordOf(path string, text []byte) ([]*derive.Record, error) {
	if path == "-" {
		return nil, nil
	}
	for _, beside := range []string{path + ".json", path + ".jsonl", recordsBeside(path)} {
		if info, err := os.Stat(beside); err == nil && !info.Mode().IsRegular() {
			continue // a pipe or a device may have no end
		}
		file, err := os.Open(beside)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", beside, outfile.Plain(err))
		}
		rec, err := findRecord(beside, file, text)
		file.Close()
		if err != nil || rec != nil {
			return []*derive.Record{rec}, err
		}
	}
	return nil, nil
}

// findRecord returns the record with the text, nil if there is none.
func findRecord(name string, file io.Reader, text []byte) (*derive.Record, error) {
	for rec, err := range derive.ReadRecords(name, file) {
		if err != nil || bytes.Equal(rec.Text, text) {
			return rec, err
		}
	}
	return nil, nil
}

// parseText parses a text. Line breaks at its end are left out if the grammar has
// none there.
func parseText(ctx context.Context, p *parse.Parser, path string, text []byte) (*parse.Forest, error) {
	forest, err := p.Parse(ctx, path, string(text))
	if short := bytes.TrimRight(text, "\r\n"); len(short) < len(text) && errors.As(err, new(*parse.Error)) {
		if again, err := p.Parse(ctx, path, string(short)); err == nil {
			return again, nil
		}
	}
	return forest, err
}

// refused gives the error of a text that is not a sentence exit code 1.
func refused(path string, err error) error {
	if errors.As(err, new(*parse.Error)) {
		return no("%s is not a sentence of the grammar: %v", path, err)
	}
	return err
}
