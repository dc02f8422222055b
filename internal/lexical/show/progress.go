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
	silentFor     = time.Second // then the line shows the elapsed time
)

// Line shows progress on a terminal. It is safe for concurrent use. The zero value shows
// nothing.
type Line struct {
	w       io.Writer // nil: silent
	work    string
	mu      sync.Mutex
	started time.Time
	last    time.Time
	shown   bool
	ended   chan struct{}
}

// NewLine returns a line on a terminal for a kind of work; with w nil it shows nothing. Until
// [Line.End] it shows the elapsed time where nothing else is shown.
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

// Share shows the finished share, from 0 to 1, and the time left.
func (p *Line) Share(done float64) { p.Text("%s %3.0f %%%s", p.work, 100*done, p.left(done)) }

// Done shows the number of finished things, the total, the rate, and the time left. A total of 0
// is unknown.
func (p *Line) Done(done, total uint64) {
	rate := float64(done) / max(time.Since(p.started).Seconds(), 1e-3)
	if total == 0 {
		p.Text("%s: %d, %.0f a second", p.work, done, rate)
	} else {
		p.Text("%s: %d of %d, %.0f a second%s", p.work, done, total, rate, p.left(float64(done)/float64(total)))
	}
}

// left formats the time left for a finished share.
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

// Clear removes the line until the next text. It does nothing for a nil line.
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

// End removes the line for good. It does nothing for a nil line.
func (p *Line) End() {
	if p == nil {
		return
	}
	p.Clear()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.w = nil
	if p.ended != nil {
		close(p.ended)
		p.ended = nil
	}
}
