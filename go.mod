module github.com/gramfuzz/gramfuzz

go 1.25

require (
	github.com/alecthomas/participle/v2 v2.1.4
	github.com/cespare/xxhash/v2 v2.3.0
	github.com/google/go-cmp v0.7.0
	github.com/spf13/pflag v1.0.10
	golang.org/x/sys v0.41.0
	golang.org/x/term v0.40.0
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/rogpeppe/go-internal v1.14.1
	golang.org/x/tools v0.30.0 // indirect
)
