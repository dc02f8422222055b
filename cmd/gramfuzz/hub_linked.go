//go:build hub

package main

import "github.com/gramfuzz/gramfuzz/internal/fleet"

// serveHub runs a hub.
var serveHub = fleet.Serve
