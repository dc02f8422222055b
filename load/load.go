package load

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/load/internal/bind"
	"github.com/gramfuzz/gramfuzz/load/internal/companion"
	"github.com/gramfuzz/gramfuzz/load/internal/computed"
	"github.com/gramfuzz/gramfuzz/load/internal/iso"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// maxFile bounds the size of a grammar file, in bytes.
const maxFile = 64 << 20

// Options are the options of loading; the zero value is valid.
type Options struct {
	Notation string // one of [Notations], or g4 or json; "" detects it
	Start    string // the start rule; "" is the grammar's own

	// Unicode lets classes generate all their characters. Without it, a class with characters
	// in ASCII generates only these. A negated class then generates printable ASCII and the
	// characters that the grammar names.
	Unicode bool

	// Case is the letter case of generated words that the grammar accepts in either case, such
	// as [sS] [eE] [tT] or under ANTLR's caseInsensitive: as-is (as written in the grammar),
	// lower, upper, or mixed (letter by letter). "" is as-is. Counts are those of the generated
	// texts; parsing accepts every case.
	Case string

	// Companion is the content of a companion file (package companion). If it is nil, [File]
	// reads the one beside the grammar.
	Companion []byte

	// Shipped returns the source of a shipped grammar by its name, in the native notation; nil
	// if there are none.
	Shipped func(name string) ([]byte, bool)

	ShippedNames []string // names of the shipped grammars, for suggestions

	// Annotations are the names of further annotations, for custom hooks. All others except
	// those of package context are errors.
	Annotations []string

	// Read is called with the content of each file read, and its name in messages. It may be
	// nil.
	Read func(name string, src []byte)
}

// check rejects unknown values.
func (o Options) check() error {
	if o.Case != "" && !slices.Contains(grammar.Cases(), o.Case) {
		return fmt.Errorf("unknown case %q; %s", o.Case, words.DidYouMean(o.Case, grammar.Cases()))
	}
	return nil
}

// told passes the content of a file to Read.
func (o Options) told(name string, src []byte) {
	if o.Read != nil {
		o.Read(name, src)
	}
}

// File loads the grammar in the file at path. If there is no such file, it loads the shipped
// grammar of the path's base name: "json", "x/json.ebnf". The name of a shipped grammar also stands
// for that if the path of this name is no grammar, such as a folder of results, with a note of code "shadowed";
// "./json" is always the path. It finds the lexer and the imports
// beside an ANTLR grammar; path may also be a folder with such a grammar. The companion file
// path.gramfuzz, if there is one, adds what the notation cannot express.
//
// It returns all diagnostics, including notes and warnings, sorted by position. The error is
// not nil if no grammar can be used: the file cannot be read, or the diagnostics include
// errors, which are then the error.
func File(path string, o Options) (*grammar.Grammar, grammar.Diagnostics, error) {
	o.Notation = canonical(o.Notation)
	if err := o.check(); err != nil {
		return nil, nil, err
	}
	g, ds, err := file(path, o)
	if err == nil || o.Shipped == nil {
		return g, ds, err
	}
	if _, ok := o.Shipped(path); !ok {
		return g, ds, err
	}
	if _, missing := os.Lstat(path); errors.Is(missing, fs.ErrNotExist) {
		return g, ds, err
	}
	g, more, shippedErr := loadShipped(path, o)
	if shippedErr != nil {
		return nil, ds, err
	}
	why, _, _ := strings.Cut(err.Error(), ";")
	return g, append(more, grammar.Diagnostic{Severity: grammar.Note, Code: "shadowed",
		Message: fmt.Sprintf("%s is the grammar that ships, since the path is none (%s)", path, why), Hint: fmt.Sprintf("./%s means the path", path)}), nil
}

// file is File without shipped grammars of the names of paths that are no grammars.
func file(path string, o Options) (*grammar.Grammar, grammar.Diagnostics, error) {
	if o.Companion == nil {
		more, err := files.Read(companionName(path), maxFile)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		o.Companion = more
	}
	if isFolder(path) && (o.Notation == "" || o.Notation == "antlr4") && !isPackage(path) {
		return antlr(path, o)
	}
	src, shown, err := grammarIn(path)
	if err == nil {
		return source(shown, src, o, shown == path)
	}
	if errors.Is(err, errNoPackage) {
		src, err = files.Read(path, maxFile)
	}
	if err == nil {
		return source(path, src, o, true)
	}
	if name := baseName(path); errors.Is(err, fs.ErrNotExist) && o.Shipped != nil {
		if _, ok := o.Shipped(name); ok {
			return loadShipped(name, o)
		}
		hint := "check the path"
		if near := words.Nearest(name, o.ShippedNames); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		return nil, nil, fmt.Errorf("%s: no such file, and no grammar %q ships with gramfuzz; %s", path, name, hint)
	}
	return nil, nil, err
}

