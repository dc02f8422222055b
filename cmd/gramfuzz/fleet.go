package main

import (
	"context"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/fleet"
)

const fleetAbout = `
Show the state of a fleet: its workers with their rates and the age of their last
reports, findings, entries (texts with new behaviour), and the leases of blocks of
sentences.`

func runFleet(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "fleet status --hub URL [flags]", fleetAbout)
	var l loginFlags
	l.add(f)
	asJSON := f.addJSON("workers, findings, entries, leases and more")
	f.addQuiet()
	if err := f.parse(args, 1); err != nil {
		return err
	}
	if f.Arg(0) != "status" {
		return f.wrong("fleet has one subcommand, status; write gramfuzz fleet status")
	}
	if err := l.check(f); err != nil {
		return err
	}
	if !l.joins() {
		l.login.URL = "nats://" + fleet.DefaultListen
	}
	nc, err := l.login.Connect(false)
	if err != nil {
		return err
	}
	defer nc.Close()
	watch, err := fleet.NewWatch(nc, l.name)
	if err != nil {
		return err
	}
	st, err := watch.Status(ctx)
	if err != nil {
		return err
	}
	if *asJSON {
		return std.printJSON(st)
	}
	return std.print([]byte(st.Text()))
}
