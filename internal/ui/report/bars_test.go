package report_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/ui/report"
)

// element is a shape of a picture.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

// elements reads a picture as XML, which must be well formed.
func elements(t *testing.T, src string) (out []element) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(src))
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatalf("%v in:\n%s", err, src)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			e := element{name: tok.Name.Local, attrs: map[string]string{}}
			for _, a := range tok.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			out = append(out, e)
		case xml.CharData:
			if len(out) > 0 && strings.TrimSpace(string(tok)) != "" {
				out[len(out)-1].text += string(tok)
			}
		}
	}
}

func draw(t *testing.T, b report.Bars) string {
	t.Helper()
	var w strings.Builder
	if err := b.WriteSVG(&w); err != nil {
		t.Fatal(err)
	}
	return w.String()
}

// number reads a length.
func number(t *testing.T, e element, attr string) (v float64) {
	t.Helper()
	if _, err := fmt.Sscan(e.attrs[attr], &v); err != nil {
		t.Fatalf("%s %q of %v: %v", attr, e.attrs[attr], e, err)
	}
	return v
}

// TestBars checks that heights are proportional to values, and that every text is in the picture
// unchanged.
func TestBars(t *testing.T) {
	labels := []string{`<"&'>`, "", "x\ny\x1b\u202e"}
	src := draw(t, report.Bars{Title: "a < b", Note: "note", Labels: labels, Series: []report.Series{
		{Name: "one", Values: []float64{.5, .25, .25}},
		{Name: "two", Values: []float64{.4, 0, .6}, Lo: []float64{.3, 0, .5}, Hi: []float64{.5, .1, .7}},
	}})
	var heights []float64
	texts := map[string]bool{}
	whiskers := 0
	for _, e := range elements(t, src) {
		switch {
		case e.name == "rect" && e.attrs["x"] != "" && e.attrs["width"] != "12":
			heights = append(heights, number(t, e, "height"))
		case e.name == "line" && e.attrs["x1"] == e.attrs["x2"]:
			whiskers++
		case e.name == "text" || e.name == "title":
			texts[e.text] = true
		}
	}
	if len(heights) != 6 || whiskers != 3 {
		t.Fatalf("%d bars, %d intervals", len(heights), whiskers)
	}
	for i, want := range []float64{.5, .4, .25, 0, .25, .6} {
		if got := heights[i] / heights[0] * .5; got < want-.001 || got > want+.001 {
			t.Errorf("bar %d has the height of %v, want %v", i, got, want)
		}
	}
	for _, want := range []string{"a < b", "note", `<"&'>`, "ε", `x↵y\x1b\u202e`, "one", "two", "0 %", `x\ny\x1b\u202e, two: 60 % (50 to 70)`} {
		if !texts[want] {
			t.Errorf("the text %q is missing in:\n%s", want, src)
		}
	}
}

// However many bars there are, all stay inside the picture.
func TestManyBars(t *testing.T) {
	for _, n := range []int{0, 1, 40, 1000} {
		b := report.Bars{Title: "many", Series: []report.Series{{Name: "s"}, {Name: "t"}}}
		for i := range n {
			b.Labels = append(b.Labels, fmt.Sprintf("a rather long label, number %d", i))
			for j := range b.Series {
				b.Series[j].Values = append(b.Series[j].Values, 1/float64(n+i*j))
			}
		}
		es := elements(t, draw(t, b))
		width := number(t, es[0], "width")
		for _, e := range es {
			if e.name == "rect" && e.attrs["x"] != "" {
				if x := number(t, e, "x") + number(t, e, "width"); x > width || number(t, e, "height") < 0 {
					t.Fatalf("%d labels: %v is outside of the width %v", n, e, width)
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for _, b := range []report.Bars{
		{Series: make([]report.Series, report.MostSeries+1)},
		{Labels: []string{"a"}, Series: []report.Series{{Name: "s"}}},
		{Labels: []string{"a"}, Series: []report.Series{{Name: "s", Values: []float64{1}, Lo: []float64{}}}},
	} {
		if err := b.WriteSVG(io.Discard); err == nil {
			t.Errorf("%v is drawn", b)
		}
	}
}
