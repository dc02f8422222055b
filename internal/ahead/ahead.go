// Package ahead makes values before they are asked for, on another processor.
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

// Values are made in batches, as handing over one by one takes longer than making small
// ones. A batch is complete when it has batchSize values, or took batchTime.
const (
	batchSize = 16
	batchTime = 5 * time.Millisecond
	batches   = 4 // made at most before one is asked for
)

// Values are the values that one function makes, in order. They are for one goroutine.
type Values[T any] struct {
	made  chan batch[T]
	stop  context.CancelFunc
	batch batch[T] // the rest of what was handed over last
}

// batch is some values, and what ended making them.
type batch[T any] struct {
	values []T
	err    error
	panic  *Panic
}

// Panic is a panic of another goroutine, such as the one of the function that makes values,
// which Next passes on.
type Panic struct {
	Value any
	Stack []byte
}

// String returns the value as text.
func (p *Panic) String() string { return fmt.Sprint(p.Value) }

// Catch, deferred, recovers from a panic and passes it to note. A *Panic is passed on as it
// is.
func Catch(note func(*Panic)) {
	if value := recover(); value != nil {
		p, ok := value.(*Panic)
		if !ok {
			p = &Panic{value, debug.Stack()}
		}
		note(p)
	}
}

// Start calls next again and again on a goroutine of its own, until it fails, ctx ends, or
// Stop is called.
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
		if b.err = err; err != nil {
			break
		}
		b.values = append(b.values, value)
	}
	return b
}

// Next returns the next value, or what ended making them: the error of the function or of
// a context. A panic of the function is one of Next, with a [*Panic].
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
			if v.batch = b; !ok {
				v.batch.err = context.Canceled
			}
		case <-ctx.Done():
			return value, ctx.Err()
		}
	}
	value, v.batch.values = v.batch.values[0], v.batch.values[1:]
	return value, nil
}

// Stop ends making values and waits for the one under way.
func (v *Values[T]) Stop() {
	v.stop()
	for range v.made {
	}
}