// loadShipped loads a shipped grammar by its name.
func loadShipped(name string, o Options) (*grammar.Grammar, grammar.Diagnostics, error) {
	src, _ := o.Shipped(name)
	if _, err := choose(name, src, cmp.Or(o.Notation, "ebnf")); err != nil {
		return nil, nil, err
	}
	o.Notation = "ebnf"
	return Source(name+".ebnf", src, o)
}

// Source loads the grammar with the content src. The name stands for the file in messages, and
// its extension determines the notation unless o does. The results are those of [File].
func Source(name string, src []byte, o Options) (*grammar.Grammar, grammar.Diagnostics, error) {
	if err := o.check(); err != nil {
		return nil, nil, err
	}
	return source(name, src, o, false)
}

// source is Source; beside reports that name is a path, beside which there may be more files of
// the grammar.
func source(name string, src []byte, o Options, beside bool) (*grammar.Grammar, grammar.Diagnostics, error) {
	o.told(name, src)
	if o.Notation == "" {
		if d := unread(name, src); d != nil {
			return nil, grammar.Diagnostics{*d}, grammar.Diagnostics{*d}
		}
	}
	n, err := choose(name, src, o.Notation)
	if err != nil {
		return nil, nil, err
	}
	if beside && n.name == "antlr4" {
		return antlr(name, o)
	}
	read, ds := n.parse(name, src)
	if beside && n.name == "lark" {
		read, ds = larkBeside(name, o)
	}
	if ds.Err() != nil {
		ds = append(ds, undefined(read, src)...)
		ds.Sort()
		ds = guessed(ds, name, n.name, o)
		return nil, ds, ds.Err()
	}
	if o.Notation == "" && n.name == "iso" && !bytes.Contains(src, []byte(",")) && bytes.Contains(src, []byte("{")) {
		read.Ignored = append(read.Ignored, grammar.Diagnostic{Severity: grammar.Note, Pos: read.Rules[0].Pos, Code: "notation",
			Message: "the file is read as ISO 14977, for its { }", Hint: "in the native notation write ( … )* for any number of times; --format chooses"})
	}
	if read.SHA256 == "" {
		sum := sha256.Sum256(src)
		read.SHA256 = hex.EncodeToString(sum[:])
	}
	read.Name, read.Notation = baseName(name), n.name
	g, ds, err := complete(name, read, ds, o)
	if err != nil {
		ds = guessed(ds, name, n.name, o)
		if o.Notation == "" && n.name == "ebnf" {
			ds = orISO(ds, read, name, src)
		}
		err = ds.Err()
	}
	return g, ds, err
}

// String loads the grammar src in the native notation. Messages give positions as line:column.
// The annotations are the user's own, as in [Options].
func String(src string, annotations ...string) (*grammar.Grammar, error) {
	g, _, err := Source("", []byte(src), Options{Notation: "ebnf", Annotations: annotations})
	return g, err
}

// MustString is [String] for package variables and tests: it panics if src is not a valid
// grammar.
func MustString(src string, annotations ...string) *grammar.Grammar {
	g, err := String(src, annotations...)
	if err != nil {
		panic(err)
	}
	return g
}

// maxSecondLook is the greatest size, in bytes, of a file that is read a second time for a
// hint.
const maxSecondLook = 256 << 10

// orISO extends the message about the first undefined rule of a file that was detected as
// native. It does so if ISO 14977 fits as well and joins that name with other undefined names
// into one.
func orISO(ds grammar.Diagnostics, read *syntax.Grammar, name string, src []byte) grammar.Diagnostics {
	at := slices.IndexFunc(ds, func(d grammar.Diagnostic) bool { return d.Severity == grammar.Error && d.Code == "undefined-rule" })
	if at < 0 || len(src) > maxSecondLook {
		return ds
	}
	other, bad := iso.Parse(name, src)
	if bad.Err() != nil {
		return ds
	}
	defined := make(map[string]bool, len(read.Rules))
	for _, r := range read.Rules {
		defined[r.Name] = true
	}
	joins := false
	other.EachRef(func(e *syntax.Expr) {
		words := strings.Fields(e.Name)
		joins = joins || len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return defined[w] })
	})
	if !joins {
		return ds
	}
	ds = slices.Clone(ds)
	ds[at].Hint += "; the file fits ISO 14977 too, whose names have blanks: choose it with --format iso"
	return ds
}

