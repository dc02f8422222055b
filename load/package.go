package load

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/base/files"
)

// inPackage is the path of the grammar in the package of a tree-sitter parser.
const inPackage = "src/grammar.json"

// errNoPackage reports a path that is no package.
var errNoPackage = errors.New("no package")

// isPackage reports whether a folder is the package of a tree-sitter parser.
func isPackage(dir string) bool {
	_, err := fs.Stat(files.FS{Dir: dir, Max: maxFile}, inPackage)
	return err == nil
}

// grammarIn returns the grammar in the package of a tree-sitter parser, a folder or an archive
// packed by npm, and its name in messages.
func grammarIn(at string) (src []byte, shown string, err error) {
	switch {
	case isFolder(at) && isPackage(at):
		shown = filepath.Join(at, inPackage)
		src, err = files.Read(shown, maxFile)
		return src, shown, err
	case strings.HasSuffix(at, ".tgz"), strings.HasSuffix(at, ".tar.gz"):
		packed, err := files.Read(at, maxFile)
		if err != nil {
			return nil, "", err
		}
		return unpack(at, packed)
	}
	return nil, "", errNoPackage
}

// unpack finds the grammar in an archive.
func unpack(at string, packed []byte) (src []byte, shown string, err error) {
	bad := func(err error) error {
		return fmt.Errorf("%s: the archive cannot be read: %w; take it as npm pack wrote it", at, err)
	}
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, "", bad(err)
	}
	// Parsers in C are large; a package beyond this unpacked size is not accepted.
	files := tar.NewReader(io.LimitReader(plain, 16*maxFile))
	for {
		h, err := files.Next()
		switch {
		case errors.Is(err, io.EOF) && src == nil:
			return nil, "", fmt.Errorf("%s: there is no %s in the archive; name the grammar file itself", at, inPackage)
		case errors.Is(err, io.EOF):
			return src, shown, nil
		case err != nil:
			return nil, "", bad(err)
		case h.Typeflag != tar.TypeReg || !strings.HasSuffix(path.Clean("/"+h.Name), "/"+inPackage):
			continue
		case src != nil:
			return nil, "", fmt.Errorf("%s: the archive holds several grammars, %s and %s; unpack it and name one", at, shown, h.Name)
		case h.Size > maxFile:
			return nil, "", fmt.Errorf("%s: %s has more than %d bytes; name a smaller grammar", at, h.Name, maxFile)
		}
		shown = h.Name
		if src, err = io.ReadAll(files); err != nil {
			return nil, "", bad(err)
		}
	}
}
