// Package borders holds no code but the test of the borders between packages:
// which may import which, and what only the command line may touch.
package borders
