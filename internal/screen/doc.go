// Package screen shows a campaign or a reduction on a whole terminal: how fast it is, what
// it found, how its curve runs, the text as it shrinks. Keys pause it, write and open its
// page, and end it.
//
//	view := screen.NewCampaign("json")
//	s, err := screen.Start(screen.Options{View: view, Interrupt: cancel})
//	defer s.Close()
//	o.Event = view.Event
//	o.Drive = view.Drive(s, o.Drive)
//
// All text goes through package quote before it is drawn. The terminal is as it was before
// when Close returns.
package screen
