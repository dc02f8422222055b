package load

import (
	"os"
	pathpkg "path"
	"path/filepath"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/readfile"
	"github.com/gramfuzz/gramfuzz/load/internal/antlr4"
)

// isFolder reports whether path is a folder.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// antlr loads the ANTLR grammar at path, a file or a folder, with the files
// beside it that belong to it.
func antlr(path string, o Options) (*grammar.Grammar, grammar.Diagnostics, error) {
	dir, file := filepath.Dir(path), filepath.Base(path)
	if isFolder(path) {
		dir, file = path, "."
	}
	shown := filepath.ToSlash(dir)
	if shown == "." {
		shown = "" // as the user wrote it: without a folder
	}
	read, ds := antlr4.Load(folder{readfile.FS{Dir: dir, Max: maxFile}, shown, o}, file, shown)
	if err := ds.Err(); err != nil {
		return nil, ds, err
	}
	return complete(path, read, ds, o)
}

// folder is a folder of ANTLR grammars; whoever wants them is told what is read.
type folder struct {
	readfile.FS
	shown string
	o     Options
}

func (f folder) ReadFile(name string) ([]byte, error) {
	src, err := f.FS.ReadFile(name)
	if err == nil {
		f.o.told(pathpkg.Join(f.shown, name), src)
	}
	return src, err
}
