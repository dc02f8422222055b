//go:build !unix

package corpus

// cannotSync is true: folders cannot be synced here.
func cannotSync(error) bool { return true }
