package show

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestLine checks that short work shows nothing, and that a shown line is removed.
func TestLine(t *testing.T) {
	var out bytes.Buffer
	p := NewLine(&out, "counting")
	p.started = time.Now().Add(time.Hour) // the work has only begun, however slow the machine is
	p.Share(0.1)
	p.End()
	if out.Len() > 0 {
		t.Errorf("short work shows %q", &out)
	}
	for _, test := range []struct {
		do   func(p *Line)
		want string
	}{
		{func(p *Line) { p.Share(0.25) }, `counting  25 %, 3m\d+s left`},
		{func(p *Line) { p.Share(1) }, "counting 100 %"},
		{func(p *Line) { p.Done(120, 0) }, `counting: 120, 2 a second`},
		{func(p *Line) { p.Done(120, 480) }, `counting: 120 of 480, 2 a second, 3m\d+s left`},
		{func(p *Line) { p.Done(1, 1<<40) }, "counting: 1 of 1099511627776, 0 a second, days left"},
	} {
		out.Reset()
		p = NewLine(nil, "counting")
		p.w, p.started = &out, time.Now().Add(-time.Minute)
		test.do(p)
		p.last = time.Now().Add(time.Hour) // shown just now
		p.Share(0.5)
		p.End()
		p.End()
		p.Share(1)
		if want := regexp.MustCompile("^\r" + test.want + `\x1b\[K\r\x1b\[K$`); !want.MatchString(out.String()) {
			t.Errorf("%q, want %v", &out, want)
		}
	}
	var none Line
	none.Share(1)
	NewLine(nil, "counting").Clear()
}

// TestLineTicks checks that a line without reports shows the elapsed time.
func TestLineTicks(t *testing.T) {
	r, w := io.Pipe()
	p := NewLine(w, "checking")
	line := make([]byte, 100)
	n, err := r.Read(line)
	if err != nil || !strings.HasPrefix(string(line[:n]), "\rchecking, ") {
		t.Errorf("%q, %v", line[:n], err)
	}
	go io.Copy(io.Discard, r)
	p.End()
}
