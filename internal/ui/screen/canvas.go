package screen

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gdamore/tcell/v3"
	"github.com/gdamore/tcell/v3/color"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
)

// The styles of a screen.
var (
	normal  = tcell.StyleDefault
	bold    = normal.Bold(true)
	dim     = normal.Dim(true)
	reverse = normal.Reverse(true)
	red     = bold.Foreground(color.Maroon)
	green   = normal.Foreground(color.Green)
)

// canvas is the area that a view draws on, line by line.
type canvas struct {
	cells    tcell.Screen
	w, h     int
	y        int // next line
	ascii    bool
	messages []string // messages of the program
}

// left returns the number of lines left.
func (c *canvas) left() int { return max(c.h-c.y, 0) }

// line writes a line of text and cuts it if it is too long. No part of it reaches the terminal
// unescaped.
func (c *canvas) line(style tcell.Style, parts ...string) {
	if c.left() == 0 {
		return
	}
	text := words.Quote(strings.Join(parts, ""))
	if runes := []rune(text); len(runes) > c.w && c.w > 0 {
		text = string(runes[:c.w-1]) + c.or("…", "~")
	}
	c.cells.PutStrStyled(0, c.y, text, style)
	c.y++
}

// field writes a name and its value.
func (c *canvas) field(name, format string, a ...any) {
	if c.w < 40 {
		c.line(normal, name, " ", fmt.Sprintf(format, a...))
		return
	}
	c.line(normal, fmt.Sprintf("%-11s", name), fmt.Sprintf(format, a...))
}

// or returns text for terminals with all characters, or else ascii.
func (c *canvas) or(text, ascii string) string {
	if c.ascii {
		return ascii
	}
	return text
}

// log writes the last messages, at most n lines.
func (c *canvas) log(n int) {
	for _, m := range c.messages[max(0, len(c.messages)-max(n, 0)):] {
		c.line(dim, m)
	}
}

// curve is a curve over time or calls. It keeps a bounded number of points.
type curve struct{ x, y []float64 }

// maxPoints is the capacity of a curve; when it is full, every other point is dropped.
const maxPoints = 2048

func (k *curve) add(x, y float64) {
	if n := len(k.x); n >= 2 {
		level := k.y[n-1] == y && k.y[n-2] == y              // two points are enough
		near := k.x[n-1]-k.x[n-2] < (x-k.x[0])/(maxPoints/2) // indistinguishable
		if level || near {
			k.x[n-1], k.y[n-1] = x, y
			return
		}
	}
	if len(k.x) == maxPoints {
		n := 0
		for i := 0; i < maxPoints; i += 2 {
			k.x[n], k.y[n] = k.x[i], k.y[i]
			n++
		}
		k.x, k.y = k.x[:n], k.y[:n]
	}
	k.x, k.y = append(k.x, x), append(k.y, y)
}

// columns returns the values of the curve in w columns of equal width: the last value before
// the end of each.
func (k *curve) columns(w int) []float64 {
	if len(k.x) == 0 || w < 1 {
		return nil
	}
	out := make([]float64, w)
	first, last, at := k.x[0], k.x[len(k.x)-1], 0
	for i := range out {
		end := first + (last-first)*float64(i+1)/float64(w)
		for at+1 < len(k.x) && (k.x[at+1] <= end || i == w-1) {
			at++
		}
		out[i] = k.y[at]
	}
	return out
}

// blocks are the eighths of a cell, by height.
const blocks = " ▁▂▃▄▅▆▇█"

// plot draws a curve from 0 to top with the given number of rows.
func (c *canvas) plot(k *curve, top float64, rows int) {
	rows = min(rows, c.left())
	columns := k.columns(c.w)
	if rows < 1 || columns == nil || top <= 0 {
		return
	}
	steps := []rune(c.or(blocks, " .:#"))
	full := len(steps) - 1
	for row := rows - 1; row >= 0; row-- {
		line := make([]rune, len(columns))
		for i, v := range columns {
			level := int(math.Ceil(v/top*float64(rows*full))) - row*full
			line[i] = steps[max(0, min(level, full))]
		}
		c.cells.PutStrStyled(0, c.y, string(line), green)
		c.y++
	}
}

// rate is the recent number of events per second.
type rate struct {
	at []time.Time
	n  []float64
}

// rateTime is the time span of a rate.
const rateTime = 5 * time.Second

// add records a total count and returns the rate.
func (r *rate) add(now time.Time, n float64) float64 {
	if len(r.at) == 0 || now.Sub(r.at[len(r.at)-1]) >= drawEvery {
		r.at, r.n = append(r.at, now), append(r.n, n)
	}
	for len(r.at) > 2 && now.Sub(r.at[1]) > rateTime {
		r.at, r.n = r.at[1:], r.n[1:]
	}
	took := now.Sub(r.at[0]).Seconds()
	if took <= 0 {
		return 0
	}
	return (n - r.n[0]) / took
}

// ago formats the time since an event, or a duration.
func ago(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < 10*time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	case d < 10*time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d < time.Hour:
		return d.Round(time.Second).String()
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd%dh", int(d.Hours())/24, int(d.Hours())%24)
}

// percent formats a share.
func percent(part, of uint64) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(max(of, 1)))
}

// wrapped writes a text in as many lines as needed.
func (c *canvas) wrapped(text string) {
	text = words.Quote(text)
	for first := true; (first || text != "") && c.left() > 0 && c.w > 0; first = false {
		x := 0
		for text != "" {
			rest, width := c.cells.Put(x, c.y, text, normal)
			if x+width > c.w || width == 0 {
				c.cells.Put(x, c.y, " ", normal)
				break
			}
			text, x = rest, x+width
			if x >= c.w {
				break
			}
		}
		if x == 0 && text != "" {
			_, size := utf8.DecodeRuneInString(text)
			text = text[size:] // it does not fit into any line
		}
		c.y++
	}
}
