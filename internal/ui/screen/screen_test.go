package screen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/gdamore/tcell/v3"
	"github.com/gdamore/tcell/v3/vt"
	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/testing/await"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// start starts a screen on an emulated terminal and waits until it is drawn.
func start(t *testing.T, w, h int, o Options) (*Screen, vt.MockTerm) {
	t.Helper()
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("TERM", "xterm-256color")
	emu := vt.NewMockTerm(vt.MockOptSize{X: vt.Col(w), Y: vt.Row(h)})
	o.tty = emu
	if o.View == nil {
		o.View = NewCampaign()
	}
	s, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	until(t, "the screen is drawn", func() bool { return strings.Contains(text(emu), "q") })
	return s, emu
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	await.Until(t, ok, func() string { return what })
}

// text returns the content of an emulated terminal.
func text(emu vt.MockTerm) string {
	size, _ := emu.WindowSize()
	var b strings.Builder
	for y := range size.Height {
		var line strings.Builder
		for x := range size.Width {
			cell := emu.GetCell(vt.Coord{X: vt.Col(x), Y: vt.Row(y)})
			if cell.C == "" && cell.W != 0 {
				cell.C = " "
			}
			line.WriteString(cell.C)
		}
		b.WriteString(strings.TrimRight(line.String(), " \x00") + "\n")
	}
	return b.String()
}

// TestKeys: each key has the effect given in the last line.
func TestKeys(t *testing.T) {
	interrupted := make(chan bool, 9)
	opened := make(chan string, 9)
	pages := 0
	s, emu := start(t, 60, 12, Options{
		Title: "work", Interrupt: func() { interrupted <- true },
		Page: func() (string, error) {
			pages++
			if pages == 1 {
				return "", errors.New("no page \x1b[2J yet")
			}
			return "page.html", nil
		},
		open: func(path string) error { opened <- path; return errors.New("not here") },
	})
	if err := s.Gate(t.Context()); err != nil {
		t.Fatal(err)
	}
	emu.KeyTap(vt.KeyP)
	until(t, "it is paused", func() bool { return strings.HasPrefix(text(emu), "paused: work\n") })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Gate(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a pause lasts, but the gate says %v", err)
	}
	passed := make(chan error, 1)
	go func() { passed <- s.Gate(t.Context()) }()
	emu.KeyTap(vt.KeySpace)
	if err := <-passed; err != nil {
		t.Error(err)
	}
	emu.KeyTap(vt.KeyO)
	until(t, "the error is shown", func() bool { return strings.Contains(text(emu), `no page \x1b[2J yet`) })
	emu.KeyTap(vt.KeyO)
	if got := <-opened; got != "page.html" {
		t.Errorf("opened %q", got)
	}
	until(t, "the path is shown", func() bool {
		return strings.Contains(text(emu), "the page is page.html; no browser shows it: not here")
	})
	emu.KeyTap(vt.KeyQ)
	<-interrupted
	until(t, "it ends", func() bool { return strings.HasPrefix(text(emu), "ending: work\n") })
	emu.KeyTap(vt.KeyLCtrl, vt.KeyC)
	<-interrupted
	emu.KeyTap(vt.KeyP)
	until(t, "it is paused", func() bool { return s.Gate(ctx) != nil })
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Gate(ctx); err != nil {
		t.Errorf("a pause goes on behind the screen: %v", err)
	}
}

