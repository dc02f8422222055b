package reduce

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// FileCache is a [Cache] in a file, for one predicate. Every answer is written before the search
// continues, so a run that was killed and restarted asks no question twice. It is safe for
// concurrent use, and several processes may append to the same file.
type FileCache struct {
	mu    sync.Mutex
	file  *os.File
	known map[[sha256.Size]byte]bool
	err   error // the first error of writing
}

// cacheLine is the length of a line of the file: the SHA-256 of a text in
// hexadecimal, a space, and 1 if the predicate held, else 0. Any other line is
// skipped: the process that wrote it was killed.
const cacheLine = 2*sha256.Size + 3

// maxCache bounds a file of answers in bytes: about 16 million answers.
const maxCache = 1 << 30

// OpenFileCache opens the cache at path, and creates it if it is missing. Close it at the end.
// Anything but a file of at most 1 GiB is an error.
func OpenFileCache(path string) (*FileCache, error) {
	if info, err := os.Stat(path); err == nil && (!info.Mode().IsRegular() || info.Size() > maxCache) {
		return nil, fmt.Errorf("%s: this is no file of answers, or has more than 1 GiB; remove it", path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	c := &FileCache{file: file, known: map[[sha256.Size]byte]bool{}}
	if err := c.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return c, nil
}

func (c *FileCache) load() error {
	r := bufio.NewReader(c.file)
	for {
		line, err := r.ReadSlice('\n')
		switch {
		case err == io.EOF && len(line) > 0: // truncated: the next answer must not continue the line
			_, err := c.file.WriteString("\n")
			return err
		case err == io.EOF:
			return nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
		var key [sha256.Size]byte
		if len(line) != cacheLine || line[cacheLine-3] != ' ' {
			continue
		}
		if _, err := hex.Decode(key[:], line[:cacheLine-3]); err != nil {
			continue
		}
		switch line[cacheLine-2] {
		case '0':
			c.known[key] = false
		case '1':
			c.known[key] = true
		}
	}
}

// Get returns the answer for a text, if it is known.
func (c *FileCache) Get(key [32]byte) (holds, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	holds, known = c.known[key]
	return holds, known
}

// Put keeps an answer. If it cannot be written, only this process knows it and
// Close returns the error.
func (c *FileCache) Put(key [32]byte, holds bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known[key] = holds
	line := append(hex.AppendEncode(make([]byte, 0, cacheLine), key[:]), " 0\n"...)
	if holds {
		line[cacheLine-2] = '1'
	}
	if _, err := c.file.Write(line); err != nil && c.err == nil {
		c.err = err
	}
}

// Len returns the number of known answers.
func (c *FileCache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.known)
}

// Close closes the file. It returns the first error of writing.
func (c *FileCache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Join(c.err, c.file.Close())
}
