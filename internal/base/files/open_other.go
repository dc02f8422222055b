//go:build !unix

package files

import "os"

func open(path string) (*os.File, error) { return os.Open(path) }
