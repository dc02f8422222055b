//go:build !unix

package screen

func foreground() bool { return true }
