package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/gramfuzz/gramfuzz/reduce"
)

// cache keeps answers in a file: the runs count all their calls, but those
// that an earlier run made cost no time.
type cache struct {
	mu   sync.Mutex
	f    *os.File
	seen map[[sha256.Size]byte]bool
}

func openCache(dir, name string) (*cache, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	c := &cache{f: f, seen: map[[sha256.Size]byte]bool{}}
	var entry [sha256.Size + 1]byte
	for {
		if _, err := io.ReadFull(f, entry[:]); err != nil {
			return c, nil // a torn last entry is asked again
		}
		c.seen[[sha256.Size]byte(entry[:])] = entry[sha256.Size] == 1
	}
}

func (c *cache) Close() error { return c.f.Close() }

// over answers from the cache, else from p.
func (c *cache) over(p reduce.Predicate) reduce.Predicate {
	return func(ctx context.Context, text []byte) (bool, error) {
		key := sha256.Sum256(text)
		c.mu.Lock()
		holds, known := c.seen[key]
		c.mu.Unlock()
		if known {
			return holds, nil
		}
		holds, err := p(ctx, text)
		if err != nil || ctx.Err() != nil {
			return holds, err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.seen[key] = holds
		entry := append(key[:], 0)
		if holds {
			entry[sha256.Size] = 1
		}
		if _, err := c.f.Write(entry); err != nil {
			return false, fmt.Errorf("keeping an answer: %w", err)
		}
		return holds, nil
	}
}
