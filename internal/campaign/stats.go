package campaign

import (
	"encoding/json"
	"math/big"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
)

// Stats say how far a campaign is.
type Stats struct {
	Seconds   float64 `json:"seconds"` // of this run and those it goes on from
	Runs      uint64  `json:"runs"`    // of the program, shrinking included
	PerSecond float64 `json:"per_second"`
	Sentences uint64  `json:"sentences"` // of the stream
	Labels    int     `json:"labels"`
	Examples  int     `json:"examples"` // that a guide keeps
	Findings  int     `json:"findings"` // in the folder, those of others included
	NotKept   int     `json:"not_kept"` // kinds of failures beyond [Options.MaxFindings], in this process
	LastNew   float64 `json:"last_new"` // when a label or finding was new, in seconds

	// Covered is the size up to which every sentence has been run, in
	// terminals; -1 where none or where sentences cannot be enumerated.
	// Enumerated is how many these and those after them are so far.
	Covered    int    `json:"covered"`
	Enumerated uint64 `json:"enumerated"`

	Alternatives int `json:"alternatives"` // of the grammar, used so far
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

// maxPoints bounds a curve: when it is full every other point is dropped.
const maxPoints = 400

// AddPoint adds a point to a curve, unless it is too near to the last one for
// a curve of that length.
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

// EventKind says what an [Event] is about.
type EventKind string

// The kinds of events.
const (
	Started  EventKind = "start"   // Stats are those that the run goes on from
	Found    EventKind = "finding" // as it was found
	Shrunk   EventKind = "shrunk"  // as it is kept
	Progress EventKind = "stats"   // about once a second
	Note     EventKind = "note"
	Ended    EventKind = "end"
)

// Event is something that happened in a campaign.
type Event struct {
	Kind    EventKind `json:"event"`
	Time    time.Time `json:"time"`
	Finding *Finding  `json:"finding,omitempty"`
	Path    string    `json:"path,omitempty"` // of the finding's text
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

// sizesCovered returns the greatest size of which all sentences have a rank below
// n, given the least size and how many sentences each size from there has; least-1
// where there is none.
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
