package target

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A form recognises one kind of failure report: head matches its first line,
// with the detail as group 1 (if any) and the message as group 2 (if any);
// frame matches a line of its stack with the function as group 1.
type form struct {
	class  Class
	head   *regexp.Regexp
	frame  *regexp.Regexp // nil: no stack
	detail string         // where the head has no group 1
	outer  bool           // the stack is printed outermost first
	before bool           // the stack stands before the head
}

var (
	sanFrame  = regexp.MustCompile(`^\s*#\d+ 0x[0-9a-f]+ (?:in (.+?) (?:\S+:\d+(?::\d+)?$|\(|/)|\()`)
	goFrame   = regexp.MustCompile(`^([\w./*()\[\]%~\-]+(?:\.[\w./*()\[\]\-]+)+)\((?:[^()]*|.*)\)$`)
	rustFrame = regexp.MustCompile(`^\s*\d+:\s+(?:0x[0-9a-f]+ - )?([\w:<>& ,{}#$]+)$`)
	pyFrame   = regexp.MustCompile(`^\s*File "[^"]*", line \d+, in (\S+)`)
	jsFrame   = regexp.MustCompile(`^\s+at (?:async )?(?:new )?([^\s(]+)(?: \[as \w+\])? \(`)
	javaFrame = regexp.MustCompile(`^\s+at ([\w.$<>/@-]+)\([^)]*\)$`)
)

// forms are tried in order on every line; the first that matches wins.
var forms = []form{
	{class: Sanitizer, frame: sanFrame, detail: "leak",
		head: regexp.MustCompile(`ERROR: LeakSanitizer: detected memory leaks`)},
	{class: Sanitizer, frame: sanFrame,
		head: regexp.MustCompile(`ERROR: \w*Sanitizer: (?:attempting )?([\w-]+)`)},
	{class: Sanitizer, frame: sanFrame, detail: "data-race",
		head: regexp.MustCompile(`WARNING: ThreadSanitizer: data race`)},
	{class: Sanitizer, frame: sanFrame,
		head: regexp.MustCompile(`WARNING: \w*Sanitizer: ([\w-]+)`)},
	{class: Sanitizer, frame: sanFrame, detail: "undefined",
		head: regexp.MustCompile(`^\S+:\d+:\d+: ()runtime error: (.*)$`)},
	{class: Sanitizer, frame: sanFrame,
		head: regexp.MustCompile(`ERROR: libFuzzer: ([\w-]+)`)},
	{class: Sanitizer, frame: goFrame, detail: "data-race",
		head: regexp.MustCompile(`^WARNING: DATA RACE`)},
	{class: GoPanic, frame: goFrame, detail: "panic",
		head: regexp.MustCompile(`^panic: ()(.*?)(?: \[recovered.*\])?$`)},
	{class: GoPanic, frame: goFrame, detail: "fatal",
		head: regexp.MustCompile(`^fatal error: ()(.*)$`)},
	{class: Panic, frame: rustFrame,
		head: regexp.MustCompile(`^thread '[^']*' (?:\(\d+\) )?panicked at ()(.*)$`)},
	{class: Assertion, frame: sanFrame,
		head: regexp.MustCompile(`^()(?:[^:\s]+: )?([^:\s]+:\d+: .*Assertion .* failed.*)$`)},
	{class: Assertion, frame: sanFrame, detail: "glibc",
		head: regexp.MustCompile(`^()(\*\*\* .* \*\*\*.*|double free or corruption.*|free\(\): .*|malloc\(\): .*|munmap_chunk\(\): .*|corrupted .*|realloc\(\): .*)$`)},
	{class: Exception, detail: "c++",
		head: regexp.MustCompile(`^terminate called after throwing an instance of ()(.*)$`)},
	{class: Exception, frame: javaFrame,
		head: regexp.MustCompile(`^Exception in thread "[^"]*" ([\w.$]+)(?:: (.*))?$`)},
	{class: Exception, frame: pyFrame, outer: true, before: true,
		head: regexp.MustCompile(`^([\w.]+(?:Error|Exception|Interrupt|Exit|Warning))(?:: (.*))?$`)},
	{class: Exception, frame: jsFrame,
		head: regexp.MustCompile(`^(?:Uncaught )?(\w*(?:Error|Exception))(?:: (.*))?$`)},
}

// Every failure's stack has the frames of runtime, sanitizer and libc's way to
// abort; they are left out: noise by a frame's beginning, noiseNames by the
// whole name.
var noise = []string{
	"__asan", "__ubsan", "__msan", "__tsan", "__lsan", "__sanitizer", "__interceptor", "___interceptor",
	"__GI_", "__libc_", "__assert", "__pthread_kill", "fuzzer::", "operator new", "operator delete",
	"runtime.", "testing.tRunner", "created by ", "syscall.",
	"std::panicking", "core::panicking", "std::rt", "std::sys", "core::ops::function",
	"node:internal", "Module._", "Object.Module", "Function.execute", "java.lang.reflect",
}

