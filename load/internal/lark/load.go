package lark

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"path"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// maxFiles bounds the number of files of one grammar.
const maxFiles = 1000

// Parse reads one source by itself. It imports from the built-in libraries only. name is the file's
// name in messages. Parse takes about linear time in src and in the expansion of its templates and
// terminals.
func Parse(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics) {
	l := &loader{sum: sha256.New(), units: make(map[string]*unit)}
	return l.grammar(l.unit(name, "", src))
}

// Load reads the grammar at the slash-separated path p in fsys, with the files that it imports. dir
// precedes every path in messages.
func Load(fsys fs.FS, p, dir string) (*syntax.Grammar, grammar.Diagnostics) {
	l := &loader{fsys: fsys, dir: dir, sum: sha256.New(), units: make(map[string]*unit)}
	src, err := fs.ReadFile(fsys, p)
	if err != nil {
		return nil, grammar.Diagnostics{{Severity: grammar.Error, Pos: grammar.Pos{File: path.Join(dir, p)}, Code: "unreadable", Message: err.Error(), Hint: "check the path"}}
	}
	return l.grammar(l.unit(path.Join(dir, p), p, src))
}

// loader reads the files of one grammar.
type loader struct {
	fsys  fs.FS // nil: no files beside the source
	dir   string
	sum   hash.Hash
	units map[string]*unit // by path
	ds    grammar.Diagnostics
}

// unit is a parsed file.
type unit struct {
	path    string
	defs    map[string]*definition
	order   []*definition // in the order of the file
	imports []*importing
	ignores []*choice
	changes []*statement // %override and %extend
	declare map[string]bool
}

func (l *loader) unit(name, p string, src []byte) *unit {
	l.sum.Write(src)
	u := &unit{path: p, defs: make(map[string]*definition), declare: make(map[string]bool)}
	toks, ds := reader.Tokens(name, src)
	l.ds = append(l.ds, ds...)
	if len(toks) == 0 {
		return u
	}
	before, rules := notation.Split(toks, starts(toks))
	l.ds = append(l.ds, reader.Rules(name, before, rules, func(s *statement) { l.add(u, s) })...)
	return u
}

func (l *loader) fail(pos grammar.Pos, do, what string, args ...any) {
	l.ds = append(l.ds, grammar.Diagnostic{Severity: grammar.Error, Pos: pos, Code: "syntax", Message: fmt.Sprintf(what, args...), Hint: do})
}

func (l *loader) add(u *unit, s *statement) {
	switch d := s.Define; {
	case s.Ignore != nil:
		u.ignores = append(u.ignores, s.Ignore)
	case s.Import != nil:
		u.imports = append(u.imports, s.Import)
	case s.Declare != nil:
		for _, n := range s.Declare {
			u.declare[n] = true
		}
	case s.Change != "":
		u.changes = append(u.changes, s)
	default:
		if first := u.defs[d.Name]; first != nil {
			l.fail(notation.Pos(d.Pos), "join both with |, or write %override", "%q is defined twice (first at %v)", d.Name, notation.Pos(first.Pos))
			return
		}
		u.defs[d.Name] = d
		u.order = append(u.order, d)
	}
}

//go:embed library/common.lark
var common []byte

//go:embed library/python.lark
var python []byte

//go:embed library/unicode.lark
var unicodeLibrary []byte

// libraries are the built-in libraries, by name.
var libraries = map[string][]byte{"common": common, "python": python, "unicode": unicodeLibrary}

// imported returns the file named in an import of u, or nil if there is none, and the imported
// names.
func (l *loader) imported(u *unit, im *importing) (*unit, []string) {
	file, names := im.Path, im.Names
	if names == nil && len(file) > 1 {
		file, names = file[:len(file)-1], file[len(file)-1:]
	} else if names == nil {
		l.fail(notation.Pos(im.Pos), "write %import file.NAME", "the import names a file and nothing in it")
		return nil, nil
	}
	p := path.Join(path.Dir(u.path), path.Join(file...)+".lark")
	library, known := libraries[file[0]]
	known = known && !im.Near && len(file) == 1
	if known {
		p = "<lark>/" + file[0] + ".lark"
	}
	if v, ok := l.units[p]; ok {
		return v, names
	}
	l.units[p] = nil
	switch {
	case known:
		l.units[p] = l.unit(p, p, library)
	case l.fsys == nil:
		l.fail(notation.Pos(im.Pos), "load the grammar from its folder, where the files beside it are found", "the import of %s needs a file", strings.Join(im.Path, "."))
	case len(l.units) > maxFiles:
		l.fail(notation.Pos(im.Pos), "join some of its files", "the grammar is made of more than %d files", maxFiles)
	default:
		src, err := fs.ReadFile(l.fsys, p)
		if err != nil {
			l.fail(notation.Pos(im.Pos), fmt.Sprintf("put %s beside the grammar", strings.Join(file, "/")+".lark"), "the imported file %s is not found", path.Join(l.dir, p))
			return nil, nil
		}
		l.units[p] = l.unit(path.Join(l.dir, p), p, src)
	}
	return l.units[p], names
}

// grammar builds the grammar of the main unit and its imports.
func (l *loader) grammar(u *unit) (*syntax.Grammar, grammar.Diagnostics) {
	g := &syntax.Grammar{Notation: "lark", LenientUndefined: true, ContextLexing: true}
	b := &builder{l: l, g: g, scopes: make(map[string]*scope), patterns: make(map[string]*terminal), made: make(map[string]bool), parts: make(map[place]string)}
	main := b.scope(u, "", nil)
	if l.ds.Err() == nil {
		b.build(main)
	}
	g.SHA256 = hex.EncodeToString(l.sum.Sum(nil))
	l.ds.Sort()
	return g, l.ds
}
