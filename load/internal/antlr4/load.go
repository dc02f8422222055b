package antlr4

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// maxFiles bounds the number of files of one grammar.
const maxFiles = 1000

// Parse reads a single grammar source. It does not search for imports or for the lexer of a parser
// grammar: it reports a warning, and their names are undefined. name stands for the file in
// messages. The grammar is nil only if nothing of src could be read. It is usable if the
// diagnostics' Err is nil. Parse takes about linear time in src.
func Parse(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics) {
	l := &loader{alone: true, sum: sha256.New()}
	l.sum.Write(src)
	u, ds := readUnit(name, src)
	l.ds = ds
	return l.finish(u)
}

// Load reads the grammar at the slash-separated path p in fsys with all its parts: imported
// grammars, and the lexer of a parser grammar. It finds them in the same folder, regardless of the
// case of file names. The lexer is the grammar's tokenVocab, or else NAMELexer.g4 for
// NAMEParser.g4. If p is a folder, Load reads the folder's main grammar: the only .g4 file that is
// neither a lexer nor imported. Among several such files, it is the one named like the folder, or
// else the one that has a lexer named like itself.
//
// dir precedes every path in messages; "" is allowed. Grammar.SHA256 is the hash of all files in
// the order read. The results are as for [Parse].
func Load(fsys fs.FS, p, dir string) (*syntax.Grammar, grammar.Diagnostics) {
	l := &loader{fsys: fsys, dir: dir, sum: sha256.New(), units: map[string]*unit{}, seen: map[string]parsed{}}
	info, err := fs.Stat(fsys, p)
	switch {
	case err != nil:
		return nil, grammar.Diagnostics{l.unreadable(p, err)}
	case info.IsDir():
		main, ds := l.mainOf(p)
		if ds != nil {
			return nil, ds
		}
		p = main
	}
	return l.finish(l.unit(p))
}

// loader reads the files of one grammar.
type loader struct {
	fsys  fs.FS
	dir   string
	alone bool              // a single source in memory, without other files
	seen  map[string]parsed // files parsed so far
	units map[string]*unit  // files of the grammar; nil if one cannot be read
	sum   hash.Hash
	ds    grammar.Diagnostics
}

func (l *loader) shown(p string) string { return path.Join(l.dir, p) }

func (l *loader) unreadable(p string, err error) grammar.Diagnostic {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return grammar.Diagnostic{Severity: grammar.Error, Pos: grammar.Pos{File: l.shown(p)}, Code: "unreadable",
		Message: err.Error(), Hint: "check the path"}
}

// unit reads a file once.
func (l *loader) unit(p string) *unit {
	if u, ok := l.units[p]; ok {
		return u
	}
	f, err := l.parse(p)
	if err != nil {
		l.ds = append(l.ds, l.unreadable(p, err))
		l.units[p] = nil
		return nil
	}
	l.sum.Write(f.src)
	l.ds = append(l.ds, f.ds...)
	l.units[p] = f.unit
	return f.unit
}

// parsed is a parsed file, whether or not it belongs to the grammar.
type parsed struct {
	src  []byte
	unit *unit
	ds   grammar.Diagnostics
}

// parse parses a file, once.
func (l *loader) parse(p string) (parsed, error) {
	if f, ok := l.seen[p]; ok {
		return f, nil
	}
	src, err := fs.ReadFile(l.fsys, p)
	if err != nil {
		return parsed{}, err
	}
	u, ds := readUnit(l.shown(p), src)
	u.path = p
	f := parsed{src, u, ds}
	l.seen[p] = f
	return f, nil
}

