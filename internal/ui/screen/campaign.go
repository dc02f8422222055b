package screen

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
)

// Campaign is the view of a campaign. It is safe for concurrent use.
type Campaign struct {
	mu       sync.Mutex
	c        *campaign.Campaign // nil before Begin
	stats    campaign.Stats
	at       time.Time // of stats
	rate     rate
	perSec   float64
	alts     curve
	findings []*campaign.Finding // newest first
	slow     []slowRun           // slowest first
	enough   atomic.Int64        // least time of a run, in nanoseconds, to be among the slowest
}

// slowRun is the text of a slow run.
type slowRun struct {
	text []byte // its beginning
	size int
	took time.Duration
}

// The bounds of the data kept for display.
const (
	maxSlow     = 8
	maxSlowText = 400
	maxShown    = 200 // findings
)

// NewCampaign returns a view of a campaign. [Campaign.Begin] sets the campaign, and
// [Campaign.Event] reports its events.
func NewCampaign() *Campaign { return &Campaign{} }

// Begin sets the campaign and loads the findings of earlier runs.
func (v *Campaign) Begin(c *campaign.Campaign) {
	all, _ := c.Folder().Findings() // the run reports its errors
	v.mu.Lock()
	defer v.mu.Unlock()
	v.c = c
	for _, fd := range all {
		if fd.Fixed.IsZero() {
			v.put(fd)
		}
	}
}

// Page writes the page of the campaign in its current state and returns its path.
func (v *Campaign) Page() (string, error) {
	v.mu.Lock()
	c := v.c
	v.mu.Unlock()
	if c == nil {
		return "", errors.New("the campaign has not begun yet")
	}
	return c.WritePage()
}

// put adds a finding, or replaces it by its newer form.
func (v *Campaign) put(fd *campaign.Finding) {
	fd = &campaign.Finding{Key: fd.Key, Signature: fd.Signature, Found: fd.Found, From: fd.From, Shrunk: fd.Shrunk, Record: fd.Record}
	if i := slices.IndexFunc(v.findings, func(old *campaign.Finding) bool { return old.Key == fd.Key }); i >= 0 {
		fd.Found = v.findings[i].Found
		v.findings[i] = fd
		return
	}
	v.findings = append(v.findings, fd)
	slices.SortStableFunc(v.findings, func(a, b *campaign.Finding) int { return b.Found.Compare(a.Found) })
	v.findings = v.findings[:min(len(v.findings), maxShown)]
}

// Event processes an event of the campaign.
func (v *Campaign) Event(e campaign.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if e.Finding != nil {
		v.put(e.Finding)
	}
	if s := e.Stats; s != nil {
		v.stats, v.at = *s, e.Time
		v.perSec = v.rate.add(e.Time, float64(s.Runs))
		v.alts.add(s.Seconds, float64(s.Alternatives))
	}
}

// Drive returns drivers that wait while the screen is paused and report the times of runs to
// the view.
func (v *Campaign) Drive(s *Screen, drive campaign.Drive) campaign.Drive {
	return func(ctx context.Context) (campaign.Driver, error) {
		d, err := drive(ctx)
		if err != nil {
			return nil, err
		}
		w := watched{Driver: d, s: s, v: v}
		if starter, ok := d.(campaign.Starter); ok {
			return &watchedStarter{watched: w, starter: starter}, nil
		}
		return &w, nil
	}
}

// watched is a driver with timed runs that can be paused.
type watched struct {
	campaign.Driver
	s *Screen
	v *Campaign
}

// Unwrap returns the driver itself, whose other methods are neither timed nor held.
func (d *watched) Unwrap() campaign.Driver { return d.Driver }

