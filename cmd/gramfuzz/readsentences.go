package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/flagvalue"
	"github.com/gramfuzz/gramfuzz/internal/outfile"
	"github.com/gramfuzz/gramfuzz/internal/record"
	"github.com/gramfuzz/gramfuzz/parse"
)

// sentenceReader reads the texts and records that a command was given.
type sentenceReader struct {
	f       *flags
	g       *grammar.Grammar
	p       *parse.Parser
	names   *gctx.Names
	outline bool // the trees of texts may end at tokens
	refused int  // texts that are no sentences, reported on standard error
}

// addParsing adds the flags for parsing texts.
func (f *flags) addParsing() *flagvalue.Bytes {
	memory := flagvalue.Bytes(parse.DefaultMaxMemory)
	f.Var(&memory, "max-memory", "memory that parsing one text may take")
	return &memory
}

func newSentenceReader(ctx context.Context, f *flags, g *grammar.Grammar, memory flagvalue.Bytes) (*sentenceReader, error) {
	p, err := parse.New(ctx, g, parse.Options{MaxMemory: int64(memory)})
	if err != nil {
		return nil, err
	}
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		return nil, err
	}
	return &sentenceReader{f: f, g: g, p: p, names: names}, nil
}

// parse parses one text. If it is not a sentence, parse reports that and returns
// nil.
func (s *sentenceReader) parse(ctx context.Context, path string, text []byte) (*parse.Forest, error) {
	forest, err := parseText(ctx, s.p, path, text)
	var wrong *parse.Error
	if !errors.As(err, &wrong) {
		return forest, err
	}
	s.refused++
	s.f.std.refuse(wrong, text)
	return nil, nil
}

// each calls do with the tree of every sentence in the files, those in folders
// too: of a text its canonical tree, of a record its own.
func (s *sentenceReader) each(ctx context.Context, paths []string, do func(*derive.Tree)) error {
	files, err := filesIn(paths)
	if err != nil {
		return err
	}
	for _, path := range files {
		data, err := readInput(s.f.std, path)
		if err != nil {
			return err
		}
		if record.Are(data) {
			err = s.records(ctx, path, data, do)
		} else {
			err = s.text(ctx, path, data, do)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func (s *sentenceReader) text(ctx context.Context, path string, text []byte, do func(*derive.Tree)) error {
	forest, err := s.parse(ctx, path, text)
	if forest == nil {
		return err
	}
	tree, err := s.tree(ctx, path, forest)
	if err != nil || tree == nil {
		return err
	}
	do(tree)
	return nil
}

// tree returns the first tree of a text that obeys the annotations of the grammar.
// If there is none, it reports that and returns nil.
func (s *sentenceReader) tree(ctx context.Context, path string, forest *parse.Forest) (*derive.Tree, error) {
	if s.outline && s.names == nil {
		return forest.Outline(ctx)
	}
	tree, err := forest.Obeying(ctx, s.names)
	if wrong := new(gctx.NameError); errors.As(err, &wrong) {
		s.refused++
		s.f.note("%s:%v", path, wrong)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if named, err := s.names.Convert(tree); err == nil {
		return named, nil
	}
	return tree, nil // it has names beyond the pool
}

// records replays records; one whose text was changed is parsed.
func (s *sentenceReader) records(ctx context.Context, path string, data []byte, do func(*derive.Tree)) error {
	recs, err := record.ReadAll(path, data)
	if err != nil {
		return err
	}
	for _, r := range recs {
		if r.Grammar.SHA256 != "" && r.Grammar.SHA256 != s.g.SHA256 || len(r.Edits) > 0 {
			if err := s.text(ctx, path, r.Text, do); err != nil {
				return err
			}
			continue
		}
		m, err := record.Machine(s.g, r)
		if err != nil {
			return err
		}
		tree, err := m.Run(ctx, derive.Replay(r.Choices))
		if err != nil {
			return err
		}
		do(tree)
	}
	return nil
}

// answer is the result of a command: exit code 1 if some texts were no sentences.
func (s *sentenceReader) answer() error {
	if s.refused > 0 {
		return &exitError{code: exitNo}
	}
	return nil
}

// filesIn lists the files of paths and of folders; no path means standard input.
func filesIn(paths []string) ([]string, error) {
	if len(paths) == 0 {
		return []string{"-"}, nil
	}
	var out []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if path == "-" || err != nil || !info.IsDir() {
			out = append(out, path)
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, outfile.Plain(err))
		}
		for _, e := range entries {
			if e.Type().IsRegular() {
				out = append(out, filepath.Join(path, e.Name()))
			}
		}
	}
	return out, nil
}