// guessed extends the first error of a file whose notation was detected by its content and is
// not the native one. It names the detected notation.
func guessed(ds grammar.Diagnostics, name, notation string, o Options) grammar.Diagnostics {
	if o.Notation != "" || notation == "ebnf" || byExtension(name) == notation {
		return ds
	}
	ds = slices.Clone(ds)
	ds.Sort()
	for i := range ds {
		if d := &ds[i]; d.Severity == grammar.Error && d.Pos.File == name {
			d.Hint = strings.TrimPrefix(fmt.Sprintf("%s; the file looks like %s; if it is in another notation, name that with --format", d.Hint, notation), "; ")
			break
		}
	}
	return ds
}

// companionName returns the name of the companion of the grammar at path.
func companionName(path string) string {
	return strings.TrimRight(path, `/\`) + companion.Extension
}

// complete finishes a grammar that was read without errors from path: it applies the companion,
// binds names, resolves tokens, numbers everything and checks it.
func complete(path string, read *syntax.Grammar, ds grammar.Diagnostics, o Options) (*grammar.Grammar, grammar.Diagnostics, error) {
	if o.Companion != nil {
		o.told(companionName(path), o.Companion)
		c, more := companion.Parse(companionName(path), o.Companion)
		if more.Err() == nil {
			ds = c.Apply(read, ds)
		}
		ds = append(ds, more...)
		if ds.Err() != nil {
			ds.Sort()
			return nil, ds, ds.Err()
		}
		sum := sha256.Sum256(append([]byte(read.SHA256), o.Companion...))
		read.SHA256 = hex.EncodeToString(sum[:])
	}
	if len(read.Rules) == 0 {
		ds = append(ds, grammar.Diagnostic{Severity: grammar.Error, Pos: grammar.Pos{File: path, Line: 1, Col: 1}, Code: "empty-grammar",
			Message: "the grammar has no rules", Hint: `write at least one, as in: start = "x" ;`})
		return nil, ds, ds.Err()
	}
	printable(read)
	more := unknownAnnotations(read, o.Annotations)
	if more == nil {
		more = computed.Numbers(read)
	}
	if more == nil {
		more = computed.Bytes(read)
	}
	if more != nil {
		ds = append(ds, more...)
		ds.Sort()
		return nil, ds, ds.Err()
	}
	bound, twice := bind.Bind(read)
	fields := computed.Fields(bound)
	ds = append(ds, fields...)
	if fields.Err() != nil {
		ds.Sort()
		return nil, ds, ds.Err()
	}
	resolved, tokens := lex.Resolve(bound)
	bound.Unicode, bound.Case = o.Unicode, o.Case
	g, checks := bound.Freeze(resolved.Bodies, resolved.Helpers, words.Quote(o.Start))
	whyUnproductive(checks, tokens)
	checks = leftOut(checks, ds)
	ds = slices.Concat(ds, read.Ignored, tokens, twice, checks)
	ds.Sort()
	if err := ds.Err(); err != nil {
		return nil, ds, err
	}
	return g, ds, nil
}

// whyUnproductive adds a reason to the message about an unproductive start if it needs a token
// that can never match.
func whyUnproductive(checks, tokens grammar.Diagnostics) {
	for i := range checks {
		for _, t := range tokens {
			if d := &checks[i]; d.Code == "unproductive-start" && strings.Contains(d.Message, fmt.Sprintf(" at %v,", t.Pos)) {
				d.Hint = t.Message + "; " + t.Hint
			}
		}
	}
}

// leftOut returns the checks without warnings of rules that are not defined because a reader left them
// out, which it reported; errors say so.
func leftOut(checks, reported grammar.Diagnostics) grammar.Diagnostics {
	for i := range checks {
		for _, d := range reported {
			if c := &checks[i]; c.Code == "undefined-rule" && d.Rule != "" && strings.HasPrefix(c.Message, fmt.Sprintf("rule %q is not defined", d.Rule)) {
				c.Code, c.Message, c.Hint = "left-out", fmt.Sprintf("rule %q is needed, and it is left out: %s", d.Rule, d.Message), d.Hint
			}
		}
	}
	return slices.DeleteFunc(checks, func(c grammar.Diagnostic) bool {
		return c.Code == "left-out" && c.Severity == grammar.Warning
	})
}

// printable escapes unprintable characters in names, so that no output of names has to.
func printable(g *syntax.Grammar) {
	for _, r := range g.Rules {
		r.Name = words.Quote(r.Name)
		r.Body.Walk(func(e *syntax.Expr) {
			e.Name = words.Quote(e.Name)
			for i := range e.Labels {
				e.Labels[i] = words.Quote(e.Labels[i])
			}
		})
	}
	g.Name, g.Entry = words.Quote(g.Name), words.Quote(g.Entry)
}

// baseName returns the last element of path without its extension.
func baseName(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
