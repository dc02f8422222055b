// Package folder encodes a folder as one text, so that a folder can be reduced like a text: files
// and their names become fewer and smaller.
//
//	text, err := folder.Read("src", 1<<20)
//	files, err := folder.Unpack(text)
//	err = folder.Make("copy", files)
//
// The text of a file is its name, a line feed, its content, and [End]. A star after the name says
// that the file is executable. An End in a content is written as ESC ^, an ESC as ESC ESC.
package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/internal/base/files"
)

// End is the byte after each file of a text.
const End = 0x1e

const escape = 0x1b

// Bounds of names, in bytes, that every system accepts.
const (
	longestName    = 1000
	longestElement = 250
)

// File is a file of a folder.
type File struct {
	Name       string // relative to the folder, with slashes
	Executable bool
	Data       []byte
}

// Read returns the text of a folder with at most the given number of content bytes. It leaves out
// folders without files. Other kinds of entries are an error, as is a name that [Unpack] would
// refuse.
func Read(dir string, most int64) ([]byte, error) {
	var files []File
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s: this is neither a file nor a folder; remove it, or copy what it links to", name)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		most -= info.Size()
		if most < 0 {
			return fmt.Errorf("%s: the folder is too large; remove what is not needed", dir)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err == nil {
			files = append(files, File{filepath.ToSlash(rel), info.Mode()&0o111 != 0, data})
			err = checkName(filepath.ToSlash(rel))
		}
		if err != nil {
			return fmt.Errorf("%s: %w; rename it", name, err)
		}
		return nil
	})
	return packSorted(files), err
}

// packSorted returns the text of files in the order of their names.
func packSorted(files []File) []byte {
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return Pack(files)
}

// Canonical returns the text that [Read] makes of a text's folder.
func Canonical(text []byte) []byte {
	files, err := Unpack(text)
	if err != nil {
		return text
	}
	return packSorted(files)
}

// Pack returns the text of files.
func Pack(files []File) []byte {
	text := []byte{}
	for _, f := range files {
		text = append(text, f.Name...)
		if f.Executable {
			text = append(text, '*')
		}
		text = append(text, '\n')
		for _, b := range f.Data {
			switch b {
			case End:
				text = append(text, escape, '^')
			case escape:
				text = append(text, escape, escape)
			default:
				text = append(text, b)
			}
		}
		text = append(text, End)
	}
	return text
}

// Unpack returns the files of a text. An error says that no folder can hold them.
func Unpack(text []byte) ([]File, error) {
	var files []File
	seen := map[string]bool{}
	for len(text) > 0 {
		part, rest, _ := bytes.Cut(text, []byte{End})
		text = rest
		line, data, found := bytes.Cut(part, []byte("\n"))
		name, executable := strings.CutSuffix(string(line), "*")
		if !found || seen[name] {
			return nil, fmt.Errorf("%q is no new name of a file", name)
		}
		if err := checkName(name); err != nil {
			return nil, err
		}
		seen[name] = true
		files = append(files, File{name, executable, unescape(data)})
	}
	for _, f := range files {
		for above := path.Dir(f.Name); above != "."; above = path.Dir(above) {
			if seen[above] {
				return nil, fmt.Errorf("%q is a file and a folder", above)
			}
		}
	}
	return files, nil
}

// Valid reports whether Unpack accepts a text.
func Valid(text []byte) bool {
	_, err := Unpack(text)
	return err == nil
}

// unescape decodes the escapes of a content. An ESC before any other byte stands for itself.
func unescape(data []byte) []byte {
	if bytes.IndexByte(data, escape) < 0 {
		return slices.Clone(data)
	}
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); i++ {
		if data[i] == escape && i+1 < len(data) && (data[i+1] == '^' || data[i+1] == escape) {
			i++
			if data[i] == '^' {
				out = append(out, End)
				continue
			}
		}
		out = append(out, data[i])
	}
	return out
}

// checkName refuses names that are invalid on some system.
func checkName(name string) error {
	switch {
	case !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name || name == ".":
		return fmt.Errorf("%q is no name below a folder", name)
	case len(name) > longestName || slices.ContainsFunc(strings.Split(name, "/"), func(e string) bool { return len(e) > longestElement }):
		return errors.New("the name is too long")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"|?*\`, r) }):
		return fmt.Errorf("%q has characters that not every system takes", name)
	}
	return nil
}

// Make writes files into an existing empty folder.
func Make(dir string, files []File) error {
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		mode := fs.FileMode(0o666)
		if f.Executable {
			mode = 0o777
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.Data, mode); err != nil {
			return err
		}
	}
	return nil
}

// MakeText writes the files of a text into an existing empty folder.
func MakeText(dir string, text []byte) error {
	files, err := Unpack(text)
	if err != nil {
		return err
	}
	return Make(dir, files)
}

// Replace replaces any folder called path by the folder of a text, in one step where the system
// can.
func Replace(tidy *files.Tidy, path string, text []byte) error {
	d, err := tidy.ReplaceFolder(path)
	if err != nil {
		return err
	}
	defer d.Abort()
	if err := MakeText(d.Temp, text); err != nil {
		return files.WriteError(path, err)
	}
	return d.Exchange()
}
