//go:build unix

package target

import (
	"os"
	"syscall"
)

// links is how many names a file has.
func links(info os.FileInfo) uint64 {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return uint64(stat.Nlink)
}
