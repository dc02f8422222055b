package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/numbers"
	"github.com/gramfuzz/gramfuzz/internal/predicate"
	"github.com/gramfuzz/gramfuzz/internal/readfile"
	"github.com/gramfuzz/gramfuzz/internal/record"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// bestFile is the file that always has the best so far.
type bestFile struct {
	std  streams
	path string // "": there is none

	// kept is the result of an earlier run of the same predicate, as long as this
	// run, which repeats the known answers, has nothing smaller.
	kept []byte
}

// openBest keeps the best of an earlier run in the file, if the cache knows that the
// predicate holds for it.
func openBest(std streams, path string, cache *reduce.FileCache) *bestFile {
	b := &bestFile{std: std, path: path}
	if cache == nil || path == "" {
		return b
	}
	text, err := readfile.Bounded(path, maxInput)
	if err != nil {
		return b
	}
	if holds, _ := cache.Get(sha256.Sum256(text)); holds {
		b.kept = text
	}
	return b
}

// put writes the best so far.
func (b *bestFile) put(text []byte) error {
	if b.path == "" || b.kept != nil && reduce.Compare(b.kept, nil, text, nil) <= 0 {
		return nil
	}
	b.kept = nil
	return writeFile(b.std, b.path, text)
}

// finish writes the result. A run that ended early keeps a smaller earlier one.
func (b *bestFile) finish(text []byte, whole bool) error {
	if b.path == "" || b.kept == nil || !whole || bytes.Equal(b.kept, text) {
		return nil
	}
	b.kept = nil
	return writeFile(b.std, b.path, text)
}

// recordOf returns the record of a reduced sentence.
func (f *reduceFlags) recordOf(in *reduceInput, found *found, text []byte, tree *derive.Tree) *derive.Record {
	rec := found.record
	rec.Gramfuzz, rec.Choices, rec.Rank, rec.Depth, rec.Size = version(), nil, "", 0, 0
	if measure, err := record.ParseMeasure(rec.Measure); err == nil && tree != nil {
		record.SetTree(&rec, tree, in.g.Facts(nil, measure))
	}
	rec.Text, rec.Edits = text, nil
	return &rec
}

// reduceStats is the output of --json with -o: versions as in a record, and the
// counters of the run.
type reduceStats struct {
	V         int                  `json:"v"`
	Gramfuzz  string               `json:"gramfuzz"`
	Algorithm string               `json:"algorithm"`
	From      int                  `json:"from"`     // bytes
	To        int                  `json:"to"`       // bytes
	Calls     int                  `json:"calls"`    // answers asked for, those ahead with -j left out
	Cached    int                  `json:"cached"`   // answers that were known
	Runs      int64                `json:"runs"`     // of the predicate, all in all
	Accepted  int                  `json:"accepted"` // steps
	TimedOut  int                  `json:"timed_out"`
	Broken    int64                `json:"broken"` // runs without an answer, taken for no
	Flaky     int                  `json:"flaky"`
	Stopped   bool                 `json:"stopped"`   // before the fixed point
	LostTree  bool                 `json:"lost_tree"` // the input could not be reduced as a tree
	Seconds   float64              `json:"seconds"`
	Passes    []reduce.PassStats   `json:"passes"`
	Certified []reduce.Certificate `json:"certified,omitempty"`
	Record    json.RawMessage      `json:"record,omitempty"` // of the result, where there is a grammar
}

// result prints the result on standard output.
func (f *reduceFlags) result(in *reduceInput, found *found, r *reduce.Result, ask *predicate.Caller, took time.Duration) error {
	var record []byte
	if in.g != nil {
		record = f.recordOf(in, found, r.Text, r.Tree).Append(nil)
	}
	switch {
	case f.json && f.out == "":
		return f.print(append(record, '\n'))
	case f.out == "":
		return f.print(r.Text)
	case !f.json:
		return nil
	}
	s := r.Stats
	out := reduceStats{
		V: derive.RecordVersion, Gramfuzz: version(), Algorithm: f.algorithm, From: s.From, To: s.To, Calls: s.Calls, Cached: s.Cached,
		Runs: ask.Counts().Calls, Accepted: s.Accepted, TimedOut: s.TimedOut, Broken: ask.Counts().Broken, Flaky: s.Flaky,
		Stopped: s.Stopped, LostTree: s.LostTree, Seconds: took.Seconds(),
		Passes: s.Passes, Certified: s.Certified, Record: record,
	}
	line, err := json.Marshal(out)
	return errors.Join(err, f.print(append(line, '\n')))
}

// print writes the result to standard output. On a terminal a line break follows
// a text that has none; a file gets the text as it is.
func (f *reduceFlags) print(out []byte) error {
	if file, ok := f.std.out.(*os.File); ok && term.IsTerminal(int(file.Fd())) && !strings.HasSuffix(string(out), "\n") {
		out = append(out, '\n')
	}
	return f.std.print(out)
}

// report prints the counters of the run on standard error.
func (f *reduceFlags) report(r *reduce.Result, ask *predicate.Caller, best *bestFile, took time.Duration) {
	s := r.Stats
	msg := fmt.Sprintf("%s to %d, %s, %v", numbers.Plural(s.From, "byte"), s.To, numbers.Plural(ask.Counts().Calls, "call"), took.Round(time.Millisecond))
	if f.known > 0 {
		msg += fmt.Sprintf("; %s known from %s", numbers.Plural(f.known, "answer"), f.pred.cache)
	}
	if n := ask.Counts().Late; n > 0 {
		msg += fmt.Sprintf("; %s took too long and counted as no", numbers.Plural(n, "candidate"))
	}
	if n := ask.Counts().Broken; n > 0 {
		msg += fmt.Sprintf("; %s had no answer (exit code 126 or 127, or a signal) and counted as no", numbers.Plural(n, "candidate"))
	}
	if s.Flaky > 0 {
		msg += fmt.Sprintf("; the predicate is flaky: %s did not hold when asked again", numbers.Plural(s.Flaky, "step"))
	}
	if s.LostTree {
		msg += "; what the grammar says the input is does not have the property, so it was reduced as a text"
	}
	if s.Stopped {
		msg += "; stopped early, it may get smaller"
	}
	if best.kept != nil && len(best.kept) < s.To {
		msg += fmt.Sprintf("; %s keeps the %s of an earlier run", best.path, numbers.Plural(len(best.kept), "byte"))
	}
	f.note("%s", msg)
	for _, c := range s.Certified {
		if place := ""; f.certify > 0 && c.Tried > 0 {
			if c.Rule != "" {
				place = fmt.Sprintf(" of %s %q", c.Rule, c.Text)
			}
			f.note("  none of %d has the property: %s%s", c.Tried, c.Claim, place)
		}
	}
	if f.verbose {
		for _, p := range s.Passes {
			f.note("  %s: %d tries, %d calls, %d accepted, %d bytes", p.Name, p.Tries, p.Calls, p.Accepted, p.Bytes)
		}
	}
}
