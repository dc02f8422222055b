package companion

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/ebnf"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Extension is the suffix that a companion's file name adds to the grammar's.
const Extension = ".gramfuzz"

// Companion is the content of a companion file. Apply does not change it. But its rules become part
// of the grammar, so it must be applied only once.
type Companion struct {
	rules      []*syntax.Rule
	directives []directive
}

// directive is one line that begins with %.
type directive struct {
	verb  word
	words []word // names, numbers
	notes []grammar.Annotation
}

// word is a part of a directive with its position.
type word struct {
	text string
	pos  grammar.Pos
}

// verbs has the minimum and maximum number of words of each directive (0: no maximum), and its
// usage.
var verbs = map[string]struct {
	least, most int
	usage       string
}{
	"start":    {1, 1, "%start NAME"},
	"token":    {1, 0, "%token NAME NAME"},
	"skip":     {1, 0, "%skip NAME NAME"},
	"fragment": {1, 0, "%fragment NAME NAME"},
	"rule":     {1, 0, "%rule NAME NAME"},
	"drop":     {1, 0, "%drop NAME NAME"},
	"lexing":   {1, 1, "%lexing context"},
	"weight":   {2, 0, "%weight NAME 3 1 1"},
	"annotate": {1, 1, "%annotate RULE:REF @define(var)"},
}

var (
	directiveLine = regexp.MustCompile(`(?m)^[ \t]*%[A-Za-z].*$`)
	wordShape     = regexp.MustCompile(`^(?:[^\s<>@#:]|<[^>\n]*>|:|#\d+)+`)
	noteShape     = regexp.MustCompile(`^@([A-Za-z_][\w-]*)(?:\(([^()\n]*)\))?`)
)

// Parse reads a companion file. name is the file's name in positions. Every mistake is reported.
func Parse(name string, src []byte) (*Companion, grammar.Diagnostics) {
	c := &Companion{}
	text := strings.TrimPrefix(string(src), "\ufeff")
	var ds grammar.Diagnostics
	// Directives are replaced by blanks, so that the rules keep their positions.
	rules := directiveLine.ReplaceAllStringFunc(text, func(l string) string { return strings.Repeat(" ", len(l)) })
	for i, line := range strings.Split(text, "\n") {
		if !directiveLine.MatchString(line) {
			continue
		}
		d, bad := scan(name, i+1, strings.TrimRight(line, "\r"))
		if bad == nil {
			bad = d.check()
		}
		if bad != nil {
			ds = append(ds, *bad)
			continue
		}
		c.directives = append(c.directives, d)
	}
	g, more := ebnf.Parse(name, []byte(rules))
	ds = append(ds, more...)
	c.rules = g.Rules
	ds.Sort()
	return c, ds
}

// scan cuts a directive into words and annotations.
func scan(file string, line int, text string) (directive, *grammar.Diagnostic) {
	var d directive
	at := 0
	pos := func() grammar.Pos {
		return grammar.Pos{File: file, Line: line, Col: utf8.RuneCountInString(text[:at]) + 1}
	}
	for {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t"))
		rest := text[at:]
		switch {
		case rest == "", rest[0] == '#', strings.HasPrefix(rest, "//"):
			return d, nil
		case rest[0] == '@':
			m := noteShape.FindStringSubmatch(rest)
			if m == nil {
				return d, fail(pos(), "write it as @name or @name(a, b)", "this is not an annotation")
			}
			d.notes = append(d.notes, grammar.Annotation{Name: m[1], Args: arguments(m[2]), Pos: pos()})
			at += len(m[0])
			continue
		}
		w := wordShape.FindString(rest)
		if w == "" {
			return d, fail(pos(), "write names, and those that are not plain words in < >", "%q does not fit into a directive", rest[:1])
		}
		if d.verb.text == "" {
			d.verb = word{w[1:], pos()}
		} else {
			d.words = append(d.words, word{w, pos()})
		}
		at += len(w)
	}
}

func arguments(text string) (args []string) {
	for _, a := range strings.Split(text, ",") {
		a = strings.Trim(strings.TrimSpace(a), `"`)
		if a != "" {
			args = append(args, a)
		}
	}
	return args
}

// check reports an unknown directive and a wrong number of words.
func (d directive) check() *grammar.Diagnostic {
	v, ok := verbs[d.verb.text]
	switch {
	case !ok:
		return fail(d.verb.pos, "the directives are %start, %token, %skip, %fragment, %rule, %drop, %lexing, %weight and %annotate",
			"unknown directive %%%s", d.verb.text)
	case len(d.words) < v.least:
		return fail(d.verb.pos, "write "+v.usage, "%%%s says too little", d.verb.text)
	case v.most > 0 && len(d.words) > v.most:
		return fail(d.words[v.most].pos, "write "+v.usage, "%%%s says too much", d.verb.text)
	case d.verb.text == "annotate" && len(d.notes) == 0:
		return fail(d.verb.pos, "write "+v.usage, "%%annotate has no annotation")
	case d.verb.text != "annotate" && len(d.notes) > 0:
		return fail(d.notes[0].Pos, "write %annotate RULE:REF @define(var)", "%%%s takes no annotation", d.verb.text)
	}
	return nil
}

func fail(pos grammar.Pos, do, what string, args ...any) *grammar.Diagnostic {
	return &grammar.Diagnostic{Severity: grammar.Error, Pos: pos, Code: "companion", Message: fmt.Sprintf(what, args...), Hint: do}
}
