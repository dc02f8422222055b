package load

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	pathpkg "path"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/load/internal/antlr4"
	"github.com/gramfuzz/gramfuzz/load/internal/lark"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// isFolder reports whether path is a folder.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// antlr loads the ANTLR grammar at path, a file or a folder, together with the other files that
// belong to it.
func antlr(path string, o Options) (*grammar.Grammar, grammar.Diagnostics, error) {
	dir, file := filepath.Dir(path), filepath.Base(path)
	if isFolder(path) {
		dir, file = path, "."
	}
	shown := filepath.ToSlash(dir)
	if shown == "." {
		shown = "" // as the user wrote it, without a folder
	}
	read, ds := antlr4.Load(folder{files.FS{Dir: dir, Max: maxFile}, shown, o}, file, shown)
	if err := ds.Err(); err != nil {
		return nil, ds, err
	}
	g, ds, err := complete(path, read, ds, o)
	for i := range ds {
		if d := &ds[i]; d.Code == "undefined-rule" {
			d.Hint += byCode(d.Message, companionName(path))
		}
	}
	if err != nil {
		err = ds.Err()
	}
	return g, ds, err
}

// larkBeside reads the Lark grammar at path and the files beside it that it imports.
func larkBeside(path string, o Options) (*syntax.Grammar, grammar.Diagnostics) {
	dir, file := filepath.Dir(path), filepath.Base(path)
	shown := filepath.ToSlash(dir)
	if shown == "." {
		shown = ""
	}
	o.Read = except(o.Read, path)
	return lark.Load(folder{files.FS{Dir: dir, Max: maxFile}, shown, o}, file, shown)
}

// except returns a read that skips one file, which was reported before.
func except(read func(string, []byte), known string) func(string, []byte) {
	if read == nil {
		return nil
	}
	return func(name string, src []byte) {
		if name != filepath.ToSlash(known) {
			read(name, src)
		}
	}
}

// byCode returns further advice about an undefined rule: code may make a token without a rule,
// whatever the grammar lists in tokens { }.
func byCode(message, companion string) string {
	var name string
	if _, err := fmt.Sscanf(message, "rule %q", &name); err != nil {
		return ""
	}
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		return ""
	}
	return fmt.Sprintf("; if code makes this token, say in %s what its text is, as in: @token %s = %q ;", companion, name, strings.ToLower(name))
}

// folder is a folder of ANTLR grammars; it reports the files read from it.
type folder struct {
	files.FS
	shown string
	o     Options
}

// at returns the location of a path. Paths of files in neighbouring folders begin with "..".
func (f folder) at(name string) (files.FS, string) {
	if rest, ok := strings.CutPrefix(name+"/", "../"); ok {
		return files.FS{Dir: filepath.Join(f.Dir, ".."), Max: f.Max}, cmp.Or(strings.TrimSuffix(rest, "/"), ".")
	}
	return f.FS, name
}

func (f folder) Open(name string) (fs.File, error) {
	at, name := f.at(name)
	return at.Open(name)
}

func (f folder) Stat(name string) (fs.FileInfo, error) {
	at, name := f.at(name)
	return at.Stat(name)
}

func (f folder) ReadFile(name string) ([]byte, error) {
	at, below := f.at(name)
	src, err := at.ReadFile(below)
	if err == nil {
		f.o.told(pathpkg.Join(f.shown, name), src)
	}
	return src, err
}
