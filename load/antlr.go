package load

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/antlr4"
)

// isFolder reports whether path is a folder.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isANTLR reports whether the file at path is an ANTLR grammar: by what is
// asked for, or else by its extension.
func isANTLR(path, asked string) bool {
	return asked == "antlr4" || asked == "" && strings.EqualFold(filepath.Ext(path), ".g4")
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
	read, ds := antlr4.Load(os.DirFS(dir), file, shown)
	if err := ds.Err(); err != nil {
		return nil, ds, err
	}
	return complete(path, read, ds, o)
}
