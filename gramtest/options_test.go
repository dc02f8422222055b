package gramtest

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// TestDrawingOptions: the sentences match the options about drawing.
func TestDrawingOptions(t *testing.T) {
	g := grammars.Must("lopsided") // "A" to "F", one letter each
	const n = 4000
	for _, tt := range []struct {
		name  string
		opts  []Option
		share float64 // of "A" among the sentences of one letter
		odd   float64 // least share of texts that are no sentences; 0: there are none
	}{
		{"a walk", []Option{Strategy(sample.Walk), Swarm(swarm.Off), Damage(0)}, 0.5, 0},
		{"uniform", []Option{Strategy(sample.Uniform), Damage(0)}, 1.0 / 6, 0},
		{"balanced", []Option{Strategy(sample.Balanced), Damage(0)}, 1.0 / 10, 0}, // one of ten parts
		{"damaged", []Option{Strategy(sample.Uniform), Damage(1)}, math.NaN(), 0.5},
	} {
		var as, odd int
		opts := append([]Option{Seed(3), Count(n), Dir("")}, tt.opts...)
		Check(t, g, func(_ *T, s *Sentence) {
			switch text := string(s.Text()); {
			case text == "A":
				as++
			case len(text) != 1 || !strings.Contains("BCDEF", text):
				odd++
			}
		}, opts...)
		if share := float64(as) / n; !math.IsNaN(tt.share) && math.Abs(share-tt.share) > 0.04 { // five standard deviations
			t.Errorf("%s: %.3f of the sentences are A, want %.3f", tt.name, share, tt.share)
		}
		if share := float64(odd) / n; tt.odd == 0 && share > 0 || share < tt.odd {
			t.Errorf("%s: %.3f of the texts are no sentences", tt.name, share)
		}
	}
}

// TestCmp: Agree compares with the options of Cmp.
func TestCmp(t *testing.T) {
	Agree(t, grammars.Must("tree"),
		func(text []byte) (float64, error) { return float64(len(text)), nil },
		func(text []byte) (float64, error) { return float64(len(text)) + 1e-9, nil },
		Cmp(cmpopts.EquateApprox(0, 1e-6)), Count(50), Seed(1), Dir(""))
}
