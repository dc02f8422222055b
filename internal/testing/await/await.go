// Package await waits in tests for events of processes, terminals and networks. Nothing but the
// timeout of go test limits the wait, so a busy machine fails no test.
package await

import (
	"testing"
	"time"
)

const (
	pause = 5 * time.Millisecond // between two calls
	spare = 15 * time.Second     // for the message and the cleanup before go test's timeout
)

// Until waits until ok returns true. Shortly before go test's timeout it ends the test with
// missing's description of the event.
func Until(t testing.TB, ok func() bool, missing func() string) {
	t.Helper()
	end, limited := time.Time{}, false
	if t, is := t.(interface{ Deadline() (time.Time, bool) }); is {
		end, limited = t.Deadline()
	}
	for ; !ok(); time.Sleep(pause) {
		if limited && time.Until(end) < spare {
			t.Fatal("waited in vain: " + missing())
		}
	}
}
