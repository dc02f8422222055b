package main

import (
	"fmt"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/numbers"
	"github.com/gramfuzz/gramfuzz/internal/report"
	"github.com/gramfuzz/gramfuzz/internal/show"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// tracer follows a run for the progress line and for the page of --trace.
type tracer struct {
	line    *show.Line
	started time.Time
	from    int
	size    int
	page    *report.Reduction // nil without --trace
}

// see is called after every answer.
func (t *tracer) see(e reduce.Event) {
	if t.from == 0 {
		t.from, t.size = len(e.Text), len(e.Text)
	}
	if e.Accepted {
		t.size = len(e.Text)
	}
	if t.page != nil {
		t.page.Calls = e.Calls
		if n := len(t.page.Steps); e.Accepted && (n == 0 || t.page.Steps[n-1].Text != string(e.Text)) {
			t.page.Steps = append(t.page.Steps, report.Step{Calls: e.Calls, Pass: e.Pass, Text: string(e.Text)})
		}
	}
	t.line.Text("%s", t.status(e, time.Since(t.started)))
}

// status is the text of the line.
func (t *tracer) status(e reduce.Event, took time.Duration) string {
	return fmt.Sprintf("reducing: %d of %s, %s, %.0f a second, %s",
		t.size, numbers.Plural(t.from, "byte"), numbers.Plural(e.Calls, "call"), float64(e.Calls)/max(took.Seconds(), 1e-3), e.Pass)
}

// write writes the page.
func (t *tracer) write(std streams, path, title, note string) error {
	if t.page == nil {
		return nil
	}
	t.page.Title, t.page.Note = title, note
	return writeTo(std, path, t.page.WriteHTML)
}
