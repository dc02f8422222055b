package cputime

import (
	"testing"
	"time"
)

// TestWithLimit computes until the limit is reached, and not less.
func TestWithLimit(t *testing.T) {
	const limit = 30 * time.Millisecond
	begin := Used()
	ctx, cancel := WithLimit(t.Context(), limit)
	defer cancel()
	for n := 0; ctx.Err() == nil; n++ {
	}
	if used := Used() - begin; used < limit {
		t.Errorf("it ended after %v, before %v", used, limit)
	}
	ctx, cancel = WithLimit(t.Context(), time.Hour)
	cancel()
	if ctx.Err() == nil {
		t.Error("cancel does not end it")
	}
}
