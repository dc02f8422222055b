package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"sync/atomic"

	"golang.org/x/term"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/lexical/show"
	"github.com/gramfuzz/gramfuzz/internal/ui/screen"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// streams are the input and output of a command.
type streams struct {
	in   io.Reader
	out  io.Writer
	err  io.Writer
	tidy *files.Tidy // unfinished files, removed when the program leaves early

	show  *show.Printer // prints diagnostics, with lines of the files read
	taken *string       // the part of the command that reads standard input; "" for none

	line      *atomic.Pointer[show.Line]     // the current line of progress
	help      func(*flags)                   // gets the flags of a command instead of printing its help; nil: prints it
	screen    *atomic.Pointer[screen.Screen] // the screen on the terminal; nil: none
	interrupt func()                         // does what Ctrl-C does

	api *api             // the client's other requests; nil on a command line
	ask reduce.Predicate // the predicate of a client; nil: that of the flags

	limitMemory func(bytes int64) // collects garbage more often near a limit; nil in tests
}

func newStreams(in io.Reader, out, err io.Writer) streams {
	color := onTerminal(err) && os.Getenv("NO_COLOR") == ""
	return streams{in: in, out: out, err: err, tidy: new(files.Tidy), taken: new(string), screen: new(atomic.Pointer[screen.Screen]), line: new(atomic.Pointer[show.Line]),
		show: &show.Printer{Out: err, Color: color, Sources: make(map[string][]byte)}}
}

// onTerminal reports whether w is a terminal with escape sequences.
func onTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(file.Fd()))
}

// print writes a result to standard output.
func (s streams) print(result []byte) error {
	if _, err := s.out.Write(result); err != nil {
		return files.WriteError("", err)
	}
	return nil
}

// printJSON prints a result as one JSON object on a line.
func (s streams) printJSON(result any) error {
	v := reflect.New(reflect.TypeOf(result)).Elem()
	v.Set(reflect.ValueOf(result))
	fillLists(v)
	data, err := json.Marshal(v.Interface())
	if err != nil {
		return err
	}
	return s.print(append(data, '\n'))
}

// fillLists makes the lists without elements in a result lists, so that JSON has [] and not null.
func fillLists(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fillLists(v.Elem())
		}
	case reflect.Slice:
		if v.IsNil() && v.CanSet() && v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			fillLists(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fillLists(v.Field(i))
			}
		}
	}
}

// note prints a message on standard error as one line.
func (s streams) note(format string, a ...any) {
	s.line.Load().Clear()
	fmt.Fprintf(s.err, "gramfuzz: %s\n", words.QuoteCut(words.Quote(fmt.Sprintf(format, a...))))
}

// maxShown bounds the printed diagnostics of one file.
const maxShown = 200

// diagnose prints diagnostics, each with its source line. Of very many it prints the first.
func (s streams) diagnose(ds ...grammar.Diagnostic) {
	s.line.Load().Clear()
	for i, d := range ds {
		if i == maxShown {
			s.note("%d more messages like these are left out", len(ds)-i)
			return
		}
		s.show.Print(d)
	}
}

// refuse prints why a text is no sentence, with its line.
func (s streams) refuse(e *parse.Error, text []byte) {
	s.line.Load().Clear()
	p := show.Printer{Out: s.err, Color: s.show.Color, Sources: map[string][]byte{e.Pos.File: text}}
	p.Print(grammar.Diagnostic{Severity: grammar.Error, Pos: e.Pos, Message: strings.TrimPrefix(e.Error(), e.Pos.String()+": ")})
}

// read keeps a file for diagnostics.
func (s streams) read(name string, src []byte) { s.show.Sources[name] = src }

// input returns standard input for one part of a command, named as in messages. Only one part can
// have it.
func (s streams) input(part string) (io.Reader, error) {
	if *s.taken != "" {
		return nil, fmt.Errorf("standard input is %s already; name a file for %s", *s.taken, part)
	}
	*s.taken = part
	return s.in, nil
}

// progress returns a line that shows a kind of work. It shows nothing with -q, or if
// standard error is no terminal.
func (f *flags) progress(work string) *show.Line {
	if f.quiet || !onTerminal(f.std.err) {
		return show.NewLine(nil, work)
	}
	line := show.NewLine(f.std.err, work)
	f.std.line.Store(line)
	return line
}

// progressBeside is progress for work whose results may be printed meanwhile: it shows nothing if
// they go to a terminal.
func (f *flags) progressBeside(work string, printed bool) *show.Line {
	if printed && onTerminal(f.std.out) {
		return show.NewLine(nil, work)
	}
	return f.progress(work)
}
