package campaign

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// Finding is a kind of failure with the smallest known text that causes it. On disk it is the
// record of that text with one more field.
type Finding struct {
	Key       string       `json:"key"` // the hash of the signature
	Signature string       `json:"signature"`
	Class     target.Class `json:"class"`
	Detail    string       `json:"detail,omitempty"`
	Message   string       `json:"message,omitempty"`
	Place     string       `json:"place,omitempty"`  // as in [target.Outcome]
	Frames    []string     `json:"frames,omitempty"` // functions and their places, innermost first
	Ended     string       `json:"ended"`            // the end of the run, in words
	Stderr    string       `json:"stderr,omitempty"` // the beginning of its output
	Command   []string     `json:"command,omitempty"`
	Found     time.Time    `json:"found"`
	From      int          `json:"from"`   // the length of the first text, in bytes
	Calls     int          `json:"calls"`  // the number of runs during shrinking
	Shrunk    bool         `json:"shrunk"` // completely, or within the time limit
	Note      string       `json:"note,omitempty"`
	Program   string       `json:"program,omitempty"` // the program of the last run, see [target.Fingerprint]
	Fixed     time.Time    `json:"fixed,omitzero"`    // the time at which the program was seen not to fail any more

	// Record has the text, and its choices if it is a sentence.
	Record *derive.Record `json:"-"`
}

// maxStderr is the length of a program's output that is kept with a finding.
const maxStderr = 4 << 10

// maxFrames is the number of stack frames that are kept with a finding.
const maxFrames = 16

// newFinding describes a failure.
func (c *Campaign) newFinding(o target.Outcome, r *Ran, rec *derive.Record) *Finding {
	fd := &Finding{Command: c.o.Command, Program: c.o.Program, Found: time.Now().UTC().Truncate(time.Second), From: len(rec.Text), Record: rec}
	fd.describe(o, r)
	return fd
}

// describe copies the description of a run.
func (fd *Finding) describe(o target.Outcome, r *Ran) {
	fd.Key, fd.Signature = o.Key(), o.Signature()
	fd.Class, fd.Detail, fd.Message, fd.Place = o.Class, o.Detail, o.Message, o.Place
	fd.Frames = nil
	for _, f := range o.Frames[:min(len(o.Frames), maxFrames)] {
		fd.Frames = append(fd.Frames, f.String())
	}
	if r.Result != nil {
		fd.Ended = r.Result.String()
		said := r.Result.Stderr
		fd.Stderr = strings.ToValidUTF8(string(said[:min(len(said), maxStderr)]), "\uFFFD")
	}
}

// Append appends the finding as one line of JSON.
func (fd *Finding) Append(dst []byte) ([]byte, error) {
	more, err := json.Marshal(fd)
	if err != nil {
		return dst, err
	}
	dst = fd.Record.Append(dst)
	dst = append(dst[:len(dst)-1], `,"finding":`...)
	return append(append(dst, more...), "}\n"...), nil
}

// ParseFinding reads a line of [Finding.Append].
func ParseFinding(data []byte) (*Finding, error) {
	rec, err := derive.ParseRecord(data)
	if err != nil {
		return nil, err
	}
	var w struct {
		Finding *Finding `json:"finding"`
	}
	if err := json.Unmarshal(data, &w); err != nil {
		return nil, err
	}
	if w.Finding == nil || w.Finding.Key == "" {
		return nil, fmt.Errorf("a record, but of no finding")
	}
	w.Finding.Record = rec
	return w.Finding, nil
}

// Replay returns a shell command that runs the program on the finding's text in the file at path.
func (fd *Finding) Replay(path string) string { return replayLine(fd.Command, path) }

func replayLine(command []string, path string) string {
	if len(command) == 0 {
		return ""
	}
	words, asFile := target.WithFile(command, path)
	for i, w := range words {
		words[i] = shellWord(w)
	}
	line := strings.Join(words, " ")
	if !asFile {
		line += " < " + shellWord(path)
	}
	return line
}

// shellWord quotes a word for a shell if necessary.
func shellWord(w string) string {
	plain := func(c rune) bool {
		return c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("_-+=./:,@%", c)
	}
	if w != "" && strings.IndexFunc(w, func(c rune) bool { return !plain(c) }) < 0 {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// report returns the finding for people; path is that of its text.
func (fd *Finding) report(path string) []byte {
	var b strings.Builder
	o := target.Outcome{Class: fd.Class, Detail: fd.Detail, Message: fd.Message}
	fmt.Fprintf(&b, "%s\n\nsignature: %s\nended:     %s\nfound:     %s\n", o, fd.Signature, fd.Ended, fd.Found.Format(time.RFC3339))
	if line := fd.Replay(path); line != "" {
		fmt.Fprintf(&b, "run again: %s\n", line)
	}
	fmt.Fprintf(&b, "text:      %d bytes, %d when it was found, %d runs to shrink it\n", len(fd.Record.Text), fd.From, fd.Calls)
	if !fd.Fixed.IsZero() {
		fmt.Fprintf(&b, "fixed:     since %s, when the program had changed, this text does not make it fail\n", fd.Fixed.Format(time.RFC3339))
	}
	if (target.Outcome{Class: fd.Class, Place: fd.Place}).Unexplained() && len(fd.Frames) == 0 {
		fmt.Fprintf(&b, "note:      no stack was seen, so several bugs may be in this finding; %s\n", stackAdvice)
	}
	if fd.Note != "" {
		fmt.Fprintf(&b, "note:      %s\n", fd.Note)
	}
	fmt.Fprintf(&b, "\n%s\n", indented(strings.ToValidUTF8(string(fd.Record.Text), "\uFFFD")))
	if len(fd.Frames) > 0 {
		fmt.Fprintf(&b, "\nstack:\n%s\n", indented(strings.Join(fd.Frames, "\n")))
	}
	if fd.Stderr != "" {
		fmt.Fprintf(&b, "\nstandard error:\n%s\n", indented(fd.Stderr))
	}
	return []byte(b.String())
}

// stackAdvice names the tools that distinguish failures without a stack.
const stackAdvice = "gdb in PATH, or --sanitized with a build of the program that has a sanitizer, tells them apart"

func indented(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n    ")
}
