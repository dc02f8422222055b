package campaign

import (
	"context"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
)

// TestPanic checks that a worker's panic is one of Run, with the stack of the worker, although
// other workers may never end.
func TestPanic(t *testing.T) {
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	began := make(chan struct{})
	var first = make(chan bool, 1)
	first <- true
	c, err := New(t.Context(), grammars.Must("json"), Options{Dir: t.TempDir(), Jobs: 2, Drive: Func(func(context.Context, []byte) (*Ran, error) {
		select {
		case <-first:
			<-began
			panic("broken")
		default:
			close(began)
			<-hang
			return nil, context.Canceled
		}
	})})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		p, ok := recover().(*Panic)
		if !ok || p.String() != "broken" || !strings.Contains(string(p.Stack), "panic_test.go") {
			t.Errorf("recovered %v", p)
		}
	}()
	_, err = c.Run(t.Context())
	t.Errorf("it ended with %v", err)
}

// TestWritePage checks that the page may be written while the campaign runs.
func TestWritePage(t *testing.T) {
	var c *Campaign
	written := 0
	o := Options{Dir: t.TempDir(), Runs: 300, Drive: Func(func(context.Context, []byte) (*Ran, error) {
		if written == 0 {
			written++
			path, err := c.WritePage()
			if err != nil || !strings.HasSuffix(path, pageName) {
				return nil, err
			}
		}
		return &Ran{}, nil
	})}
	var err error
	if c, err = New(t.Context(), grammars.Must("json"), o); err != nil {
		t.Fatal(err)
	}
	if sum, err := c.Run(t.Context()); err != nil || written != 1 || sum.Runs < 300 {
		t.Errorf("written %d times; %+v, %v", written, sum, err)
	}
}
