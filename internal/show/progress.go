package show

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

const (
	progressAfter = 400 * time.Millisecond // shorter work shows nothing
	progressEvery = 100 * time.Millisecond
	silentFor     = time.Second // then the line says how long the work takes already
)

// Line shows progress on a terminal. It is safe for concurrent use. The zero value shows
// nothing.
type Line struct {
	w       io.Writer // nil: nothing is shown
	work    string
	mu      sync.Mutex
	started time.Time
	last    time.Time
	shown   bool
	ended   chan struct{}
}

// NewLine returns a line on a terminal for a kind of work; with w nil it shows nothing.
// Until [Line.End] it says how long the work takes where nothing else is shown.
func NewLine(w io.Writer, work string) *Line {
	p := &Line{w: w, work: work, started: time.Now()}
	if w != nil {
		p.ended = make(chan struct{})
		go p.tick(p.ended)
	}
	return p
}

func (p *Line) tick(ended <-chan struct{}) {
	t := time.NewTicker(silentFor / 2)
	defer t.Stop()
	for {
		select {
		case <-ended:
			return
		case <-t.C:
		}
		p.mu.Lock()
		silent := time.Since(p.last) >= silentFor
		p.mu.Unlock()
		if silent {
			p.Text("%s, %v", p.work, time.Since(p.started).Round(time.Second))
		}
	}
}

// Share shows the share done, from 0 to 1, and the time left.
func (p *Line) Share(done float64) { p.Text("%s %3.0f %%%s", p.work, 100*done, p.left(done)) }

// Done shows how many of total things are done, the rate, and the time left. With total 0 it
// is not known how many there are.
func (p *Line) Done(done, total uint64) {
	rate := float64(done) / max(time.Since(p.started).Seconds(), 1e-3)
	if total == 0 {
		p.Text("%s: %d, %.0f a second", p.work, done, rate)
	} else {
		p.Text("%s: %d of %d, %.0f a second%s", p.work, done, total, rate, p.left(float64(done)/float64(total)))
	}
}

// left formats the time left where a share is done.
func (p *Line) left(done float64) string {
	if done <= 0 || done >= 1 {
		return ""
	}
	left := time.Since(p.started).Seconds() * (1 - done) / done
	if left > 100*3600 {
		return ", days left"
	}
	return fmt.Sprintf(", %v left", (time.Duration(left) * time.Second).String())
}

// Text shows a line of text.
func (p *Line) Text(format string, a ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.w == nil || now.Sub(p.started) < progressAfter || now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.shown = now, true
	fmt.Fprintf(p.w, "\r%s\x1b[K", strings.TrimSpace(fmt.Sprintf(format, a...)))
}

// Clear removes the line until the next text. A nil line is none.
func (p *Line) Clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w != nil && p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// End removes the line for good.
func (p *Line) End() {
	p.Clear()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.w = nil
	if p.ended != nil {
		close(p.ended)
		p.ended = nil
	}
}
