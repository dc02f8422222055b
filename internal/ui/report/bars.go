package report

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
)

// Bars is a chart of grouped bars: each label has one bar of each series, side by side.
type Bars struct {
	Title  string
	Note   string // a line below the title; "" for none
	Labels []string
	Series []Series // at most [MostSeries], the number of colours
}

// Series is the bars of one colour.
type Series struct {
	Name   string
	Values []float64 // by label, from 0 to 1; shown in percent
	Lo, Hi []float64 // an interval around each; nil for none
}

// colours can be told apart by people with colour blindness (Okabe & Ito 2008), and in grey.
var colours = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000"}

// MostSeries is the greatest number of series in a chart.
var MostSeries = len(colours)

// The dimensions of the picture, in pixels.
const (
	top, left, right  = 96, 56, 16
	plotHeight        = 280
	widest, narrowest = 22, 3  // the width of a bar
	leastWidth        = 420    // the width of the plot; few bars are wider than widest to fill it,
	fewWidest         = 60     // up to this width
	mostWidth         = 1400   // the width of the plot, as long as bars are not too narrow
	longestLabel      = 24     // the greatest number of letters of a label
	perLetter         = 6.2    // the width of a letter of a label
	slant             = 0.7071 // labels that do not fit are slanted by 45 degrees
	legendRow         = 18     // the height of a line of the legend
	groupGap          = 8.0    // the gap between groups of bars
)

type barRect struct {
	X, Y, W, H float64
	Colour     string
	Tip        string
	Whisker    bool
	Mid        float64
	YLo, YHi   float64
	Value      string // written above; "" where there is no space
}

type tick struct {
	Y    float64
	Text string
}

type label struct {
	X    float64
	Text string
}

type legend struct {
	X, Y   float64
	Colour string
	Name   string
}

type picture struct {
	Title, Note         string
	Width, Height       float64
	Left, Right, Bottom float64
	Slanted             bool
	LabelY              float64
	Bars                []barRect
	Ticks               []tick
	Labels              []label
	Legend              []legend
}

// WriteSVG writes the chart. It fails for too many series, for series whose lengths differ from
// that of the labels, and where writing fails.
func (b *Bars) WriteSVG(w io.Writer) error {
	if len(b.Series) > len(colours) {
		return fmt.Errorf("%d series are too many for one picture; it shows %d", len(b.Series), len(colours))
	}
	for _, s := range b.Series {
		if len(s.Values) != len(b.Labels) || s.Lo != nil && (len(s.Lo) != len(b.Labels) || len(s.Hi) != len(b.Labels)) {
			return fmt.Errorf("series %s has another length than the labels", s.Name)
		}
	}
	return svg.Execute(w, b.layout())
}

func (b *Bars) layout() picture {
	series, groups := float64(max(len(b.Series), 1)), float64(max(len(b.Labels), 1))
	most := math.Min(fewWidest, math.Max(widest, (leastWidth/groups-groupGap)/series))
	bar := math.Min(most, math.Max(narrowest, (mostWidth/groups-groupGap)/series))
	group := bar*series + groupGap
	p := picture{Title: words.Quote(b.Title), Note: words.Quote(b.Note), Left: left, Bottom: top + plotHeight}
	p.Right = left + math.Max(group*groups, leastWidth)
	p.Width = p.Right + right
	top := b.scale(&p)
	for i, name := range b.Labels {
		x := left + groupGap/2 + float64(i)*group
		p.Labels = append(p.Labels, label{x + bar*series/2, shorten(name)})
		for j, s := range b.Series {
			p.Bars = append(p.Bars, s.bar(i, x+float64(j)*bar, bar, top, colours[j], name))
		}
	}
	b.name(&p, group)
	b.legend(&p)
	return p
}

// scale chooses round tick values and returns the value at the top.
func (b *Bars) scale(p *picture) float64 {
	most := 0.0
	for _, s := range b.Series {
		for i, v := range s.Values {
			most = max(most, v)
			if s.Hi != nil {
				most = max(most, s.Hi[i])
			}
		}
	}
	if most == 0 {
		most = 1
	}
	step := math.Pow(10, math.Floor(math.Log10(most)))
	for _, part := range []float64{0.1, 0.2, 0.5} {
		if most/(step*part) <= 6 {
			step *= part
			break
		}
	}
	topValue := math.Ceil(most*1.02/step) * step
	for v := 0.0; v <= topValue*1.0001; v += step {
		p.Ticks = append(p.Ticks, tick{p.Bottom - v/topValue*plotHeight, percent(v, step)})
	}
	return topValue
}

func percent(v, step float64) string {
	digits := max(0, int(math.Ceil(-math.Log10(100*step)-1e-9)))
	return fmt.Sprintf("%.*f %%", digits, 100*v)
}

