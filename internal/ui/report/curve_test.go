package report_test

import (
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/ui/report"
)

// TestCurve checks that a curve stays in its picture, ends at its corner, and has labels at its
// extremes.
func TestCurve(t *testing.T) {
	var w strings.Builder
	c := report.Curve{Title: "a < b", X: []float64{1, 60, 300}, Y: []float64{5, 5, 1234}}
	if err := c.WriteSVG(&w); err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{}
	for _, e := range elements(t, w.String()) {
		texts[e.text] = true
		if points := strings.Fields(e.attrs["points"]); e.name == "polyline" && (len(points) != 6 || points[5] != "408.0,28.0") {
			t.Errorf("the points are %q", points)
		}
	}
	for _, want := range []string{"a < b", "1234", "5 min", "0"} {
		if !texts[want] {
			t.Errorf("the text %q is missing in:\n%s", want, w.String())
		}
	}
	if err := (&report.Curve{X: []float64{1}}).WriteSVG(&w); err == nil {
		t.Error("a time without a value is drawn")
	}
	if err := (&report.Curve{}).WriteSVG(&w); err != nil {
		t.Error(err)
	}
}
