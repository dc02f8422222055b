package gofunc

import (
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// ProgramName returns the name of a function's program: the last part of the package's path as
// given, a dot, and the function.
func ProgramName(fn string) string {
	name := path.Base(filepath.ToSlash(fn))
	name = strings.TrimLeft(name, ".")
	if name == "" {
		name = "function"
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}
