package show

import (
	"bytes"
	"testing"
	"time"
)

// TestLine: short work shows nothing; a line that was shown is removed.
func TestLine(t *testing.T) {
	var out bytes.Buffer
	p := NewLine(&out, "counting")
	p.started = time.Now().Add(time.Hour) // it has only begun, however slow the machine is
	p.Share(0.1)
	p.End()
	if out.Len() > 0 {
		t.Errorf("short work shows %q", &out)
	}
	p = NewLine(&out, "counting")
	p.started = time.Time{}
	p.Share(0.25)
	p.last = time.Now().Add(time.Hour) // shown just now
	p.Share(0.5)
	p.End()
	p.Share(1)
	if got, want := out.String(), "\rcounting  25 %\x1b[K\r\x1b[K"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var none Line
	none.Share(1)
	NewLine(nil, "counting").Clear()
}
