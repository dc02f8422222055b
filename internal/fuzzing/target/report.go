package target

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
)

// form is the pattern of one kind of failure report. Group 1 of head is the detail, if there
// is one. Further groups are named: msg is the message; file and line are the place of the
// failure. The groups of frame are named too: fn is the function; file, line and addr are the
// place; lib is a library.
type form struct {
	class  Class
	head   *regexp.Regexp
	frame  *regexp.Regexp // nil: no stack
	at     *regexp.Regexp // the line after a frame, with its file and line; nil: the frame has them
	detail string         // where the head has no group 1
	outer  bool           // the stack is printed outermost first
	before bool           // the stack stands before the head
}

const place = `(?P<file>[^\s:]\S*?):(?P<line>\d+(?::\d+)?)`

var (
	sanFrame  = regexp.MustCompile(`^\s*#\d+ (?:0x[0-9a-f]+ )?(?:in )?(?:(?P<fn>\S.*?) )?(?:\((?:\S*/)?(?P<addr>[^/\s()]+\+0x[0-9a-f]+)\)|(?P<file>/.*?|\S+?):(?P<line>\d+(?::\d+)?)(?:\s.*)?$|\(|/|<null>)`)
	gdbFrame  = regexp.MustCompile(`^#\d+\s+(?:(?P<addr>0x[0-9a-f]+) in )?(?P<fn>\S.*?) \(.*?\)(?: at (?P<file>.*):(?P<line>\d+)| from (?P<lib>\S+))?$`)
	goFrame   = regexp.MustCompile(`^(?P<fn>[\w./*()\[\]%~\-]+(?:\.[\w./*()\[\]\-]+)+|panic)\((?:[^()]*|.*)\)$`)
	goAt      = regexp.MustCompile(`^\s+(?P<file>\S.*):(?P<line>\d+)(?: \+0x[0-9a-f]+.*)?$`)
	rustFrame = regexp.MustCompile(`^\s*\d+:\s+(?:0x[0-9a-f]+ - )?(?P<fn>[\w:<>& ,{}#$]+)$`)
	rustAt    = regexp.MustCompile(`^\s+at ` + place + `$`)
	pyFrame   = regexp.MustCompile(`^\s*File "(?P<file>[^"]*)", line (?P<line>\d+), in (?P<fn>\S+)`)
	jsFrame   = regexp.MustCompile(`^\s+at (?:async )?(?:new )?(?P<fn>[^\s(]+)(?: \[as \w+\])? \((?:(?P<file>[^()]*?):(?P<line>\d+:\d+)\)|)`)
	javaFrame = regexp.MustCompile(`^\s+at (?P<fn>[\w.$<>/@-]+)\((?:(?P<file>[^():]*):(?P<line>\d+)|[^)]*)\)$`)
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
	{class: Sanitizer, frame: sanFrame, detail: undefined,
		head: regexp.MustCompile(`^` + place + `: ()runtime error: (?P<msg>.*)$`)},
	{class: Sanitizer, frame: sanFrame,
		head: regexp.MustCompile(`ERROR: libFuzzer: ([\w-]+)`)},
	{class: Sanitizer, frame: goFrame, at: goAt, detail: "data-race",
		head: regexp.MustCompile(`^WARNING: DATA RACE`)},
	{class: GoPanic, frame: goFrame, at: goAt, detail: "panic",
		head: regexp.MustCompile(`^panic: ()(?P<msg>.*?)(?: \[recovered.*\])?$`)},
	{class: GoPanic, frame: goFrame, at: goAt, detail: "fatal",
		head: regexp.MustCompile(`^fatal error: ()(?P<msg>.*)$`)},
	{class: Panic, frame: rustFrame, at: rustAt,
		head: regexp.MustCompile(`^thread '[^']*' (?:\(\d+\) )?panicked at ()(?P<msg>(?:.*, )?` + place + `.*)$`)},
	{class: Assertion, frame: sanFrame,
		head: regexp.MustCompile(`^()(?:[^:\s]+: )?(?P<msg>` + place + `: .*Assertion .* failed.*)$`)},
	{class: Assertion, frame: sanFrame, detail: "glibc",
		head: regexp.MustCompile(`^()(?P<msg>\*\*\* .* \*\*\*.*|double free or corruption.*|free\(\): .*|malloc\(\): .*|munmap_chunk\(\): .*|corrupted .*|realloc\(\): .*)$`)},
	{class: Exception, detail: "c++",
		head: regexp.MustCompile(`^terminate called after throwing an instance of '?([^']*)`)},
	{class: Exception, frame: javaFrame,
		head: regexp.MustCompile(`^Exception in thread "[^"]*" ([\w.$]+)(?:: (?P<msg>.*))?$`)},
	{class: Exception, frame: pyFrame, outer: true, before: true,
		head: regexp.MustCompile(`^([\w.]+(?:Error|Exception|Interrupt|Exit|Warning))(?:: (?P<msg>.*))?$`)},
	{class: Exception, frame: jsFrame,
		head: regexp.MustCompile(`^(?:Uncaught )?(\w*(?:Error|Exception))(?:: (?P<msg>.*))?$`)},
}

