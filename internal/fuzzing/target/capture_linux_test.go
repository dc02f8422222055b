package target

import (
	"os"
	"testing"
)

// TestStillHeld checks that output is read without waiting if a process that cannot be killed
// still holds the pipe.
func TestStillHeld(t *testing.T) {
	t.Parallel()
	c, err := newCapture(4)
	if err != nil {
		t.Fatal(err)
	}
	defer c.write.Close() // stands for that process: start is not called
	if _, err := c.write.WriteString("written"); err != nil {
		t.Fatal(err)
	}
	c.finish()
	if string(c.head) != "writ" || c.total != 7 || c.read != -1 {
		t.Errorf("got %q, %d bytes, descriptor %d", c.head, c.total, c.read)
	}
}

func TestIsZombie(t *testing.T) {
	t.Parallel()
	needShell(t)
	sh, err := findProgram("sh", "")
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	p, err := startProcess(nil, sh, []string{"sh", "-c", "read x"}, nil, "", []*os.File{read, nil, nil})
	if err != nil {
		t.Fatal(err)
	}
	if p.isZombie() {
		t.Error("a zombie before its end")
	}
	write.Close()
	eventually(t, "zombie", p.isZombie)
	if _, err := p.os.Wait(); err != nil {
		t.Error(err)
	}
}
