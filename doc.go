// Package gramfuzz is the root of gramfuzz, which makes test inputs from a grammar and counts them.
// It holds no code. The command is cmd/gramfuzz; Go programs begin with one of
//
//   - [github.com/gramfuzz/gramfuzz/gramtest]: sentences in a Go test, shrunk when it fails
//   - [github.com/gramfuzz/gramfuzz/load] and [github.com/gramfuzz/gramfuzz/grammars]: a grammar from a
//     file, or one that ships
//   - [github.com/gramfuzz/gramfuzz/count] and [github.com/gramfuzz/gramfuzz/sample]: how many sentences
//     there are, and uniform ones
//   - [github.com/gramfuzz/gramfuzz/swarm] and [github.com/gramfuzz/gramfuzz/context]: configurations
//     without some features; names that are defined before they are used
//   - [github.com/gramfuzz/gramfuzz/reduce]: a failing input made small
//
// These, and package grammar, are stable from the first release on. Packages whose comment says that
// they may change are for those who build on gramfuzz and read CHANGELOG.md. DESIGN.md leads through
// the code.
package gramfuzz
