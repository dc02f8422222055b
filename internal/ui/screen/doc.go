// Package screen shows a campaign or a reduction on a whole terminal: its speed, its findings,
// its curve, the text as it shrinks. Keys pause it, write and open its page, and end it.
//
//	view := screen.NewCampaign()
//	s, err := screen.Start(screen.Options{View: view, Title: "json", Interrupt: cancel, Page: view.Page})
//	defer s.Close()
//	o.Event, o.Drive = view.Event, view.Drive(s, o.Drive)
//	c, err := campaign.New(ctx, g, o)
//	view.Begin(c)
//	sum, err := c.Run(ctx)
//
// All text goes through words.Quote before it is drawn. Close restores the terminal.
package screen
