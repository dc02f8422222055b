// Package linktrace lets programs outside of this module be linked whose packages count
// edges: it links internal/target/gocov/trace.
//
//	import _ "github.com/gramfuzz/gramfuzz/bench/coverage/reach/linktrace"
package linktrace

import _ "github.com/gramfuzz/gramfuzz/internal/target/gocov/trace"
