// Package broken does not build.
package broken

// Parse is not there.
func Parse(s string) { missing(s) }
