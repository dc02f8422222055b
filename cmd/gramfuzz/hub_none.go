//go:build !hub

package main

import (
	"context"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/fleet"
)

// serveHub is nil without the build tag hub, so that no server is linked.
var serveHub func(ctx context.Context, o fleet.HubOptions, page, name string, note func(string, ...any), guard func(func() error) error) error
