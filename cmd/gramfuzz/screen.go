package main

import (
	"os"

	"golang.org/x/term"

	"github.com/gramfuzz/gramfuzz/internal/screen"
)

// screenFlags say how a command shows its progress on a terminal.
type screenFlags struct{ plain, watch bool }

func (s *screenFlags) add(f *flags) {
	f.BoolVar(&s.plain, "plain", false, "one line of progress on a terminal instead of the whole screen")
	f.BoolVar(&s.watch, "watch", false, "insist on the whole screen, which a terminal gets anyway: fail where there is none")
	f.addQuiet()
}

// start gives the terminal to a screen, and has it keep what the command prints there, until
// the returned function is called. There is no screen (nil) without a terminal, and with
// --plain, -q or results that are wanted as they come.
func (s *screenFlags) start(f *flags, now bool, o screen.Options) (*screen.Screen, func() error, error) {
	in, ok := f.std.in.(*os.File)
	ok = ok && term.IsTerminal(int(in.Fd())) && onTerminal(f.std.err) && !s.plain && !f.quiet && !(now && onTerminal(f.std.out))
	var scr *screen.Screen
	if ok {
		o.Interrupt = f.std.interrupt
		var err error
		scr, err = screen.Start(o)
		ok = err == nil
	}
	if !ok {
		if s.watch {
			return nil, nil, f.wrong("--watch shows nothing here; standard input and standard error have to be a terminal that TERM does not call dumb, without --plain, -q or --json")
		}
		return nil, func() error { return nil }, nil
	}
	old := f.std
	f.std.screen.Store(scr)
	f.std.err = scr.Held(old.err)
	if onTerminal(old.out) {
		f.std.out = scr.Held(old.out)
	}
	return scr, func() error { f.std = old; return scr.Close() }, nil
}
