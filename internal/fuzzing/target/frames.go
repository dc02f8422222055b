package target

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Frame is a function on a stack.
type Frame struct {
	Func  string
	Place string // file:line or file:line:column, without folders; else the offset in the program; "" for unknown
}

// String is the function and its place.
func (f Frame) String() string { return strings.TrimSpace(f.Func + " " + f.Place) }

// HarnessMark is a part of the names of the functions that call a fuzzed Go function. From
// such a frame outwards, a stack is not the program's own.
const HarnessMark = "gramfuzz_harness"

// The frames of the runtime, the sanitizer and the C library's abort are in every stack, so
// they are left out. noise matches the beginning of a name, noiseNames the whole name.
var noise = []string{
	"fuzzer::", "operator new", "operator delete",
	"runtime.", "testing.tRunner", "created by ", "syscall.",
	"std::panicking", "core::panicking", "std::rt", "std::sys", "core::ops::function",
	"node:internal", "Module._", "Object.Module", "Function.execute", "java.lang.reflect",
}

var noiseNames = []string{
	"_start", "raise", "abort", "gsignal", "pthread_kill", "rust_begin_unwind",
	"malloc", "free", "calloc", "realloc",
}

// nativeNoise matches the C library and the runtime of C++: reserved names, and the names of
// functions that fail because of bad arguments.
var nativeNoise = regexp.MustCompile(`^(?:__\w*|_(?:IO|int|dl)_\w*|std::.*|malloc_\w+|munmap_chunk|unlink_chunk\w*|tcache_\w+|sysmalloc\w*|` +
	`mem(?:cpy|move|set|cmp|chr|rchr|ccpy|mem)|str(?:n?cpy|n?cat|n?cmp|n?len|n?casecmp|r?chr|n?dup|str|tok|tok_r|spn|cspn|pbrk|to[lfdq]\w*)|ato[ifl]+|` +
	`w(?:cs|mem)\w+|v?[fs]?n?w?printf|f?puts|fwrite|fread|f?gets|fgetc|v?[fs]?scanf|qsort(?:_r)?|bsearch|memalign|posix_memalign|fclose|fflush)$`)

// systemLib matches the libraries of the C and C++ runtimes.
var systemLib = regexp.MustCompile(`/(?:libc|libstdc\+\+|libgcc_s|ld-linux[\w-]*|libpthread|libm|lib[atu][sb]?san)[.-]`)

// readFrames parses one stack, up to the first empty line after a frame that is kept. On a
// stack overflow, Go prints the runtime's own stack first. Functions in the scratch folder
// belong to the input, not to the program, and are left out.
func readFrames(lines []string, f *form, scratch string) []Frame {
	var frames []Frame
	for i, line := range lines {
		if strings.TrimSpace(line) == "" && len(frames) > 0 && !f.before {
			break
		}
		m := f.frame.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := group(f.frame, m, "fn")
		if strings.Contains(name, HarnessMark) {
			break
		}
		if name == "panic" && f.at != nil {
			frames = frames[:0] // the frames inside it are the panic's own calls
			continue
		}
		where := m
		re := f.frame
		if f.at != nil && i+1 < len(lines) {
			where, re = f.at.FindStringSubmatch(lines[i+1]), f.at
		}
		if scratch != "" && strings.HasPrefix(group(re, where, "file"), scratch) {
			continue
		}
		fr := Frame{Func: cleanFrame(name, f.native()), Place: placeOf(re, where)}
		switch addr := group(f.frame, m, "addr"); {
		case addr == "" || fr.Place != "":
		case name == "" || name == "??":
			fr = Frame{Func: addr} // no symbols
		default:
			fr.Place = addr
		}
		if fr.Func == "" || systemLib.MatchString(group(f.frame, m, "lib")) {
			continue
		}
		if f.outer || len(frames) < maxRead {
			frames = append(frames, fr)
		}
	}
	if f.outer {
		slices.Reverse(frames)
		frames = frames[:min(len(frames), maxRead)]
	}
	return frames
}

func (f *form) native() bool { return f.frame == sanFrame || f.frame == gdbFrame }

// group returns a named group of a match, "" if there is none.
func group(re *regexp.Regexp, m []string, name string) string {
	if i := re.SubexpIndex(name); i >= 0 && i < len(m) {
		return m[i]
	}
	return ""
}

// placeOf returns the place in a match. It leaves out folders, because a program may be built
// in different ones.
func placeOf(re *regexp.Regexp, m []string) string {
	file, line := group(re, m, "file"), group(re, m, "line")
	if file == "" || line == "" {
		return ""
	}
	return filepath.Base(strings.ReplaceAll(file, `\`, "/")) + ":" + line
}

func hasFrame(lines []string, frame *regexp.Regexp) bool {
	for _, l := range lines {
		if frame.MatchString(l) {
			return true
		}
	}
	return false
}

// cleanFrame removes the arguments from a function's name; it returns "" for noise.
func cleanFrame(name string, native bool) string {
	name = strings.TrimSpace(name)
	for _, n := range noise {
		if strings.HasPrefix(name, n) {
			return ""
		}
	}
	if i := strings.IndexByte(name, '('); i > 0 && !strings.HasPrefix(name[i:], "(*") && !strings.Contains(name, "(anonymous") {
		name = name[:i]
	}
	if slices.Contains(noiseNames, name) || native && nativeNoise.MatchString(name) {
		return ""
	}
	if i := strings.Index(name, "::h"); i > 0 && len(name)-i == 19 {
		name = name[:i] // Rust's hash
	}
	return name
}

// reporter matches the names of functions that only report a failure of their caller.
var reporter = regexp.MustCompile(`(?:^|[./:)])_*x?(?i:must|assert|check|panic|bug|fail(?:ed|ure)?|fatal|die|abort|err(?:or)?|throw|raise|invariant|unreachable|expect|ensure|require|bail|crash|oops|ice)(?:f|ln|[A-Z_]\w*)?$`)

// lent matches functions of the libraries of Go and Java, which fail because of their caller's
// arguments.
var lent = regexp.MustCompile(`^(?:java\.base/.*|strings|bytes|strconv|slices|maps|sort|reflect|sync|math|math/\w+|unicode|unicode/\w+|container/\w+|fmt|errors|io|os|bufio|time|regexp|internal/\w+)\.`)

// failing returns the index of the frame to blame: the innermost that is not a function of
// such a library. If the program ended by itself, functions that only report are skipped too.
func failing(frames []Frame, itself bool) int {
	for i, f := range frames {
		if lent.MatchString(f.Func) || itself && reporter.MatchString(f.Func) {
			continue
		}
		return i
	}
	return 0
}

// The bounds of an endless recursion: the least length of the stack, and the least number of
// occurrences of a function.
const (
	recursionFrames = 48
	recursionTimes  = 3
)

// recursion returns the function that calls itself if a stack is an endless recursion, else
// "". Of several functions, it returns the least by name, because the innermost is random.
func recursion(frames []Frame) string {
	times := map[string]int{}
	for _, f := range frames {
		times[f.Func]++
	}
	least := ""
	for f, n := range times {
		if n < recursionTimes {
			continue
		}
		if least == "" || f < least {
			least = f
		}
	}
	return least
}