// failing is a writer that fails.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestHeld: output is held until the end of the screen and written in order.
func TestHeld(t *testing.T) {
	var out, errs bytes.Buffer
	s, emu := start(t, 60, 12, Options{})
	fmt.Fprint(s.Held(&errs), "gramfuzz: a\x1b[2J note\n")
	fmt.Fprint(s.Held(&out), "a result\n")
	fmt.Fprint(s.Held(&errs), "gramfuzz: more\n")
	fmt.Fprint(s.Held(failing{}), "lost")
	until(t, "the message is shown", func() bool { return strings.Contains(text(emu), `a\x1b[2J note`) })
	if out.Len()+errs.Len() > 0 {
		t.Errorf("%q and %q came through", &out, &errs)
	}
	if strings.Contains(text(emu), "a result") {
		t.Error("a result is among the messages")
	}
	if err := s.Close(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("closing: %v", err)
	}
	fmt.Fprint(s.Held(&out), "then\n")
	if d := cmp.Diff([]string{"a result\nthen\n", "gramfuzz: a\x1b[2J note\ngramfuzz: more\n"}, []string{out.String(), errs.String()}); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// TestNone: a nil screen does nothing, and short work shows no screen.
func TestNone(t *testing.T) {
	var none *Screen
	if err := errors.Join(none.Gate(t.Context()), none.Close()); err != nil {
		t.Error(err)
	}
	emu := vt.NewMockTerm()
	s, err := Start(Options{View: NewCampaign(), tty: emu})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// event returns a random event of a campaign, with texts that would control a terminal.
func event(r *rand.Rand, i int) campaign.Event {
	e := campaign.Event{Kind: campaign.Progress, Time: time.Unix(int64(i), 0), Stats: &campaign.Stats{
		Seconds: float64(i), Runs: r.Uint64(), PerSecond: 1e9 * r.Float64(), Alternatives: r.IntN(60), AllOf: r.IntN(60), Covered: r.IntN(9) - 1,
		Verdicts: campaign.Verdicts{Taken: r.Uint64N(99), Refused: r.Uint64N(99), Failed: r.Uint64N(99)},
	}}
	if r.IntN(2) == 0 {
		e.Finding = &campaign.Finding{
			Key: fmt.Sprint(r.IntN(300)), Signature: "signal|\x1b[2J\u202e漢字|" + blind.Hostile() + strings.Repeat("👩‍👩‍👧", r.IntN(40)), Found: time.Unix(r.Int64N(9e9), 0),
			Record: &derive.Record{Text: make([]byte, r.IntN(99))}, Shrunk: r.IntN(2) == 0,
		}
	}
	return e
}

// TestSizes: views draw arbitrary data in windows of all sizes, with printable characters only.
func TestSizes(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	r := rand.New(rand.NewPCG(1, 2))
	fuzz, red := NewCampaign(), NewReduction(true)
	now := time.Unix(2e9, 0)
	sizes := [][2]int{{1, 1}, {1, 50}, {200, 1}, {20, 5}, {2, 2}, {80, 24}, {300, 100}, {39, 13}, {40, 9}}
	for i := range 600 {
		fuzz.Event(event(r, i))
		fuzz.ran([]byte(blind.Hostile()[r.IntN(800):]+"slow \x1b[31m\xff"+strings.Repeat("漢", r.IntN(300))), time.Duration(r.Int64N(1e12)))
		red.Event(reduce.Event{
			Pass: fmt.Sprintf("pass\x07%d", r.IntN(20)), Calls: i, Accepted: r.IntN(3) == 0,
			Text: []byte(strings.Repeat(blind.Hostile()[r.IntN(800):]+"line\x1b[2J\t漢\r\n"+strings.Repeat("x", r.IntN(100)), r.IntN(40))),
		})
		if i%20 > 0 {
			continue
		}
		for _, size := range sizes {
			w, h := size[0], size[1]
			emu := vt.NewMockTerm(vt.MockOptSize{X: vt.Col(w), Y: vt.Row(h)})
			cells, err := tcell.NewTerminfoScreenFromTty(emu, tcell.OptNegotiation(false))
			if err != nil {
				t.Fatal(err)
			}
			if err := cells.Init(); err != nil {
				t.Fatal(err)
			}
			for _, v := range []View{fuzz, red} {
				cells.Clear()
				c := &canvas{cells: cells, w: w, h: h, ascii: i%40 == 0, messages: []string{"a\x1b[2J", "b", strings.Repeat("c", 500)}}
				v.draw(c, now)
				if c.y > h {
					t.Fatalf("%T at %v: %d lines", v, size, c.y)
				}
				for y := range h {
					for x := range w {
						if s, _, _ := cells.Get(x, y); strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
							t.Fatalf("%T at %v shows %q", v, size, s)
						}
					}
				}
			}
			go cells.Fini() // it waits a moment
		}
	}
}

// TestSlowest: the slowest texts are kept, without duplicates.
func TestSlowest(t *testing.T) {
	v := NewCampaign()
	for i := range 1000 {
		v.ran(fmt.Append(nil, i%100), time.Duration(i*7919%1000)*time.Millisecond)
	}
	best := map[string]int{}
	for i := range 1000 {
		best[fmt.Sprint(i%100)] = max(best[fmt.Sprint(i%100)], i*7919%1000)
	}
	var last = time.Hour
	for _, run := range v.slow {
		if got := int(run.took / time.Millisecond); got != best[string(run.text)] || run.took > last {
			t.Errorf("%s took %d ms, want %d, at most %v", run.text, got, best[string(run.text)], last)
		}
		last = run.took
		delete(best, string(run.text))
	}
	for text, ms := range best {
		if time.Duration(ms)*time.Millisecond > last {
			t.Errorf("%s took %d ms and is missing", text, ms)
		}
	}
	if len(v.slow) != maxSlow {
		t.Errorf("%d texts, want %d", len(v.slow), maxSlow)
	}
}

// starter is a driver that starts runs and waits for them later.
type starter struct{ campaign.Driver }

func (s *starter) Begin(context.Context, []byte) error { return nil }
func (s *starter) End(ctx context.Context) (*campaign.Ran, error) {
	return &campaign.Ran{Result: &target.Result{Wall: time.Minute}}, nil
}

// TestDrive: drivers keep their abilities and report the durations of runs.
func TestDrive(t *testing.T) {
	v := NewCampaign()
	plain := campaign.Func(func(context.Context, []byte) (*campaign.Ran, error) {
		return &campaign.Ran{Result: &target.Result{Wall: time.Hour}}, nil
	})
	d, err := v.Drive(nil, plain)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := d.(campaign.Starter); ok {
		t.Error("a driver without Begin has one now")
	}
	if _, err := d.Run(t.Context(), []byte("run")); err != nil {
		t.Fatal(err)
	}
	d, err = v.Drive(nil, func(context.Context) (campaign.Driver, error) { return &starter{d}, nil })(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text := []byte("begun")
	if err := d.(campaign.Starter).Begin(t.Context(), text); err != nil {
		t.Fatal(err)
	}
	copy(text, "other") // the caller is allowed to
	if _, err := d.(campaign.Starter).End(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, run := range v.slow {
		got = append(got, fmt.Sprint(string(run.text), " ", run.took))
	}
	if d := cmp.Diff([]string{"run 1h0m0s", "begun 1m0s"}, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// TestCurve: a curve keeps its ends and its shape, whatever its length.
func TestCurve(t *testing.T) {
	var k curve
	for i := range 100_000 {
		k.add(float64(i), float64(i))
	}
	if len(k.x) > maxPoints {
		t.Errorf("%d points", len(k.x))
	}
	for i, y := range k.columns(100) {
		if want := float64(i+1) * 1000; y < want-200 || y > want {
			t.Errorf("column %d: %v, want about %v", i, y, want)
		}
	}
	var level curve
	for i := range 1000 {
		level.add(float64(i), float64(i/500))
	}
	if d := cmp.Diff(curve{[]float64{0, 499, 500, 999}, []float64{0, 0, 1, 1}}, level, cmp.AllowUnexported(curve{})); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if d := cmp.Diff([]float64{0, 0, 1, 1}, level.columns(4)); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// TestRate: a rate covers only the last seconds.
func TestRate(t *testing.T) {
	var r rate
	n, got := 0.0, 0.0
	for i := range 200 {
		if i < 100 {
			n += 100
		} else {
			n++
		}
		got = r.add(time.Unix(0, int64(i)*1e8), n)
		if i == 99 && (got < 990 || got > 1010) {
			t.Errorf("%v a second, want 1000", got)
		}
	}
	if got < 9.9 || got > 10.1 {
		t.Errorf("%v a second, want 10", got)
	}
}

func TestAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 1234567: "1.23ms", 1234567890: "1.23s", 75 * time.Second: "1m15s", 90 * time.Minute: "1h30m", 50 * time.Hour: "2d2h",
	} {
		if got := ago(d); got != want {
			t.Errorf("%d: %s, want %s", d, got, want)
		}
	}
}
