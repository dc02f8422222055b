//go:build unix

package corpus

import (
	"errors"
	"syscall"
)

// cannotSync says whether a file system has no syncing at all.
func cannotSync(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP)
}
