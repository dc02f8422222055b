//go:build !unix

package screen

func foreground() bool { return true }

// stopJob does nothing: there are no jobs.
func stopJob() {}
