package campaign

import (
	"bufio"
	"context"
	_ "embed" // for the mutator
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// maxRequest bounds the texts of a request.
const maxRequest = 16 << 20

// MutatorSource is the C source of the custom mutator for AFL++, a client of [Serve].
//
//go:embed aflpp/mutator.c
var MutatorSource []byte

// Listen listens at the path of a socket for [Serve]. It replaces the socket of a dead process.
// The error says if another process listens, or if another kind of file is at the path.
func Listen(path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		conn, err := net.DialTimeout("unix", path, time.Second)
		switch {
		case err == nil:
			conn.Close()
			return nil, fmt.Errorf("another process listens on %s; end it, or choose another path", path)
		case errors.Is(err, syscall.ECONNREFUSED):
			if err := os.Remove(path); err != nil {
				return nil, err
			}
		}
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("%w; choose another path", err)
	}
	return l, nil
}

// Serve mutates texts for its clients, fuzzers with [MutatorSource], until ctx is done. Each
// connection has a mutator of its own, with the next seed.
//
// A request is three numbers of 32 bits, little endian: the length of a text, that of another
// one, and the greatest length of the answer; then both texts. An answer is a length and a text
// of that length. The length 0 means that there is no answer.
func Serve(ctx context.Context, l net.Listener, g *grammar.Grammar, o MutatorOptions) error {
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	var group sync.WaitGroup
	defer group.Wait()
	for ; ; o.Seed++ {
		conn, err := l.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		m, err := NewMutator(ctx, g, o)
		if err != nil {
			conn.Close()
			return err
		}
		group.Go(func() {
			done := context.AfterFunc(ctx, func() { conn.Close() })
			defer done()
			defer conn.Close()
			_ = answer(ctx, conn, m) // the fuzzer is gone, or sends invalid requests: its connection ends
		})
	}
}

// lengthOf is the number of bytes of a length.
const lengthOf = 4

// answer answers the requests of a connection.
func answer(ctx context.Context, conn io.ReadWriter, m *Mutator) error {
	in := bufio.NewReader(conn)
	var text, other, out []byte
	var answered time.Time
	for {
		var head [12]byte
		if _, err := io.ReadFull(in, head[:]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if len(out) > lengthOf { // the fuzzer ran the mutant since, and mostly did nothing else
			m.Took(time.Since(answered))
		}
		n, k := binary.LittleEndian.Uint32(head[:]), binary.LittleEndian.Uint32(head[4:])
		most := binary.LittleEndian.Uint32(head[8:])
		if n > maxRequest || k > maxRequest {
			return fmt.Errorf("a request with texts of %d and %d bytes", n, k)
		}
		var err error
		if text, err = readText(in, text, int(n)); err != nil {
			return err
		}
		if other, err = readText(in, other, int(k)); err != nil {
			return err
		}
		mutant, err := m.Mutate(ctx, text, other, int(min(most, maxRequest)))
		if err != nil {
			return err
		}
		out = binary.LittleEndian.AppendUint32(out[:0], uint32(len(mutant)))
		out = append(out, mutant...)
		if _, err := conn.Write(out); err != nil {
			return err
		}
		answered = time.Now()
	}
}

// readText reads n bytes into buf, which grows if necessary.
func readText(r io.Reader, buf []byte, n int) ([]byte, error) {
	if cap(buf) < n {
		buf = make([]byte, n)
	}
	_, err := io.ReadFull(r, buf[:n])
	return buf[:n], err
}
