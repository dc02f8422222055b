package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/gramfuzz/gramfuzz/internal/records/lastgen"
	"github.com/gramfuzz/gramfuzz/stream"
)

// keepLast keeps the plan of the last gen in the current folder, in the user's cache directory,
// so that reduce needs no file. Without a cache directory it does nothing.
func keepLast(p *stream.Plan, n uint64) {
	if cache, folder, err := lastPlace(); err == nil {
		lastgen.Keep(cache, folder, p, n)
	}
}

// readLast returns the last gen in the current folder.
func readLast() (*lastgen.Last, error) {
	cache, folder, err := lastPlace()
	if err != nil {
		return nil, fmt.Errorf("no file to reduce, and no record of the last gen: %w; name a file to reduce", err)
	}
	return lastgen.Read(cache, folder)
}

func lastPlace() (cache, folder string, err error) {
	cache, err = os.UserCacheDir()
	folder, here := os.Getwd()
	return cache, folder, errors.Join(err, here)
}
