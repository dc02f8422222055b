// Package ahead computes values before they are requested, on another goroutine.
//
//	d := ahead.Start(ctx, func(ctx context.Context) (*Input, error) { return draw(ctx) })
//	defer d.Stop()
//	in, err := d.Next(ctx)
package ahead

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// Values are made in batches, because handing over a small value takes longer than making
// it. A batch is complete when it has batchSize values or took batchTime.
const (
	batchSize = 16
	batchTime = 5 * time.Millisecond
	batches   = 4 // the bound of batches made in advance
)

// Values is the sequence of values that one function makes. It is for one goroutine.
type Values[T any] struct {
	made  chan batch[T]
	stop  context.CancelFunc
	batch batch[T] // the rest of the current batch
}

// batch is some values, and the error or panic that ended the sequence, if any.
type batch[T any] struct {
	values []T
	err    error
	panic  *Panic
}

// Panic is a panic of another goroutine. [Values.Next] passes on that of the function that
// makes values.
type Panic struct {
	Value any
	Stack []byte
}

// String returns the value as text.
func (p *Panic) String() string { return fmt.Sprint(p.Value) }

// Catch recovers from a panic and passes it to note. It has to be deferred. A *Panic is
// passed on unchanged.
func Catch(note func(*Panic)) {
	if value := recover(); value != nil {
		p, ok := value.(*Panic)
		if !ok {
			p = &Panic{value, debug.Stack()}
		}
		note(p)
	}
}

// Start calls next repeatedly on a new goroutine, until next fails, ctx ends, or Stop is
// called. The values are returned by [Values.Next].
func Start[T any](ctx context.Context, next func(context.Context) (T, error)) *Values[T] {
	ctx, stop := context.WithCancel(ctx)
	v := &Values[T]{made: make(chan batch[T], batches), stop: stop}
	go func() {
		defer close(v.made)
		var b batch[T]
		for ctx.Err() == nil && b.err == nil && b.panic == nil {
			b = fill(ctx, next)
			select {
			case v.made <- b:
			case <-ctx.Done():
			}
		}
	}()
	return v
}

// fill makes a batch.
func fill[T any](ctx context.Context, next func(context.Context) (T, error)) (b batch[T]) {
	defer Catch(func(p *Panic) { b.panic = p })
	for begun := time.Now(); len(b.values) < batchSize && (len(b.values) == 0 || time.Since(begun) < batchTime); {
		value, err := next(ctx)
		b.err = err
		if err != nil {
			break
		}
		b.values = append(b.values, value)
	}
	return b
}

// Next returns the next value, or the error that ended the sequence: that of the function or
// of a context. If the function panicked, Next panics with a [*Panic].
func (v *Values[T]) Next(ctx context.Context) (value T, err error) {
	for len(v.batch.values) == 0 {
		if v.batch.panic != nil {
			panic(v.batch.panic)
		}
		if v.batch.err != nil {
			return value, v.batch.err
		}
		select {
		case b, ok := <-v.made:
			v.batch = b
			if !ok {
				v.batch.err = context.Canceled
			}
		case <-ctx.Done():
			return value, ctx.Err()
		}
	}
	value, v.batch.values = v.batch.values[0], v.batch.values[1:]
	return value, nil
}

// Stop ends the sequence and waits for the value in progress.
func (v *Values[T]) Stop() {
	v.stop()
	for range v.made {
	}
}
