package main

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

// progressLine shows progress on a terminal. The zero value shows nothing.
type progressLine struct {
	w       io.Writer // nil: nothing is shown
	what    string
	mu      sync.Mutex
	started time.Time
	last    time.Time
}

// progress returns a line for work called what. It shows nothing with -q, or if
// standard error is no terminal.
func (f *flags) progress(what string) *progressLine {
	p := &progressLine{what: what, started: time.Now()}
	if !f.quiet && onTerminal(f.std.err) {
		p.w = f.std.err
	}
	return p
}

// show shows the share done, from 0 to 1.
func (p *progressLine) show(done float64) { p.text("%s %3.0f %%", p.what, 100*done) }

// text shows a line of text.
func (p *progressLine) text(format string, a ...any) {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Sub(p.started) < progressAfter || now.Sub(p.last) < progressEvery {
		return
	}
	p.last = now
	fmt.Fprintf(p.w, "\r"+format+"\x1b[K", a...)
}

// clear removes the line until the next text.
func (p *progressLine) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w != nil && !p.last.IsZero() {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// end removes the line for good.
func (p *progressLine) end() {
	p.clear()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.w = nil
}
