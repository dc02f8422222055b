package stream_test

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/base/ahead"
	"github.com/gramfuzz/gramfuzz/stream"
)

// TestInOrderPanics checks that a worker's panic becomes the caller's, with the worker's stack,
// even if the worker keeps a lock that others wait for.
func TestInOrderPanics(t *testing.T) {
	for _, jobs := range []int{1, 4} {
		for _, where := range []string{"a piece", "the worker"} {
			var lock sync.Mutex
			written := 0
			value := func() (value any) {
				defer func() { value = recover() }()
				_, err := stream.InOrder(t.Context(), jobs, 1000, func() func(context.Context, []byte, uint64) ([]byte, error) {
					if where == "the worker" {
						panic("broken")
					}
					return func(_ context.Context, dst []byte, i uint64) ([]byte, error) {
						lock.Lock()
						if i == 500 {
							panic("broken")
						}
						lock.Unlock()
						return append(strconv.AppendUint(dst, i, 10), '\n'), nil
					}
				}, func(_ []byte, pieces int) error {
					written += pieces
					return nil
				})
				t.Errorf("%d jobs, %s: it ended with %v", jobs, where, err)
				return nil
			}()
			p, ok := value.(*ahead.Panic)
			if !ok || p.String() != "broken" || !strings.Contains(string(p.Stack), "TestInOrderPanics") || written > 500 {
				t.Errorf("%d jobs, %s: after %d pieces the panic is %v", jobs, where, written, value)
			}
		}
	}
}
