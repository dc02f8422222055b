//go:build !linux

package target

import (
	"errors"
	"os"
	"sync"
	"time"
)

// drainTime bounds the time for which pipes may stay open after the end of a run. Only a
// process that could not be found and killed keeps them open.
const drainTime = 20 * time.Millisecond

// capture reads a pipe to its end in a goroutine and keeps the first bytes.
type capture struct {
	kept
	read, write *os.File
	done        chan struct{}
}

var dropPool = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

func newCapture(limit int) (*capture, error) {
	c := &capture{kept: kept{limit: limit}, done: make(chan struct{})}
	var err error
	c.read, c.write, err = os.Pipe()
	return c, err
}

// start begins to read; call it when the program holds the other end of the pipe.
func (c *capture) start() {
	c.write.Close()
	go func() {
		defer close(c.done)
		c.copy()
	}()
}

func (c *capture) copy() {
	drop := dropPool.Get().(*[]byte)
	defer dropPool.Put(drop)
	for {
		n, err := c.read.Read(*drop)
		c.keep((*drop)[:n])
		if err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				c.rest(*drop)
			}
			return
		}
	}
}

// restReads bounds the reads from a pipe after its time: they take more than any pipe holds.
const restReads = 64

// rest reads the bytes that are in the pipe now. An expired deadline hides them, and on a
// busy machine it expires before this goroutine first runs.
func (c *capture) rest(buf []byte) {
	_ = c.read.SetReadDeadline(time.Time{})
	conn, err := c.read.SyscallConn()
	if err != nil {
		return
	}
	for range restReads {
		n := 0
		err := conn.Read(func(fd uintptr) bool {
			n = readNow(fd, buf)
			return true
		})
		if err != nil || n <= 0 {
			return
		}
		c.keep(buf[:n])
	}
}

// finish waits for the end of the pipe, at most for drainTime, and closes it.
func (c *capture) finish() {
	_ = c.read.SetReadDeadline(time.Now().Add(drainTime))
	<-c.done
	c.read.Close()
}

// abandon closes both ends of a capture that was never started.
func (c *capture) abandon() {
	c.read.Close()
	c.write.Close()
}
