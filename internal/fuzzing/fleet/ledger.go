package fleet

import (
	"encoding/json"
	"fmt"
	"slices"
)

// ledger records the places of the stream that are given out. It is one value of a bucket, and is
// only replaced by compare-and-set.
type ledger struct {
	V     int     `json:"v"`
	Next  uint64  `json:"next"`  // no place from here on was given out
	Slots uint64  `json:"slots"` // the number of worker numbers given out
	Runs  uint64  `json:"runs"`  // runs of the program, by all workers so far
	Taken uint64  `json:"taken"` // blocks that were taken over from dead processes
	Open  []block `json:"open"`  // unfinished blocks
}

// block is a part of the stream that one worker runs.
type block struct {
	ID    uint64 `json:"id"`              // its first place when it was created
	Owner string `json:"owner,omitempty"` // the id of the worker; "": none
	Token uint64 `json:"token,omitempty"` // the owner's token
	Spans []span `json:"spans"`           // places left to run
}

// span is the places From…To-1.
type span struct{ From, To uint64 }

func (s span) MarshalJSON() ([]byte, error) { return json.Marshal([2]uint64{s.From, s.To}) }

func (s *span) UnmarshalJSON(data []byte) error {
	var ends [2]uint64
	err := json.Unmarshal(data, &ends)
	s.From, s.To = ends[0], ends[1]
	return err
}

// The places that the fleet gives out are below ownPlaces; worker number n has the places from n
// times ownPlaces on for itself.
const (
	ownPlaces = uint64(1) << 40
	maxSlots  = 1 << 12 // places stay below 2^53, which every reader of JSON can represent
	maxOpen   = 1 << 12 // about 115 bytes each, so that the ledger stays below maxValue
)

// parseLedger reads a ledger and refuses an invalid one.
func parseLedger(data []byte) (*ledger, error) {
	var l ledger
	if err := strictJSON(data, &l); err != nil {
		return nil, err
	}
	switch {
	case l.V != version:
		return nil, versionError(l.V)
	case l.Next >= ownPlaces || l.Slots > maxSlots || len(l.Open) > maxOpen:
		return nil, fmt.Errorf("a ledger with next %d, %d slots and %d blocks", l.Next, l.Slots, len(l.Open))
	}
	for _, b := range l.Open {
		if len(b.Spans) == 0 {
			return nil, fmt.Errorf("block %d of the ledger has no places", b.ID)
		}
		for _, s := range b.Spans {
			if s.From >= s.To || s.To > l.Next {
				return nil, fmt.Errorf("block %d of the ledger has places %d to %d of %d", b.ID, s.From, s.To, l.Next)
			}
		}
	}
	return &l, nil
}

// take gives a block to a worker: one that it has but does not know of, a free one, one of a dead
// worker, or n new places.
func (l *ledger) take(owner string, token, n uint64, holds func(id uint64) bool, dead func(owner string) bool) (b block, ok bool) {
	for i := range l.Open {
		if o := &l.Open[i]; o.Owner == owner && o.Token == token && !holds(o.ID) {
			l.Taken++ // from a process that died, or whose answer was lost
			return *o, true
		}
	}
	for i := range l.Open {
		if o := &l.Open[i]; o.Owner == "" || o.Owner != owner && dead(o.Owner) {
			if o.Owner != "" {
				l.Taken++
			}
			o.Owner, o.Token = owner, token
			return *o, true
		}
	}
	n = min(n, ownPlaces-1-l.Next)
	if n == 0 || len(l.Open) >= maxOpen {
		return b, false
	}
	b = block{ID: l.Next, Owner: owner, Token: token, Spans: []span{{l.Next, l.Next + n}}}
	l.Next += n
	l.Open = append(l.Open, b)
	return b, true
}

// progress replaces the places of a worker's blocks by those left. A block with none left is
// complete and removed. It returns the blocks that the worker no longer has.
func (l *ledger) progress(owner string, token uint64, left map[uint64][]span) (lost map[uint64]bool) {
	lost = map[uint64]bool{}
	for id, spans := range left {
		i := slices.IndexFunc(l.Open, func(b block) bool { return b.ID == id && b.Owner == owner && b.Token == token })
		switch {
		case i < 0:
			lost[id] = true
		case len(spans) == 0:
			l.Open = slices.Delete(l.Open, i, i+1)
		default:
			l.Open[i].Spans = spans
		}
	}
	return lost
}

// giveBack releases all blocks of a worker, with the places in left. A block that is not in left,
// because the worker never learned of it, is released whole. It reports whether there were any.
func (l *ledger) giveBack(owner string, token uint64, left map[uint64][]span) bool {
	before := len(l.Open)
	l.progress(owner, token, left)
	had := len(l.Open) < before
	for i := range l.Open {
		if b := &l.Open[i]; b.Owner == owner && b.Token == token {
			b.Owner, b.Token, had = "", 0, true
		}
	}
	return had
}

// reclaim gives a worker that returns with a new token the blocks that it still has.
func (l *ledger) reclaim(owner string, token uint64) {
	for i := range l.Open {
		if l.Open[i].Owner == owner {
			l.Open[i].Token = token
		}
	}
}
