package stream

import (
	"context"
	"sync"

	"github.com/gramfuzz/gramfuzz/internal/base/ahead"
)

// batchBytes is the intended output of a batch: large enough to hand over cheaply, small enough
// to save memory.
const batchBytes = 64 << 10

// batch is a unit of work for one goroutine: the sentences first … first+n-1.
type batch struct {
	first uint64
	n     int
	out   []byte
	made  int // sentences in out
	err   error
	ready chan struct{}
}

// InOrder makes the output of n pieces with several goroutines and writes it in the order of the
// pieces, so that the output is the same for any number of goroutines. Each goroutine has a
// worker of its own, which appends piece i, such as a source's Append. write gets the output of
// some pieces at a time and must not keep it. The first error in the order of the pieces ends the
// work, after the earlier pieces are written. InOrder returns the number of pieces written. A
// worker's panic becomes a panic of InOrder, which then waits for no other worker: the panicking
// one may hold a lock for good.
func InOrder(ctx context.Context, jobs int, n uint64, worker func() func(ctx context.Context, dst []byte, i uint64) ([]byte, error), write func(out []byte, pieces int) error) (uint64, error) {
	ctx, cancel := context.WithCancel(ctx)
	wg := new(sync.WaitGroup)
	todo := make(chan *batch)
	panicked := make(chan *ahead.Panic, jobs)
	fall := func(p *ahead.Panic) {
		wg = new(sync.WaitGroup)
		panic(p)
	}
	defer func() {
		close(todo)
		cancel()
		wg.Wait()
	}()
	for range jobs {
		wg.Go(func() {
			defer ahead.Catch(func(p *ahead.Panic) { panicked <- p })
			appendPiece := worker()
			for b := range todo {
				for ; b.made < b.n && b.err == nil; b.made++ {
					var out []byte
					out, b.err = appendPiece(ctx, b.out, b.first+uint64(b.made))
					if b.err != nil {
						break
					}
					b.out = out
				}
				close(b.ready)
			}
		})
	}
	var waiting []*batch // handed out, in order
	var spare [][]byte
	next, written, size := uint64(0), uint64(0), 1
	for {
		for next < n && len(waiting) < 2*jobs {
			b := &batch{first: next, n: int(min(uint64(size), n-next)), ready: make(chan struct{})}
			if len(spare) > 0 {
				b.out, spare = spare[len(spare)-1][:0], spare[:len(spare)-1]
			}
			select {
			case todo <- b:
			case p := <-panicked:
				fall(p)
			case <-ctx.Done():
				return written, ctx.Err()
			}
			waiting = append(waiting, b)
			next += uint64(b.n)
		}
		if len(waiting) == 0 {
			return written, nil
		}
		b := waiting[0]
		waiting = waiting[1:]
		select {
		case <-b.ready:
		case p := <-panicked:
			fall(p)
		}
		if err := write(b.out, b.made); err != nil {
			return written, err
		}
		written += uint64(b.made)
		if b.err != nil {
			return written, b.err
		}
		size = nextSize(size, len(b.out)/b.n)
		spare = append(spare, b.out)
	}
}

// nextSize returns the number of pieces of the next batch, given the mean length
// of one.
func nextSize(size, mean int) int {
	return min(2*size, batchBytes/(mean+1)+1)
}
