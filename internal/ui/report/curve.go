package report

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
)

// Curve is a number over time: it holds its value until the next point.
type Curve struct {
	Title string
	X, Y  []float64 // seconds, ascending, and values, not negative
}

// The dimensions of a curve in pixels.
const (
	chartWidth, chartHeight = 420, 180
	chartLeft, chartRight   = 56, 12
	chartTop, chartBottom   = 28, 24
)

// WriteSVG draws the curve, with the greatest time and value at the axes.
func (c *Curve) WriteSVG(w io.Writer) error {
	if len(c.X) != len(c.Y) {
		return fmt.Errorf("a curve of %d times and %d values", len(c.X), len(c.Y))
	}
	mostX, mostY := 1e-9, 1.0
	for i := range c.X {
		mostX, mostY = math.Max(mostX, c.X[i]), math.Max(mostY, c.Y[i])
	}
	at := func(x, y float64) string {
		px := chartLeft + x/mostX*(chartWidth-chartLeft-chartRight)
		py := chartHeight - chartBottom - y/mostY*(chartHeight-chartTop-chartBottom)
		return fmt.Sprintf("%.1f,%.1f", px, py)
	}
	var line strings.Builder
	last := 0.0
	for i := range c.X {
		fmt.Fprintf(&line, "%s %s ", at(c.X[i], last), at(c.X[i], c.Y[i]))
		last = c.Y[i]
	}
	return curveTemplate.Execute(w, map[string]any{
		"Title": words.Quote(c.Title), "Line": line.String(), "MostX": seconds(mostX), "MostY": fmt.Sprintf("%.0f", mostY),
		"W": chartWidth, "H": chartHeight, "Left": chartLeft, "Right": chartWidth - chartRight, "Top": chartTop,
		"Bottom": chartHeight - chartBottom, "Under": chartHeight - 6,
	})
}

// seconds formats a time for people.
func seconds(s float64) string {
	switch {
	case s >= 2*3600:
		return fmt.Sprintf("%.1f h", s/3600)
	case s >= 120:
		return fmt.Sprintf("%.0f min", s/60)
	}
	return fmt.Sprintf("%.0f s", s)
}

var curveTemplate = template.Must(template.New("curve").Parse(`<svg class="chart" xmlns="http://www.w3.org/2000/svg" width="{{.W}}" height="{{.H}}" viewBox="0 0 {{.W}} {{.H}}" font-family="sans-serif" font-size="11">
<style>` + darkChart + `</style>
<rect width="100%" height="100%" fill="#ffffff"></rect>
<text x="{{.Left}}" y="16" font-size="13" fill="#222222">{{.Title}}</text>
<line x1="{{.Left}}" x2="{{.Left}}" y1="{{.Top}}" y2="{{.Bottom}}" stroke="#999999"></line>
<line x1="{{.Left}}" x2="{{.Right}}" y1="{{.Bottom}}" y2="{{.Bottom}}" stroke="#999999"></line>
<text x="{{.Left}}" y="{{.Top}}" dx="-6" dy="8" text-anchor="end" fill="#555555">{{.MostY}}</text>
<text x="{{.Left}}" y="{{.Bottom}}" dx="-6" text-anchor="end" fill="#555555">0</text>
<text x="{{.Right}}" y="{{.Under}}" text-anchor="end" fill="#555555">{{.MostX}}</text>
<polyline points="{{.Line}}" fill="none" stroke="#2a6fb0" stroke-width="1.5"></polyline>
</svg>
`))