func (d *watched) Run(ctx context.Context, text []byte) (*campaign.Ran, error) {
	if err := d.s.Gate(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	r, err := d.Driver.Run(ctx, text)
	if err == nil {
		d.v.ran(text, tookOf(r, began))
	}
	return r, err
}

// watchedStarter is a watched driver that starts runs and waits for them later.
type watchedStarter struct {
	watched
	starter campaign.Starter
	began   time.Time
	text    []byte // of the run; the caller may change it after Begin
}

func (d *watchedStarter) Begin(ctx context.Context, text []byte) error {
	if err := d.s.Gate(ctx); err != nil {
		return err
	}
	d.began, d.text = time.Now(), append(d.text[:0], text...)
	return d.starter.Begin(ctx, text)
}

func (d *watchedStarter) End(ctx context.Context) (*campaign.Ran, error) {
	r, err := d.starter.End(ctx)
	if err == nil {
		d.v.ran(d.text, tookOf(r, d.began))
	}
	return r, err
}

// tookOf returns the duration of a run: its own measurement, or else the time since it began.
func tookOf(r *campaign.Ran, began time.Time) time.Duration {
	if r.Result != nil && r.Result.Wall > 0 {
		return r.Result.Wall
	}
	return time.Since(began)
}

// ran records a run if it is among the slowest.
func (v *Campaign) ran(text []byte, took time.Duration) {
	if int64(took) <= v.enough.Load() {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	run := slowRun{bytes.Clone(text[:min(len(text), maxSlowText)]), len(text), took}
	for i, old := range v.slow {
		if old.size == run.size && bytes.Equal(old.text, run.text) {
			if old.took >= took {
				return
			}
			v.slow = slices.Delete(v.slow, i, i+1)
			break
		}
	}
	v.slow = append(v.slow, run)
	slices.SortStableFunc(v.slow, func(a, b slowRun) int { return cmp.Compare(b.took, a.took) })
	if len(v.slow) >= maxSlow {
		v.slow = v.slow[:maxSlow]
		v.enough.Store(int64(v.slow[maxSlow-1].took))
	}
}

func (v *Campaign) draw(c *canvas, now time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	s := v.stats
	judged := s.Taken + s.Refused + s.Failed
	c.field("runs", "%d in %s; %.0f a second now, %.0f in all", s.Runs, ago(time.Duration(s.Seconds*1e9).Truncate(time.Second)), v.perSec, s.PerSecond)
	c.field("accepted", "%s; refused %s, failed %s", percent(s.Taken, judged), percent(s.Refused, judged), percent(s.Failed, judged))
	c.field("findings", "%d; behaviours %d, nothing new for %s", s.Findings, s.Labels, ago(time.Duration((s.Seconds-s.LastNew)*1e9).Truncate(time.Second)))
	covered := ""
	if s.Covered >= 0 {
		covered = fmt.Sprintf("; all of at most %s were run", words.Plural(s.Covered, "terminal"))
	}
	c.field("sentences", "%d%s", s.Sentences, covered)
	if s.AllOf > 0 {
		c.field("grammar", "%d of %d alternatives used; over time:", s.Alternatives, s.AllOf)
		if rest := c.left(); rest >= 8 {
			c.plot(&v.alts, float64(s.AllOf), min(1+rest/8, 6))
		}
	}
	rest := c.left()
	log := min(len(c.messages), 1+rest/6)
	slow := min(len(v.slow), max(1+rest/5, rest-log-2-len(v.findings)))
	if rest < 6 {
		log, slow = 0, 0
	}
	if slow > 0 {
		rest--
	}
	rest -= log + slow
	v.drawFindings(c, rest, now)
	if slow > 0 {
		c.line(bold, "slowest inputs")
		for _, run := range v.slow[:slow] {
			c.line(normal, fmt.Sprintf("%9s %8s  ", ago(run.took), words.Plural(run.size, "byte")), string(run.text))
		}
	}
	if log > 0 {
		c.y = max(c.y, c.h-log)
		c.log(log)
	}
}

// drawFindings draws the newest findings in the given number of lines.
func (v *Campaign) drawFindings(c *canvas, lines int, now time.Time) {
	if lines < 2 || len(v.findings) == 0 {
		return
	}
	c.line(bold, "findings, the newest first")
	lines--
	for i, fd := range v.findings {
		if i == lines-1 && len(v.findings) > lines {
			c.line(dim, fmt.Sprintf("and %d more", len(v.findings)-i))
			return
		}
		state := " "
		if !fd.Shrunk {
			state = "*" // is being shrunk or queued for it
		}
		c.line(red, fmt.Sprintf("%9s %8s %s", ago(now.Sub(fd.Found).Truncate(time.Second)), words.Plural(len(fd.Record.Text), "byte"), state), " ", fd.Signature)
	}
}