func (s Series) bar(i int, x, width, most float64, colour, name string) barRect {
	y := func(v float64) float64 { return top + plotHeight - v/most*plotHeight }
	v := s.Values[i]
	r := barRect{X: x, Y: y(v), W: width * 0.92, H: v / most * plotHeight, Colour: colour, Mid: x + width*0.46}
	r.Tip = fmt.Sprintf("%s, %s: %.4g %%", words.Quote(name), words.Quote(s.Name), 100*v)
	if s.Lo != nil {
		r.Whisker, r.YLo, r.YHi = true, y(s.Lo[i]), y(s.Hi[i])
		r.Tip += fmt.Sprintf(" (%.4g to %.4g)", 100*s.Lo[i], 100*s.Hi[i])
	}
	if width >= 18 && !r.Whisker {
		r.Value = fmt.Sprintf("%.3g", 100*v)
	}
	return r
}

// name puts the labels below the groups. It slants long labels, and skips some where there are
// too many.
func (b *Bars) name(p *picture, group float64) {
	longest := 0
	for _, l := range p.Labels {
		longest = max(longest, utf8.RuneCountInString(l.Text))
	}
	p.Slanted = float64(longest)*perLetter > group
	p.LabelY = p.Bottom + 16
	below := 20.0
	if p.Slanted {
		below = float64(longest)*perLetter*slant + 20
	}
	every := 1
	for p.Slanted && group*float64(every) < 12 {
		every++
	}
	var some []label
	for i, l := range p.Labels {
		if i%every == 0 {
			some = append(some, l)
		}
	}
	p.Labels = some
	p.Height = p.Bottom + below + 12
}

// legend writes the names of the series between the title and the plot.
func (b *Bars) legend(p *picture) {
	x := float64(left)
	for j, s := range b.Series {
		p.Legend = append(p.Legend, legend{x, top - 36, colours[j], words.Quote(s.Name)})
		x += 26 + perLetter*1.12*float64(utf8.RuneCountInString(s.Name)) + 14
	}
	p.Width = max(p.Width, x, left+8.2*float64(utf8.RuneCountInString(b.Title)), left+perLetter*float64(utf8.RuneCountInString(b.Note)))
}

// shorten cuts a label, and makes tabs, line breaks and invisible characters visible.
func shorten(s string) string {
	s = words.Quote(strings.NewReplacer("\n", "↵", "\t", "⇥").Replace(s))
	if s == "" {
		return "ε"
	}
	if r := []rune(s); len(r) > longestLabel {
		return string(r[:longestLabel-1]) + "…"
	}
	return s
}

var svg = template.Must(template.New("bars").Funcs(template.FuncMap{
	"n": func(v float64) string { return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".") },
}).Parse(`<svg class="chart" xmlns="http://www.w3.org/2000/svg" width="{{n .Width}}" height="{{n .Height}}" viewBox="0 0 {{n .Width}} {{n .Height}}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="11">
<style>` + darkChart + `</style>
<title>{{.Title}}</title>
<rect width="{{n .Width}}" height="{{n .Height}}" fill="#ffffff"></rect>
<text x="{{n .Left}}" y="24" font-size="15">{{.Title}}</text>
{{- if .Note}}
<text x="{{n .Left}}" y="42" fill="#555555">{{.Note}}</text>
{{- end}}
{{- range .Legend}}
<rect x="{{n .X}}" y="{{n .Y}}" width="12" height="12" fill="{{.Colour}}"></rect><text x="{{n .X}}" dx="17" y="{{n .Y}}" dy="10">{{.Name}}</text>
{{- end}}
{{- range .Ticks}}
<line x1="{{n $.Left}}" x2="{{n $.Right}}" y1="{{n .Y}}" y2="{{n .Y}}" stroke="#dddddd"></line><text x="{{n $.Left}}" dx="-6" y="{{n .Y}}" dy="4" text-anchor="end" fill="#555555">{{.Text}}</text>
{{- end}}
{{- range .Bars}}
<rect x="{{n .X}}" y="{{n .Y}}" width="{{n .W}}" height="{{n .H}}" fill="{{.Colour}}"><title>{{.Tip}}</title></rect>
{{- if .Whisker}}<line x1="{{n .Mid}}" x2="{{n .Mid}}" y1="{{n .YLo}}" y2="{{n .YHi}}" stroke="#333333"></line>{{end}}
{{- if .Value}}<text x="{{n .Mid}}" y="{{n .Y}}" dy="-3" text-anchor="middle" font-size="9" fill="#333333">{{.Value}}</text>{{end}}
{{- end}}
<line x1="{{n .Left}}" x2="{{n .Right}}" y1="{{n .Bottom}}" y2="{{n .Bottom}}" stroke="#333333"></line>
{{- range .Labels}}
{{- if $.Slanted}}
<text x="{{n .X}}" y="{{n $.LabelY}}" text-anchor="end" transform="rotate(-45 {{n .X}} {{n $.LabelY}})">{{.Text}}</text>
{{- else}}
<text x="{{n .X}}" y="{{n $.LabelY}}" text-anchor="middle">{{.Text}}</text>
{{- end}}
{{- end}}
</svg>
`))
