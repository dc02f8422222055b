package campaign

import (
	"encoding/json"
	"math/big"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
)

// Stats has the progress of a campaign.
type Stats struct {
	Seconds   float64 `json:"seconds"` // of this run and the runs that it resumes
	Runs      uint64  `json:"runs"`    // runs of the program, shrinking included
	PerSecond float64 `json:"per_second"`
	Sentences uint64  `json:"sentences"` // sentences of the stream
	Labels    int     `json:"labels"`
	Examples  int     `json:"examples"` // examples kept by guides
	Findings  int     `json:"findings"` // findings in the folder, those of others included
	NotKept   int     `json:"not_kept"` // kinds of failures beyond [Options.MaxFindings], in this process
	LastNew   float64 `json:"last_new"` // the time of the last new label or finding, in seconds

	// Covered is the size up to which every sentence has been run, in terminals; -1 if there is
	// none, or sentences cannot be enumerated. Enumerated is the number of sentences enumerated
	// so far.
	Covered    int    `json:"covered"`
	Enumerated uint64 `json:"enumerated"`

	Alternatives int `json:"alternatives"` // alternatives of the grammar used so far
	AllOf        int `json:"alternatives_of"`

	Verdicts
}

// Point is a place on the curves of a campaign.
type Point struct {
	Seconds  float64 `json:"s"`
	Runs     uint64  `json:"runs"`
	Labels   int     `json:"labels"`
	Findings int     `json:"findings"`
}

// maxPoints bounds a curve: a full curve drops every other point.
const maxPoints = 400

// AddPoint adds a point to a curve, unless it is too close to the last one for a curve of that
// length.
func AddPoint(curve []Point, p Point) []Point {
	if n := len(curve); n > 1 && p.Seconds-curve[n-1].Seconds < p.Seconds/maxPoints && p.Labels == curve[n-1].Labels && p.Findings == curve[n-1].Findings {
		return curve
	}
	if len(curve) >= maxPoints {
		kept := curve[:0]
		for i, q := range curve {
			if i%2 == 0 || i == len(curve)-1 {
				kept = append(kept, q)
			}
		}
		curve = kept
	}
	return append(curve, p)
}

// EventKind is the kind of an [Event].
type EventKind string

// The kinds of events.
const (
	Started  EventKind = "start"   // Stats are those of the resumed run
	Found    EventKind = "finding" // a new finding, unshrunk
	Shrunk   EventKind = "shrunk"  // a finding in its final form
	Progress EventKind = "stats"   // about once a second
	Note     EventKind = "note"
	Ended    EventKind = "end"
)

// Event is an event of a campaign.
type Event struct {
	Kind    EventKind `json:"event"`
	Time    time.Time `json:"time"`
	Finding *Finding  `json:"finding,omitempty"`
	Path    string    `json:"path,omitempty"` // the path of the finding's text
	Stats   *Stats    `json:"stats,omitempty"`
	Text    string    `json:"text,omitempty"`
}

// JSON returns the event with the record of its finding, as one line.
func (e Event) JSON() ([]byte, error) {
	var rec *derive.Record
	if e.Finding != nil {
		rec = e.Finding.Record
	}
	return json.Marshal(struct {
		Event
		Record *derive.Record `json:"record,omitempty"`
	}{e, rec})
}

// sizesCovered returns the greatest size of which all sentences have a rank below n, given the
// least size and the number of sentences of each size from there; least-1 if there is none.
func sizesCovered(n uint64, least int, counts []*big.Int) int {
	left := new(big.Int).SetUint64(n)
	size := least - 1
	for _, c := range counts {
		if left.Cmp(c) < 0 {
			break
		}
		left.Sub(left, c)
		size++
	}
	return size
}