// beside returns the unit of the grammar with the given name in the folder of u, or nil.
func (l *loader) beside(u *unit, name string) *unit {
	if l.alone || len(l.units) >= maxFiles {
		return nil
	}
	folder := path.Dir(u.path)
	entries, _ := fs.ReadDir(l.fsys, folder)
	found := ""
	for _, e := range entries {
		switch {
		case e.IsDir():
		case e.Name() == name+".g4":
			return l.unit(path.Join(folder, e.Name()))
		case strings.EqualFold(e.Name(), name+".g4") && found == "":
			found = e.Name()
		}
	}
	if found == "" {
		return nil
	}
	return l.unit(path.Join(folder, found))
}

// needed returns the unit of a grammar that u needs at pos: the one in the folder of u, or else the
// only one in the sibling folders of the main grammar's folder. It reports a missing grammar.
func (l *loader) needed(u *unit, pos grammar.Pos, code, what, name string) *unit {
	v := l.beside(u, name)
	if v != nil || l.failed(u, name) {
		return v
	}
	var found []string
	if !l.alone && len(l.units) < maxFiles {
		entries, _ := fs.ReadDir(l.fsys, "..")
		for _, e := range entries {
			p := path.Join("..", e.Name(), name+".g4")
			if _, err := fs.Stat(l.fsys, p); err == nil && e.IsDir() {
				found = append(found, p)
			}
		}
	}
	if len(found) != 1 {
		l.missing(pos, code, what, name, found)
		return nil
	}
	l.ds = append(l.ds, grammar.Diagnostic{Severity: grammar.Note, Pos: pos, Code: code,
		Message: fmt.Sprintf("%s %q is taken from %s", what, name, l.shown(found[0]))})
	return l.unit(found[0])
}

// missing reports a missing grammar that another one needs. found lists candidates in other
// folders.
func (l *loader) missing(pos grammar.Pos, code, what, name string, found []string) {
	d := grammar.Diagnostic{Severity: grammar.Error, Pos: pos, Code: code,
		Message: fmt.Sprintf("%s %q is not found", what, name),
		Hint:    fmt.Sprintf("put %s.g4 into the same folder, or one beside it", name)}
	switch {
	case len(found) > 1:
		d.Hint = fmt.Sprintf("there are %s and %s; copy the one that is meant into the same folder", l.shown(found[0]), l.shown(found[1]))
	case len(l.units) >= maxFiles:
		d.Message = fmt.Sprintf("%s %q is file %d of the grammar, and %d are read", what, name, len(l.units)+1, maxFiles)
		d.Hint = "join some of its files"
	case l.alone:
		d.Severity = grammar.Warning
		d.Hint = "load the grammar from its folder, where the files beside it are found"
	}
	l.ds = append(l.ds, d)
}

// finish builds the graph of the main unit and the units that it needs.
func (l *loader) finish(u *unit) (*syntax.Grammar, grammar.Diagnostics) {
	if u == nil {
		return nil, l.ds
	}
	b := newBuilder(u.kind == "", u.fold)
	rules := l.withImports(u, b)
	if u.kind == "parser" {
		if lex := l.lexerOf(u); lex != nil {
			rules = append(rules, l.withImports(lex, b)...)
		}
	}
	graph := b.build(rules)
	entry := b.entry(graph)
	graph = endTexts(graph, entry, func(e *syntax.Expr) bool { return b.eofs[e] })
	base := path.Base(u.file)
	g := &syntax.Grammar{
		Name: strings.TrimSuffix(base, path.Ext(base)), Notation: "antlr4",
		Rules:            graph,
		Entry:            entry,
		SHA256:           hex.EncodeToString(l.sum.Sum(nil)),
		Ignored:          b.notes.warning(),
		LenientUndefined: true,
	}
	ds := append(l.ds, b.ds...)
	ds.Sort()
	return g, ds
}

