//go:build !linux

package main

// beFaulty does nothing: only on Linux can system calls be made to fail.
func beFaulty() {}
