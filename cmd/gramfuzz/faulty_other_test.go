//go:build !linux

package main

// beFaulty does nothing: only Linux can make system calls fail.
func beFaulty() {}