// withImports returns the rules of u, followed by the rules of its imports, depth first. It drops
// imported rules that are already defined. All rules fold case as u does, since options of imported
// grammars have no effect.
func (l *loader) withImports(u *unit, b *builder) []sourceRule {
	var out []sourceRule
	defined := map[string]bool{}
	seen := map[*unit]bool{}
	var visit func(v *unit)
	visit = func(v *unit) {
		seen[v] = true
		b.notes.merge(v.notes)
		for _, r := range v.rules {
			if v == u || !defined[r.Name.Value] {
				defined[r.Name.Value] = true
				out = append(out, sourceRule{r, u.fold})
			}
		}
		for _, im := range v.imports {
			name := im.Text
			if im.As != "" {
				name = im.As
			}
			if w := l.needed(v, position(im.Pos), "missing-import", "the imported grammar", name); w != nil && !seen[w] {
				visit(w)
			}
		}
	}
	visit(u)
	return out
}

// failed reports whether the file of that grammar exists but cannot be read.
func (l *loader) failed(u *unit, name string) bool {
	v, tried := l.units[path.Join(path.Dir(u.path), name+".g4")]
	return tried && v == nil
}

const theLexer = "the lexer of this parser grammar,"

// lexerOf returns the lexer of a parser grammar.
func (l *loader) lexerOf(u *unit) *unit {
	if u.vocab != "" {
		return l.needed(u, u.vocabPos, "missing-lexer", theLexer, path.Base(u.vocab))
	}
	name := strings.TrimSuffix(u.name, "Parser") + "Lexer"
	if len(u.imports) > 0 {
		return l.beside(u, name)
	}
	return l.needed(u, u.pos, "missing-lexer", theLexer, name)
}

// mainOf returns the path of the main grammar of a folder.
func (l *loader) mainOf(folder string) (string, grammar.Diagnostics) {
	entries, err := fs.ReadDir(l.fsys, folder)
	if err != nil {
		return "", grammar.Diagnostics{l.unreadable(folder, err)}
	}
	var all []*unit
	for _, e := range entries {
		if !e.IsDir() && strings.EqualFold(path.Ext(e.Name()), ".g4") && len(all) < maxFiles {
			// Errors in a file that is not part of the grammar do not matter.
			if f, err := l.parse(path.Join(folder, e.Name())); err == nil {
				all = append(all, f.unit)
			}
		}
	}
	candidates := mainUnits(all, path.Base(l.shown(folder)))
	if len(candidates) == 1 {
		return candidates[0].path, nil
	}
	d := grammar.Diagnostic{Severity: grammar.Error, Pos: grammar.Pos{File: l.shown(folder)}, Code: "which-grammar",
		Message: "the folder holds no .g4 file", Hint: "name a grammar file"}
	if len(candidates) > 1 {
		var names []string
		for _, u := range candidates {
			names = append(names, path.Base(u.path))
		}
		d.Message = "the folder holds several grammars: " + strings.Join(names, ", ")
		d.Hint = "name one of these files, as in -g " + path.Join(l.shown(folder), names[0])
	}
	return "", grammar.Diagnostics{d}
}

// mainUnits narrows the grammars of a folder down to the main one, if possible.
func mainUnits(all []*unit, folder string) []*unit {
	imported, lexers := map[string]bool{}, map[string]bool{}
	for _, u := range all {
		for _, im := range u.imports {
			imported[strings.ToLower(im.Text)] = true
		}
		if u.kind == "lexer" {
			lexers[strings.ToLower(u.name)] = true
		}
	}
	stem := func(u *unit) string { return strings.TrimSuffix(strings.ToLower(u.name), "parser") }
	left := all
	for _, keep := range []func(u *unit) bool{
		func(u *unit) bool { return u.kind != "lexer" },
		func(u *unit) bool { return !imported[strings.ToLower(u.name)] },
		func(u *unit) bool { return stem(u) == strings.ToLower(folder) },
		func(u *unit) bool { return lexers[stem(u)+"lexer"] },
	} {
		if next := slices.DeleteFunc(slices.Clone(left), func(u *unit) bool { return !keep(u) }); len(next) > 0 {
			left = next
		}
	}
	return left
}
