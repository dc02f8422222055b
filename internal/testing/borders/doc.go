// Package borders has only the test of the imports between packages, and of the parts of the
// standard library that only the command line may use.
package borders
