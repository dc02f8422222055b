package ahead_test

import (
	"context"
	"errors"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/base/ahead"
)

// TestNext checks that every value arrives in order, and then the error.
func TestNext(t *testing.T) {
	over := errors.New("over")
	n := 0
	v := ahead.Start(t.Context(), func(context.Context) (int, error) {
		n++
		if n > 1000 {
			return 0, over
		}
		return n, nil
	})
	defer v.Stop()
	for want := 1; want <= 1000; want++ {
		if got, err := v.Next(t.Context()); got != want || err != nil {
			t.Fatalf("%d (%v), want %d", got, err, want)
		}
	}
	for range 2 {
		if _, err := v.Next(t.Context()); err != over {
			t.Errorf("%v, want the error of the function", err)
		}
	}
}

// TestStop stops a function that runs until its context ends.
func TestStop(t *testing.T) {
	v := ahead.Start(t.Context(), func(ctx context.Context) (int, error) {
		<-ctx.Done()
		return 0, ctx.Err()
	})
	v.Stop()
	if _, err := v.Next(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was canceled", err)
	}
}

// TestPanic checks that a panic is passed on after the values before it.
func TestPanic(t *testing.T) {
	n := 0
	v := ahead.Start(t.Context(), func(context.Context) (int, error) {
		n++
		if n == 3 {
			panic("three")
		}
		return n, nil
	})
	defer v.Stop()
	for range 2 {
		if _, err := v.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	defer func() {
		if p, ok := recover().(*ahead.Panic); !ok || p.Value != "three" || len(p.Stack) == 0 {
			t.Errorf("%v, want the panic with its stack", p)
		}
	}()
	_, err := v.Next(t.Context())
	t.Errorf("no panic, but %v", err)
}
