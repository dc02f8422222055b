//go:build unix && !linux

package target

import (
	"syscall"
	"testing"
	"time"
)

// TestLateReader checks that output is not lost if reading begins only after its deadline.
func TestLateReader(t *testing.T) {
	t.Parallel()
	c, err := newCapture(100)
	if err != nil {
		t.Fatal(err)
	}
	other, err := syscall.Dup(int(c.write.Fd())) // a process that cannot be killed holds the pipe
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(other)
	if _, err := c.write.WriteString("written"); err != nil {
		t.Fatal(err)
	}
	if err := c.read.SetReadDeadline(time.Now().Add(-time.Second)); err != nil {
		t.Fatal(err)
	}
	c.start()
	c.finish()
	if string(c.head) != "written" || c.total != 7 {
		t.Errorf("got %q, %d bytes", c.head, c.total)
	}
}
