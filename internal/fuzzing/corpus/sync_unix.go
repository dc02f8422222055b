//go:build unix

package corpus

import (
	"errors"
	"syscall"
)

// cannotSync reports whether an error means that the file system has no syncing.
func cannotSync(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP)
}
