// Package integrations holds the sources that other tools compile.
package integrations

import _ "embed" // of the sources

// Mutator is the C source of the custom mutator for AFL++, which asks gramfuzz serve.
//
//go:embed aflpp/mutator.c
var Mutator []byte
