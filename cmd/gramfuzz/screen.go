package main

import (
	"os"

	"golang.org/x/term"

	"github.com/gramfuzz/gramfuzz/internal/ui/screen"
)

// screenFlags select how a command shows its progress on a terminal.
type screenFlags struct{ plain, watch bool }

func (s *screenFlags) add(f *flags) {
	f.BoolVar(&s.plain, "plain", false, "one line of progress on a terminal instead of the full screen")
	f.BoolVar(&s.watch, "watch", false, "require the full screen, the default on a terminal: fail without one")
	f.addQuiet()
}

// start opens a screen on the terminal, which keeps the printed output until the returned
// function is called. The screen is nil without a terminal, and with --plain, -q or results that
// are printed as they come.
func (s *screenFlags) start(f *flags, asTheyCome bool, o screen.Options) (scr *screen.Screen, end func() error, err error) {
	old := f.std
	in, ok := old.in.(*os.File)
	if ok && term.IsTerminal(int(in.Fd())) && onTerminal(old.err) && !s.plain && !f.quiet && !(asTheyCome && onTerminal(old.out)) {
		o.Interrupt = old.interrupt
		scr, _ = screen.Start(o) // if it fails, there is a progress line
	}
	if scr != nil {
		f.std.screen.Store(scr)
		f.std.err = scr.Held(old.err)
		if onTerminal(old.out) {
			f.std.out = scr.Held(old.out)
		}
	} else if s.watch {
		err = f.wrong("--watch shows nothing here; standard input and standard error have to be a terminal that TERM does not call dumb, without --plain, -q or --json")
	}
	return scr, func() error { f.std = old; return scr.Close() }, err
}
