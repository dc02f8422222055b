//go:build unix

package target

import (
	"os"
	"syscall"
)

// links returns the number of names of a file.
func links(info os.FileInfo) uint64 {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return uint64(stat.Nlink)
}
