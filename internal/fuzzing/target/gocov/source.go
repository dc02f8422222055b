package gocov

import _ "embed"

// TraceSource is the source of package trace, for programs that are generated in
// modules that do not have it.
//
//go:embed trace/trace.go
var TraceSource string
