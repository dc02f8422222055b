//go:build hub

package main

import "github.com/gramfuzz/gramfuzz/internal/fuzzing/fleet"

// serveHub runs a hub.
var serveHub = fleet.Serve
