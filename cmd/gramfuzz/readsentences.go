package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/records/sentences"
	"github.com/gramfuzz/gramfuzz/parse"
)

// sentenceReader reads the texts and records of a command's arguments, and reports texts that are
// no sentences on standard error.
type sentenceReader struct {
	*sentences.Reader
	f       *flags
	memory  words.Bytes
	refused int
}

// addParsing adds the flags for parsing texts.
func (f *flags) addParsing() *words.Bytes {
	memory := words.Bytes(parse.DefaultMaxMemory)
	f.Var(&memory, "max-memory", "the greatest memory of parsing one text")
	return &memory
}

func newSentenceReader(ctx context.Context, f *flags, g *grammar.Grammar, memory words.Bytes) (*sentenceReader, error) {
	r, err := sentences.New(ctx, g, int64(memory))
	s := &sentenceReader{Reader: r, f: f, memory: memory}
	if err == nil {
		r.Refuse = s.refuse
	}
	return s, err
}

func (s *sentenceReader) refuse(path string, text []byte, err error) {
	s.refused++
	if wrong := (*parse.Error)(nil); errors.As(err, &wrong) {
		s.f.std.refuse(wrong, text)
	} else {
		s.f.std.note("%s:%v", path, err)
	}
}

// each calls do with the tree of every sentence in the files and folders.
func (s *sentenceReader) each(ctx context.Context, paths []string, do func(*derive.Tree)) error {
	files, err := filesIn(paths)
	if err != nil {
		return err
	}
	line, read := s.f.progress("reading"), uint64(0)
	defer line.End()
	for i, path := range files {
		data, err := readParsed(s.f.std, path, s.memory)
		if err != nil {
			return err
		}
		err = s.Each(ctx, path, data, func(t *derive.Tree) {
			read++
			if len(files) > 1 {
				line.Done(uint64(i), uint64(len(files)))
			} else {
				line.Done(read, 0)
			}
			do(t)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// answer returns the result of a command: exit code 1 if some texts were no sentences.
func (s *sentenceReader) answer() error {
	if s.refused > 0 {
		return &exitError{code: exitNo}
	}
	return nil
}

// filesIn lists the files of paths and of folders; no path means standard input.
func filesIn(paths []string) ([]string, error) {
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	return sentences.Files(paths)
}
