// Package screen shows a campaign or a reduction on a whole terminal: how fast it is, what
// it found, how its curve runs, the text as it shrinks. Keys pause it, write and open its
// page, and end it.
//
//	view := screen.NewCampaign()
//	s, err := screen.Start(screen.Options{View: view, Title: "json", Interrupt: cancel, Page: view.Page})
//	defer s.Close()
//	o.Event, o.Drive = view.Event, view.Drive(s, o.Drive)
//	c, err := campaign.New(ctx, g, o)
//	view.Begin(c)
//	sum, err := c.Run(ctx)
//
// All text goes through package quote before it is drawn. The terminal is as it was before
// when Close returns.
package screen