// readReport finds the first failure report in the output, standard error
// first. ok is false when there is none.
func readReport(res *Result) (o Outcome, ok bool) {
	for _, text := range [][]byte{res.Stderr, res.Stdout} {
		lines := splitLines(text)
		for i, line := range lines {
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

func splitLines(text []byte) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(text)), "\n")
}

func (f *form) read(res *Result, lines []string, at int, m []string) Outcome {
	o := Outcome{Class: f.class, Detail: f.detail, Place: placeOf(f.head, m)}
	if len(m) > 1 && m[1] != "" && f.head.SubexpNames()[1] == "" {
		o.Detail = m[1]
	}
	msg := group(f.head, m, "msg")
	o.Message = normalize(msg, res.Scratch)
	if o.Detail == undefined {
		o.Detail = undefinedKind(msg)
	}
	if f.frame == nil {
		return o
	}
	part := lines[at+1:]
	if f.before {
		part = lines[:at]
	}
	o.Frames = readFrames(part, f, res.Scratch)
	return o
}

// undefined is the detail of a report of UndefinedBehaviorSanitizer whose kind is unknown.
const undefined = "undefined"

// undefinedEnd matches the beginning of the values and types in such a report. They differ
// between inputs with the same failure.
var undefinedEnd = regexp.MustCompile(`[:;,(]| (?:for|of|in|from|with|base) type\b| cannot be | which | is | of negative | of  by `)

// undefinedKind returns the kind of undefined behaviour named in a message.
func undefinedKind(msg string) string {
	kind := strings.TrimSpace(anyValue.ReplaceAllString(msg, ""))
	if cut := undefinedEnd.FindStringIndex(kind); cut != nil && cut[0] > 0 {
		kind = kind[:cut[0]]
	}
	if kind == "" {
		return undefined
	}
	return strings.Join(strings.Fields(kind), "-")
}

var (
	hexNumber = regexp.MustCompile(`\b0x[0-9a-fA-F]+\b`)
	anyValue  = regexp.MustCompile(`-?\b(?:0x[0-9a-fA-F]+|\d[\d.]*(?:e[+-]?\d+)?)\b|'[^']*'`)
	anyNumber = regexp.MustCompile(`\b\d+\b`)
	quoted    = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`']*['`]")
)

// maxMessage bounds a message, in bytes.
const maxMessage = 200

// normalize makes messages of the same failure equal. It replaces the scratch path, addresses,
// numbers and quoted parts, which mostly come from the input.
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

// firstMessage returns the first line of standard error that is neither empty nor an echo of
// the input.
func firstMessage(res *Result, input []byte) string {
	for line := range strings.Lines(string(res.Stderr)) {
		line = strings.TrimSpace(line)
		if line != "" && !echoes(line, input) {
			return normalize(line, res.Scratch)
		}
	}
	return ""
}

// echoes reports whether a line is a part of the input, or marks a place in it.
func echoes(line string, input []byte) bool {
	if input == nil {
		return false
	}
	if strings.IndexFunc(line, unicode.IsLetter) < 0 {
		return true
	}
	return len(line) > 3 && bytes.Contains(input, []byte(line))
}
