package show

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	progressAfter = 400 * time.Millisecond // shorter work shows nothing
	progressEvery = 100 * time.Millisecond
)

// Line shows progress on a terminal. It is safe for concurrent use. The zero value shows
// nothing.
type Line struct {
	w       io.Writer // nil: nothing is shown
	work    string
	mu      sync.Mutex
	started time.Time
	last    time.Time
}

// NewLine returns a line on a terminal for a kind of work; with w nil it shows nothing.
func NewLine(w io.Writer, work string) *Line { return &Line{w: w, work: work, started: time.Now()} }

// Share shows the share done, from 0 to 1.
func (p *Line) Share(done float64) { p.Text("%s %3.0f %%", p.work, 100*done) }

// Text shows a line of text.
func (p *Line) Text(format string, a ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.w == nil || now.Sub(p.started) < progressAfter || now.Sub(p.last) < progressEvery {
		return
	}
	p.last = now
	fmt.Fprintf(p.w, "\r"+format+"\x1b[K", a...)
}

// Clear removes the line until the next text.
func (p *Line) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w != nil && !p.last.IsZero() {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// End removes the line for good.
func (p *Line) End() {
	p.Clear()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.w = nil
}