var noiseNames = []string{
	"_start", "raise", "abort", "gsignal", "pthread_kill", "rust_begin_unwind",
	"malloc", "free", "calloc", "realloc",
}

// HarnessMark is in the names of what calls a Go function that is fuzzed: from
// there on outwards a stack is not the program's own.
const HarnessMark = "gramfuzz_harness"

// readReport finds the first failure report in the output, standard error
// first. ok is false when there is none.
func readReport(res *Result) (o Outcome, ok bool) {
	for _, text := range [][]byte{res.Stderr, res.Stdout} {
		lines := strings.Split(string(text), "\n")
		for i, line := range lines {
			line = strings.TrimSuffix(line, "\r")
			for f := range forms {
				m := forms[f].head.FindStringSubmatch(line)
				if m == nil || forms[f].before && !hasFrame(lines[:i], forms[f].frame) {
					continue
				}
				return forms[f].read(res, lines, i, m), true
			}
		}
	}
	return Outcome{}, false
}

func (f *form) read(res *Result, lines []string, at int, m []string) Outcome {
	o := Outcome{Class: f.class, Detail: f.detail}
	if len(m) > 1 && m[1] != "" {
		o.Detail = m[1]
	}
	if len(m) > 2 {
		o.Message = normalize(m[2], res.Scratch)
	}
	if f.frame == nil {
		return o
	}
	part := lines[at+1:]
	if f.before {
		part = lines[:at]
	}
	o.Frames = readFrames(part, f)
	return o
}

// readFrames reads one stack: it ends at the first empty line after a frame that
// counts. Go prints the runtime's own stack first when it overflows.
func readFrames(lines []string, f *form) []string {
	var frames []string
	for _, line := range lines {
		line = strings.TrimSuffix(line, "\r")
		if strings.TrimSpace(line) == "" && len(frames) > 0 && !f.before {
			break
		}
		m := f.frame.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if strings.Contains(m[1], HarnessMark) {
			break
		}
		if name := cleanFrame(m[1]); name != "" && (f.outer || len(frames) < MaxFrames) {
			frames = append(frames, name)
		}
	}
	if f.outer {
		for i, j := 0, len(frames)-1; i < j; i, j = i+1, j-1 {
			frames[i], frames[j] = frames[j], frames[i]
		}
		frames = frames[:min(len(frames), MaxFrames)]
	}
	return frames
}

func hasFrame(lines []string, frame *regexp.Regexp) bool {
	for _, l := range lines {
		if frame.MatchString(l) {
			return true
		}
	}
	return false
}

// cleanFrame takes the arguments off a function's name; "" for noise.
func cleanFrame(name string) string {
	name = strings.TrimSpace(name)
	for _, n := range noise {
		if strings.HasPrefix(name, n) {
			return ""
		}
	}
	if slices.Contains(noiseNames, name) {
		return ""
	}
	if i := strings.IndexByte(name, '('); i > 0 && !strings.HasPrefix(name[i:], "(*") && !strings.Contains(name, "(anonymous") {
		name = name[:i]
	}
	if i := strings.Index(name, "::h"); i > 0 && len(name)-i == 19 {
		name = name[:i] // Rust's hash
	}
	return name
}

var (
	hexNumber = regexp.MustCompile(`\b0x[0-9a-fA-F]+\b`)
	anyNumber = regexp.MustCompile(`\b\d+\b`)
	quoted    = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`']*['`]")
)

// maxMessage bounds a message, in bytes.
const maxMessage = 200

// normalize makes messages of the same failure equal: scratch path, addresses,
// numbers and quoted parts, which mostly come from the input, are replaced.
func normalize(msg, scratch string) string {
	if scratch != "" {
		msg = strings.ReplaceAll(msg, scratch, "DIR")
	}
	msg = quoted.ReplaceAllString(msg, "Q")
	msg = hexNumber.ReplaceAllString(msg, "N")
	msg = anyNumber.ReplaceAllString(msg, "N")
	msg = strings.Join(strings.Fields(msg), " ")
	return strings.ToValidUTF8(msg[:min(len(msg), maxMessage)], "")
}

// firstMessage is the first line of standard error that is not empty, nor an
// echo of the input with its marks.
func firstMessage(res *Result, input []byte) string {
	for line := range strings.Lines(string(res.Stderr)) {
		if line = strings.TrimSpace(line); line != "" && !echoes(line, input) {
			return normalize(line, res.Scratch)
		}
	}
	return ""
}

// echoes says whether a line is a part of the input, or marks a place in one.
func echoes(line string, input []byte) bool {
	if input == nil {
		return false
	}
	if strings.IndexFunc(line, unicode.IsLetter) < 0 {
		return true
	}
	return len(line) > 3 && bytes.Contains(input, []byte(line))
}
