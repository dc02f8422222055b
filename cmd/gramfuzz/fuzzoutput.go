package main

import (
	"cmp"
	"fmt"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/lexical/show"
	"github.com/gramfuzz/gramfuzz/internal/ui/screen"
)

// fuzzPrinter prints the events of a campaign.
type fuzzPrinter struct {
	f    *fuzzFlags
	line *show.Line
	view *screen.Campaign
	err  error // the first error of writing to standard output
}

// event prints an event, as JSON or for people.
func (o *fuzzPrinter) event(e campaign.Event) {
	o.view.Event(e)
	if o.f.json {
		line, err := e.JSON()
		o.err = cmp.Or(o.err, err)
		o.print(string(line) + "\n")
	}
	switch e.Kind {
	case campaign.Progress:
		o.line.Text("%s", e.Stats.Line())
	case campaign.Note:
		o.f.note("%s", e.Text)
	case campaign.Found:
		o.line.Clear()
		o.f.note("found %s, %s", e.Finding.Signature, words.Plural(len(e.Finding.Record.Text), "byte"))
	case campaign.Shrunk:
		o.line.Clear()
		if !o.f.json {
			o.print(fmt.Sprintf("%s\t%d\t%s\n", e.Finding.Key, len(e.Finding.Record.Text), words.Quote(e.Finding.Signature)))
		}
	}
}

func (o *fuzzPrinter) print(s string) { o.err = cmp.Or(o.err, o.f.std.print([]byte(s))) }
