package main

import (
	"encoding/json"
	"fmt"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/campaign"
	"github.com/gramfuzz/gramfuzz/internal/numbers"
	"github.com/gramfuzz/gramfuzz/internal/quote"
	"github.com/gramfuzz/gramfuzz/internal/screen"
	"github.com/gramfuzz/gramfuzz/internal/show"
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
		o.printJSON(e)
	}
	switch e.Kind {
	case campaign.Progress:
		o.line.Text("%s", e.Stats.Line())
	case campaign.Note:
		o.f.note("%s", e.Text)
	case campaign.Found:
		o.line.Clear()
		o.f.note("found %s, %s", e.Finding.Signature, numbers.Plural(len(e.Finding.Record.Text), "byte"))
	case campaign.Shrunk:
		o.line.Clear()
		if !o.f.json {
			o.print(fmt.Sprintf("%s\t%d\t%s\n", e.Finding.Key, len(e.Finding.Record.Text), quote.Text(e.Finding.Signature)))
		}
	}
}

func (o *fuzzPrinter) print(s string) {
	if err := o.f.std.print([]byte(s)); err != nil && o.err == nil {
		o.err = err
	}
}

func (o *fuzzPrinter) printJSON(e campaign.Event) {
	var rec *derive.Record
	if e.Finding != nil {
		rec = e.Finding.Record
	}
	line, err := json.Marshal(struct {
		campaign.Event
		Record *derive.Record `json:"record,omitempty"`
	}{e, rec})
	if err != nil && o.err == nil {
		o.err = err
	}
	o.print(string(line) + "\n")
}

// summary prints the result of a campaign on standard error.
func (o *fuzzPrinter) summary(s *campaign.Summary) {
	f := o.f
	for _, line := range s.Stats.Lines() {
		f.note("%s", line)
	}
	for _, fd := range s.Findings {
		f.note("%s, %s: %s", fd.Signature, numbers.Plural(len(fd.Record.Text), "byte"), fd.Replay(f.o.Dir+"/findings/"+fd.Key))
	}
	if n := len(s.Fixed); n > 0 {
		f.note("%s in %s/fixed: the program does not fail on them since it changed", numbers.Plural(n, "text"), f.o.Dir)
	}
	if s.Page != "" {
		f.note("the page of this campaign is %s", s.Page)
	}
}
