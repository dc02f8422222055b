package report

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
)

// Reduction is the page of one run of a reducer: the size over the calls of the predicate, and
// the differences made by the accepted steps.
type Reduction struct {
	Title string
	Note  string // a line below the title; "" for none
	Calls int    // of the whole run
	Steps []Step // the first one is the input
}

// Step is a text that was the smallest so far.
type Step struct {
	Calls int    // the calls made until it was accepted
	Pass  string // the pass that found it
	Text  string
}

// The dimensions of the curve, in pixels.
const (
	curveWidth, curveHeight = 900, 240
	curveLeft, curveTop     = 64, 16
	curveRight              = 16
	unchanged               = 60 // the number of bytes shown around a change
)

// part is a piece of a difference.
type part struct {
	Text string
	Op   string // "" the same, "del", "ins", "gap" for a long part left out
}

// diff returns the parts of the difference between two texts. A reducer mostly deletes. If,
// between a common beginning and end, the new text is a subsequence of the old one, the parts
// mark the deleted bytes; otherwise the whole middle is replaced.
func diff(old, text string) []part {
	head := 0
	for head < len(old) && head < len(text) && old[head] == text[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(text)-head && old[len(old)-1-tail] == text[len(text)-1-tail] {
		tail++
	}
	gone, come := old[head:len(old)-tail], text[head:len(text)-tail]
	parts := []part{{old[:head], ""}}
	at := 0
	var middle []part
	for i := 0; i < len(gone); {
		from := i
		for i < len(gone) && (at == len(come) || gone[i] != come[at]) {
			i++
		}
		middle = appendPart(middle, gone[from:i], "del")
		from = i
		for i < len(gone) && at < len(come) && gone[i] == come[at] {
			i, at = i+1, at+1
		}
		middle = appendPart(middle, gone[from:i], "")
	}
	if at < len(come) {
		middle = appendPart(appendPart(nil, gone, "del"), come, "ins")
	}
	return append(append(parts, middle...), part{old[len(old)-tail:], ""})
}

func appendPart(parts []part, text, op string) []part {
	if text == "" {
		return parts
	}
	return append(parts, part{text, op})
}

// collapse leaves out the middle of unchanged parts and makes bytes visible that are not text.
func collapse(parts []part) []part {
	var out []part
	for i, p := range parts {
		if p.Op != "" || len(p.Text) <= 2*unchanged {
			out = appendPart(out, readable(p.Text), p.Op)
			continue
		}
		if i > 0 {
			out = appendPart(out, readable(p.Text[:unchanged]), "")
		}
		out = append(out, part{fmt.Sprintf(" … %d bytes … ", len(p.Text)-unchanged), "gap"})
		if i < len(parts)-1 {
			out = appendPart(out, readable(p.Text[len(p.Text)-unchanged:]), "")
		}
	}
	return out
}

// readable escapes the characters of a text that do not print; line breaks and tabs stay.
func readable(text string) string {
	lines := strings.Split(text, "\t")
	for i, l := range lines {
		lines[i] = words.QuoteLines(l)
	}
	return strings.Join(lines, "\t")
}

// curve returns the points of the size over the calls, in SVG syntax.
func (r *Reduction) curve() string {
	most, calls := 1, max(r.Calls, 1)
	for _, s := range r.Steps {
		most = max(most, len(s.Text))
	}
	x := func(n int) float64 { return curveLeft + float64(n)*(curveWidth-curveLeft-curveRight)/float64(calls) }
	y := func(n int) float64 { return curveTop + float64(most-n)*(curveHeight-2*curveTop)/float64(most) }
	var b strings.Builder
	last := 0
	for i, s := range r.Steps {
		if i > 0 {
			fmt.Fprintf(&b, "%.1f,%.1f ", x(s.Calls), y(last))
		}
		last = len(s.Text)
		fmt.Fprintf(&b, "%.1f,%.1f ", x(s.Calls), y(last))
	}
	fmt.Fprintf(&b, "%.1f,%.1f", x(calls), y(last))
	return b.String()
}

type stepView struct {
	Number, Calls, Size, Before, Saved int
	Pass                               string
	Parts                              []part
}

// WriteHTML writes the page as one self-contained file.
func (r *Reduction) WriteHTML(w io.Writer) error {
	data := struct {
		*Reduction
		Title, Note                                          string
		First, Last, Width, Height, Left, Right, Top, Bottom int
		Curve                                                string
		Views                                                []stepView
		Result                                               string
	}{Reduction: r, Width: curveWidth, Height: curveHeight, Left: curveLeft, Right: curveWidth - curveRight, Top: curveTop, Bottom: curveHeight - curveTop, Curve: r.curve()}
	for i, s := range r.Steps {
		if i == 0 {
			data.First = len(s.Text)
			data.Result = readable(s.Text)
			continue
		}
		before := r.Steps[i-1].Text
		data.Views = append(data.Views, stepView{i, s.Calls, len(s.Text), len(before), len(before) - len(s.Text), s.Pass, collapse(diff(before, s.Text))})
		data.Result = readable(s.Text)
	}
	data.Title, data.Note = words.Quote(r.Title), words.Quote(r.Note)
	if len(r.Steps) > 0 {
		data.Last = len(r.Steps[len(r.Steps)-1].Text)
	}
	return reductionPage.Execute(w, data)
}

var reductionPage = template.Must(template.New("reduction").Parse(`<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>{{.Title}}</title>
<style>
body { font: 14px sans-serif; margin: 2em; color: #222; }
pre { background: #f6f6f6; padding: .5em; white-space: pre-wrap; overflow-wrap: anywhere; margin: .2em 0 1em; }
del { background: #fbd5cd; text-decoration: line-through; } ins { background: #cfe8d8; text-decoration: none; }
.gap { color: #888; } text { fill: currentColor; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818; } pre { background: #242424; } del { background: #722; } ins { background: #245024; } }
</style>
<h1>{{.Title}}</h1>
{{with .Note}}<p>{{.}}</p>{{end}}
<p>{{.First}} bytes to {{.Last}} in {{.Calls}} calls.</p>
<svg width="{{.Width}}" height="{{.Height}}" viewBox="0 0 {{.Width}} {{.Height}}" role="img" aria-label="size over calls">
<text x="4" y="24">{{.First}} B</text><text x="4" y="{{.Height}}">0</text><text x="{{.Width}}" y="{{.Height}}" text-anchor="end">{{.Calls}} calls</text>
<path fill="none" stroke="#ddd" d="M{{.Left}} {{.Top}}V{{.Bottom}}H{{.Right}}"/>
<polyline fill="none" stroke="#0072b2" stroke-width="2" points="{{.Curve}}"/>
</svg>
<h2>Result</h2>
<pre>{{.Result}}</pre>
<h2>Steps</h2>
{{range .Views}}<div>{{.Number}}. {{.Pass}}, call {{.Calls}}: {{.Size}} bytes{{if gt .Saved 0}}, {{.Saved}} fewer{{else if lt .Saved 0}}, back from {{.Before}}{{end}}</div>
<pre>{{range .Parts}}{{if eq .Op "del"}}<del>{{.Text}}</del>{{else if eq .Op "ins"}}<ins>{{.Text}}</ins>{{else if eq .Op "gap"}}<span class="gap">{{.Text}}</span>{{else}}{{.Text}}{{end}}{{end}}</pre>
{{end}}</html>
`))
