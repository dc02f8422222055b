package screen

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/lexical/show"
	"github.com/gramfuzz/gramfuzz/internal/ui/report"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// Reduction follows a run of a reducer: for a screen, for a line of progress, and for its page.
// It is safe for concurrent use.
type Reduction struct {
	Line *show.Line // shows the run if no screen does; may be nil

	mu      sync.Mutex
	started time.Time
	from    int
	size    int
	calls   int
	steps   int
	pass    string
	passes  []passCount // in the order of their first answers
	text    []byte      // beginning of the best text so far
	sizes   curve       // over calls
	rate    rate
	page    *report.Reduction // nil: no page
}

// passCount holds the counts of a pass.
type passCount struct {
	name           string
	asked, shorter int
	bytes          int
}

// maxText bounds, in bytes, the part of the text kept for display.
const maxText = 64 << 10

// NewReduction returns a view of a run that begins now. It keeps the steps for a page if page
// is set.
func NewReduction(page bool) *Reduction {
	v := &Reduction{started: time.Now()}
	if page {
		v.page = &report.Reduction{}
	}
	return v
}

// Event processes an answer of the predicate or the cache.
func (v *Reduction) Event(e reduce.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.from == 0 {
		v.from, v.size = len(e.Text), len(e.Text)
	}
	i := slices.IndexFunc(v.passes, func(p passCount) bool { return p.name == e.Pass })
	if i < 0 {
		i = len(v.passes)
		v.passes = append(v.passes, passCount{name: e.Pass})
	}
	v.calls, v.pass = e.Calls, e.Pass
	v.passes[i].asked++
	if e.Accepted {
		v.passes[i].shorter++
		v.passes[i].bytes += v.size - len(e.Text)
		v.steps++
		v.size, v.text = len(e.Text), bytes.Clone(e.Text[:min(len(e.Text), maxText)])
	}
	v.sizes.add(float64(e.Calls), float64(v.size))
	if v.page != nil {
		v.page.Calls = e.Calls
		if n := len(v.page.Steps); e.Accepted && (n == 0 || v.page.Steps[n-1].Text != string(e.Text)) {
			v.page.Steps = append(v.page.Steps, report.Step{Calls: e.Calls, Pass: e.Pass, Text: string(e.Text)})
		}
	}
	if v.Line != nil {
		v.Line.Text("reducing: %s, %.0f a second, %s", v.progress(), float64(v.calls)/max(time.Since(v.started).Seconds(), 1e-3), v.pass)
	}
}

// Predicate returns a predicate that waits while the screen is paused.
func (s *Screen) Predicate(p reduce.Predicate) reduce.Predicate {
	return func(ctx context.Context, text []byte) (bool, error) {
		if err := s.Gate(ctx); err != nil {
			return false, err
		}
		return p(ctx, text)
	}
}

// progress describes the progress of the run.
func (v *Reduction) progress() string {
	return fmt.Sprintf("%d of %s, %s", v.size, words.Plural(v.from, "byte"), words.Plural(v.calls, "call"))
}

// HTML returns the page about the run in its current state; nil if it has none.
func (v *Reduction) HTML(title, note string) ([]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.page == nil {
		return nil, nil
	}
	v.page.Title, v.page.Note = title, note
	var b bytes.Buffer
	err := v.page.WriteHTML(&b)
	return b.Bytes(), err
}

func (v *Reduction) draw(c *canvas, now time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	c.field("time", "%s; %.0f calls a second", ago(now.Sub(v.started).Truncate(time.Second)), v.rate.add(now, float64(v.calls)))
	c.field("pass", "%s", v.pass)
	c.field("size", "%s, %s accepted; over calls:", v.progress(), words.Plural(v.steps, "step"))
	if rest := c.left(); rest >= 12 {
		c.plot(&v.sizes, float64(v.from), min(rest/6, 5))
		v.drawPasses(c, min(rest/5, 8))
	}
	if c.left() < 8 || len(c.messages) == 0 {
		v.drawText(c)
		return
	}
	c.h--
	v.drawText(c)
	c.y, c.h = c.h, c.h+1
	c.log(1)
}

// drawPasses draws the passes that removed the most.
func (v *Reduction) drawPasses(c *canvas, lines int) {
	best := slices.Clone(v.passes)
	slices.SortStableFunc(best, func(a, b passCount) int { return b.bytes - a.bytes })
	best = slices.DeleteFunc(best, func(p passCount) bool { return p.shorter == 0 || p.name == "input" })
	for i, p := range best[:min(len(best), lines)] {
		if i == 0 {
			c.line(bold, fmt.Sprintf("%9s %8s %8s  pass", "bytes", "steps", "asked"))
		}
		c.line(normal, fmt.Sprintf("%9d %8d %8d  ", p.bytes, p.shorter, p.asked), p.name)
	}
}

// drawText draws the text in the remaining lines; a long line continues on the next.
func (v *Reduction) drawText(c *canvas) {
	if c.left() > 4 {
		c.line(bold, "the text so far")
	}
	for line := range strings.Lines(string(v.text)) {
		if c.left() == 0 {
			return
		}
		c.wrapped(strings.TrimSuffix(line, "\n"))
	}
}
