package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gramfuzz/gramfuzz/reduce"
)

// cache keeps a predicate's answers in a file, with the time of each. A run counts all its calls and
// their times, but waits only for calls that no earlier run made.
type cache struct {
	mu    sync.Mutex
	f     *os.File
	seen  map[[sha256.Size]byte]answer
	saved time.Duration // the original time of the cached answers
}

// answer is a predicate's answer for a text. On disk it is the text's SHA-256, a byte 0 or 1, and
// the nanoseconds as 8 bytes.
type answer struct {
	holds bool
	took  time.Duration
}

const entrySize = sha256.Size + 1 + 8

func openCache(dir, name string) (*cache, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	c := &cache{f: f, seen: map[[sha256.Size]byte]answer{}}
	var entry [entrySize]byte
	for {
		if _, err := io.ReadFull(f, entry[:]); err != nil {
			return c, nil // a truncated last entry is ignored
		}
		took := binary.LittleEndian.Uint64(entry[sha256.Size+1:])
		c.seen[[sha256.Size]byte(entry[:])] = answer{entry[sha256.Size] == 1, time.Duration(took)}
	}
}

func (c *cache) Close() error { return c.f.Close() }

// over returns a predicate that answers from the cache if it can, and otherwise asks p.
func (c *cache) over(p reduce.Predicate) reduce.Predicate {
	return func(ctx context.Context, text []byte) (bool, error) {
		key := sha256.Sum256(text)
		c.mu.Lock()
		a, known := c.seen[key]
		c.saved += a.took
		c.mu.Unlock()
		if known {
			return a.holds, nil
		}
		begin := time.Now()
		holds, err := p(ctx, text)
		if err != nil || ctx.Err() != nil {
			return holds, err
		}
		a = answer{holds, time.Since(begin)}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.seen[key] = a
		entry := append(key[:], 0)
		if holds {
			entry[sha256.Size] = 1
		}
		entry = binary.LittleEndian.AppendUint64(entry, uint64(a.took))
		if _, err := c.f.Write(entry); err != nil {
			return false, fmt.Errorf("keeping an answer: %w", err)
		}
		return holds, nil
	}
}
