// Package linktrace links internal/fuzzing/target/gocov/trace into programs outside of this module. They
// need it if their packages count edges.
//
//	import _ "github.com/gramfuzz/gramfuzz/bench/coverage/reach/linktrace"
package linktrace

import _ "github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov/trace"
