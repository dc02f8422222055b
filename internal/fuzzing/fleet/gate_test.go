package fleet

import (
	"errors"
	"net"
	"os"
	"sync/atomic"
	"testing"
	"time"
)

// gate is a proxy that stalls, cuts or drops connections.
type gate struct {
	addr string
	mode atomic.Value // "", "stall", "cut", "one way"
}

func newGate(t *testing.T, to string) *gate {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	g := &gate{addr: l.Addr().String()}
	g.mode.Store("")
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				in.Close()
				continue
			}
			go g.pass(in, out, false)
			go g.pass(out, in, true)
		}
	}()
	return g
}

// pass copies one direction; answers marks the direction that mode "one way" drops.
func (g *gate) pass(from, to net.Conn, answers bool) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 16<<10)
	spoiled := false
	for {
		_ = from.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		n, err := from.Read(buf)
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
		for g.mode.Load() == "stall" {
			time.Sleep(5 * time.Millisecond)
		}
		mode := g.mode.Load()
		if mode == "cut" || spoiled && mode == "" {
			return
		}
		if mode == "one way" && answers {
			spoiled = true
			continue
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}
