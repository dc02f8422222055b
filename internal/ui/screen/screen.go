package screen

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/gdamore/tcell/v3"
)

const (
	startAfter = 400 * time.Millisecond // shorter work shows no screen
	drawEvery  = 200 * time.Millisecond
	closeTime  = 2 * time.Second // a terminal that accepts no output is left unrestored
)

// View is the content of a screen.
type View interface {
	draw(c *canvas, now time.Time)
}

// Options are the options of a screen and its keys. View and Page are required.
type Options struct {
	View  View
	Title string // the work and its object

	// Interrupt is called for Ctrl-C and for the key that ends the work.
	Interrupt func()

	// Page writes the page of the work in its current state, and returns its path.
	Page func() (string, error)

	tty  tcell.Tty               // nil: the process's own terminal
	open func(path string) error // nil: the browser
}

// Screen owns a whole terminal until it is closed. It is safe for concurrent use. On a nil
// *Screen, methods do nothing.
type Screen struct {
	o      Options
	cells  tcell.Screen
	quit   chan struct{}
	closed sync.Once
	done   chan struct{} // closed when the terminal is restored

	mu     sync.Mutex
	on     bool          // it owns the terminal
	resume chan struct{} // closed at the end of a pause; nil: no pause
	ending bool
	status string // answer to the last key
	kept   []output
	last   []string // the messages among them
}

// output is a write to a terminal while the screen owned it.
type output struct {
	to   io.Writer
	data []byte
}

// Start opens a screen on the process's terminal. It appears a moment later, so that short work
// shows none. It returns an error if there is no suitable terminal.
func Start(o Options) (*Screen, error) {
	if o.tty == nil {
		if !foreground() {
			return nil, errors.New("the program runs in the background")
		}
		tty, err := tcell.NewDevTty()
		if err != nil {
			return nil, err
		}
		o.tty = tty
	}
	if o.open == nil {
		o.open = browse
	}
	// No queries are sent to the terminal: a late answer would become input of the shell.
	cells, err := tcell.NewTerminfoScreenFromTty(o.tty, tcell.OptSanitizeContent(true), tcell.OptNegotiation(false), tcell.OptKeyboardProtocol(tcell.LegacyKeyboard))
	if err != nil {
		return nil, err
	}
	s := &Screen{o: o, cells: cells, quit: make(chan struct{}), done: make(chan struct{})}
	go s.run()
	return s, nil
}

// run owns the terminal until the screen is closed. A panic restores the terminal, too.
func (s *Screen) run() {
	defer close(s.done)
	select {
	case <-s.quit:
		return
	case <-time.After(startAfter):
	}
	if err := s.cells.Init(); err != nil {
		return // nothing is shown, and output is not held back
	}
	defer s.cells.Fini()
	s.mu.Lock()
	s.on = true
	s.mu.Unlock()
	tick := time.NewTicker(drawEvery)
	defer tick.Stop()
	for {
		s.draw()
		select {
		case <-s.quit:
			return
		case <-tick.C:
		case e := <-s.cells.EventQ():
			switch e := e.(type) {
			case *tcell.EventKey:
				s.key(e)
			case *tcell.EventResize:
				s.cells.Sync()
			}
		}
	}
}

// key performs the action of a key.
func (s *Screen) key(e *tcell.EventKey) {
	end := e.Key() == tcell.KeyCtrlC || e.Str() == "q"
	s.mu.Lock()
	s.ending, s.status = s.ending || end, ""
	s.mu.Unlock()
	switch {
	case end:
		if s.o.Interrupt != nil {
			s.o.Interrupt()
		}
	case e.Str() == "p" || e.Str() == " ":
		s.pause()
	case e.Str() == "o":
		go s.openPage()
	case e.Key() == tcell.KeyCtrlL:
		s.cells.Sync()
	case e.Key() == tcell.KeyCtrlZ:
		s.suspend()
	}
}

// suspend restores the terminal and stops the program until the shell continues it.
func (s *Screen) suspend() {
	if s.cells.Suspend() != nil {
		return
	}
	stopJob()
	if s.cells.Resume() == nil {
		s.cells.Sync()
	}
}

// pause begins or ends a pause.
func (s *Screen) pause() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.resume != nil {
		close(s.resume)
		s.resume = nil
		return
	}
	s.resume = make(chan struct{})
}

// openPage writes the page and opens it in a browser.
func (s *Screen) openPage() {
	path, err := s.o.Page()
	status := "the page is " + path
	if err != nil {
		status = err.Error()
	} else if err := s.o.open(path); err != nil {
		status += "; no browser shows it: " + err.Error()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = status
}

// Gate waits while the work is paused. It returns the error of ctx.
func (s *Screen) Gate(ctx context.Context) error {
	if s == nil {
		return nil
	}
	for {
		s.mu.Lock()
		resume := s.resume
		s.mu.Unlock()
		if resume == nil {
			return nil
		}
		select {
		case <-resume:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Held returns a writer to a terminal that holds back its output while the screen owns the
// terminal. Close writes it.
func (s *Screen) Held(w io.Writer) io.Writer { return &held{s, w} }

type held struct {
	s *Screen
	w io.Writer
}

// The bounds of held output: pieces, and lines for the screen.
const (
	maxKept = 2000
	maxLast = 50
)

func (h *held) Write(data []byte) (int, error) {
	s := h.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.on {
		return h.w.Write(data)
	}
	if len(s.kept) == maxKept {
		s.kept = s.kept[1:]
	}
	s.kept = append(s.kept, output{h.w, bytes.Clone(data)})
	for line := range bytes.Lines(data) {
		if note, ok := bytes.CutPrefix(line, []byte("gramfuzz: ")); ok { // no result
			s.last = append(s.last, string(bytes.TrimSpace(note)))
		}
	}
	s.last = s.last[max(0, len(s.last)-maxLast):]
	return len(data), nil
}

// Close restores the terminal and writes the held output. It ends a pause. It returns the error
// of writing.
func (s *Screen) Close() (err error) {
	if s == nil {
		return nil
	}
	s.closed.Do(func() {
		close(s.quit)
		select {
		case <-s.done:
		case <-time.After(closeTime):
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.on = false
		if s.resume != nil {
			close(s.resume)
			s.resume = nil
		}
		for _, k := range s.kept {
			_, e := k.to.Write(k.data)
			err = errors.Join(err, e)
		}
		s.kept = nil
	})
	return err
}

// keys describes the keys in the last line of the screen.
const keys = "q end  p pause  o open the page"

// draw draws the screen.
func (s *Screen) draw() {
	s.mu.Lock()
	state, status, last := "", s.status, s.last
	switch {
	case s.ending:
		state = "ending"
	case s.resume != nil:
		state = "paused"
	}
	s.mu.Unlock()
	s.cells.Clear()
	w, h := s.cells.Size()
	c := &canvas{cells: s.cells, w: w, h: h - 1, ascii: s.cells.CharacterSet() != "UTF-8", messages: last}
	if state != "" {
		c.line(bold, state+": ", s.o.Title)
	} else {
		c.line(bold, s.o.Title)
	}
	s.o.View.draw(c, time.Now())
	c.y, c.h = h-1, h
	if status == "" {
		status = keys
	}
	c.line(reverse, status)
	s.cells.Show()
}
