package fleet

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

func nobody(string) bool { return false }

func nothing(uint64) bool { return false }

// TestLedger passes blocks from worker to worker; only the owner of a block, with its token, can
// complete it or give it back.
func TestLedger(t *testing.T) {
	l := &ledger{V: version}
	a, ok := l.take("a", 1, 100, nothing, nobody)
	b, ok2 := l.take("b", 2, 50, nothing, nobody)
	if !ok || !ok2 || a.ID != 0 || b.ID != 100 || l.Next != 150 {
		t.Fatalf("a has %+v, b %+v", a, b)
	}
	complete := func(id uint64, owner string, token uint64) bool {
		return !l.progress(owner, token, map[uint64][]span{id: nil})[id]
	}
	for _, wrong := range []bool{complete(0, "b", 2), complete(0, "a", 2), complete(1, "a", 1), l.giveBack("a", 2, nil)} {
		if wrong {
			t.Fatalf("a wrong owner changed the ledger: %+v", l)
		}
	}
	// The answer was lost: a takes the block that it already has.
	if again, _ := l.take("a", 1, 100, nothing, nobody); again.ID != a.ID {
		t.Errorf("a got %+v, not the block it has", again)
	}
	holds := func(id uint64) bool { return id == 0 }
	// b is dead; a takes over, and b's reports no longer count.
	took, _ := l.take("a", 1, 100, holds, func(id string) bool { return id == "b" })
	if took.ID != 100 || l.Taken != 2 || complete(100, "b", 2) {
		t.Errorf("a took %+v: %+v", took, l)
	}
	// a gives the rest back, and any worker can take it.
	d, _ := l.take("d", 4, 10, nothing, nobody)
	if !l.giveBack("a", 1, map[uint64][]span{100: {{120, 130}, {140, 150}}}) {
		t.Error("a could not give back")
	}
	if first, _ := l.take("c", 3, 100, nothing, nobody); !cmp.Equal(first, block{0, "c", 3, a.Spans}) {
		t.Errorf("c got %+v, not the block whose lease a was not told of", first)
	}
	rest, _ := l.take("c", 3, 100, func(id uint64) bool { return id == 0 }, nobody)
	if d := cmp.Diff(block{100, "c", 3, []span{{120, 130}, {140, 150}}}, rest); d != "" || l.Taken != 2 {
		t.Errorf("-want +got:\n%s", d)
	}
	if !l.giveBack("d", 4, map[uint64][]span{d.ID: nil}) || len(l.Open) != 2 {
		t.Errorf("a block of which nothing is left stays: %+v", l)
	}
	// c returns with another token.
	l.reclaim("c", 9)
	if complete(0, "c", 3) || !complete(0, "c", 9) || !complete(100, "c", 9) || len(l.Open) != 0 {
		t.Errorf("the ledger is %+v", l)
	}
}

// TestLedgerGivesEachPlaceOnce simulates workers that die at any time: no place is lost, and none
// is run twice except in blocks that were taken over.
func TestLedgerGivesEachPlaceOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		l := &ledger{V: version}
		ran, overlap := map[uint64]int{}, 0
		have := map[string]map[uint64]block{"a": {}, "b": {}, "c": {}}
		tokens := map[string]uint64{"a": 1, "b": 1, "c": 1}
		dead := map[string]bool{}
		names := []string{"a", "b", "c"}
		for range 300 {
			who := names[rng.IntN(3)]
			switch mine := have[who]; rng.IntN(6) {
			case 0: // it dies, and a new process starts
				dead[who] = true
			case 1, 2:
				if dead[who] {
					dead[who] = false
					tokens[who]++
					l.reclaim(who, tokens[who])
					clear(mine)
				}
				before := l.Taken
				b, ok := l.take(who, tokens[who], uint64(1+rng.IntN(40)), func(id uint64) bool { _, ok := mine[id]; return ok }, func(id string) bool { return dead[id] })
				if !ok {
					t.Fatal("no block")
				}
				overlap += int(l.Taken - before)
				mine[b.ID] = b
			default:
				for id, b := range mine { // it runs some places of each block, or all
					run, left := cutSpans(b.Spans, 1+rng.IntN(40))
					if dead[who] || l.progress(who, tokens[who], map[uint64][]span{id: left})[id] {
						continue
					}
					b.Spans = left
					if len(left) == 0 {
						delete(mine, id)
					} else {
						mine[id] = b
					}
					for _, s := range run {
						for i := s.From; i < s.To; i++ {
							ran[i]++
						}
					}
				}
			}
			if parsed, err := parseLedger(mustJSON(l)); err != nil || !cmp.Equal(parsed, l) {
				t.Fatalf("the ledger cannot be read back: %v\n%s", err, cmp.Diff(l, parsed))
			}
		}
		open := map[uint64]int{}
		for _, b := range l.Open {
			for _, s := range b.Spans {
				for i := s.From; i < s.To; i++ {
					open[i]++
				}
			}
		}
		for i := range l.Next {
			if ran[i]+open[i] != 1 {
				t.Fatalf("place %d was completed %d times and is open %d times", i, ran[i], open[i])
			}
		}
	}
}

// cutSpans cuts spans after n places.
func cutSpans(spans []span, n int) (before, after []span) {
	for _, s := range spans {
		k := min(s.To-s.From, uint64(n))
		n -= int(k)
		if k > 0 {
			before = append(before, span{s.From, s.From + k})
		}
		if s.From+k < s.To {
			after = append(after, span{s.From + k, s.To})
		}
	}
	return before, after
}

func TestParseLedger(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"v":1,"next":10,"open":[{"id":0,"owner":"a","token":3,"spans":[[0,10]]}]}`, ""},
		{`{"v":2}`, "version 2"},
		{`nonsense`, "not JSON"},
		{``, "not JSON"},
		{`{"v":1,"next":1099511627776}`, "next 1099511627776"},
		{`{"v":1,"slots":5000}`, "5000 slots"},
		{`{"v":1,"next":10,"open":[{"id":0}]}`, "has no places"},
		{`{"v":1,"next":10,"open":[{"id":0,"spans":[[5,5]]}]}`, "places 5 to 5"},
		{`{"v":1,"next":10,"open":[{"id":0,"spans":[[5,11]]}]}`, "places 5 to 11 of 10"},
		{`{"v":1,"next":10,"open":[{"id":0,"spans":[[5,-1]]}]}`, "not JSON"},
		{strings.Repeat(" ", maxValue+1), "more than"},
	} {
		_, err := parseLedger([]byte(test.text))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.80s: the error is %v, want %q", test.text, err, test.want)
		}
	}
}

// FuzzMessages checks that any message is read or refused.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{
		`{"v":1,"next":10,"open":[{"id":0,"owner":"a","token":3,"spans":[[0,10]]}]}`, `{"v":1,"lease":30000000000}`,
		`{"v":1,"worker":"w","record":"e30="}`, `{"v":1,"grammar":"g","text":"KA=="}`, `[]`, `{"v":1e99}`,
	} {
		f.Add("0123456789abcdef0123456789abcdef", []byte(seed))
	}
	blind.Fuzz(f, func(t *testing.T, key string, data []byte) {
		if l, err := parseLedger(data); err == nil {
			if _, err := parseLedger(mustJSON(l)); err != nil {
				t.Errorf("a ledger that was read cannot be read again: %v", err)
			}
		}
		if _, err := parseDefinition(data); err != nil && refusal(err) == "" {
			t.Error("a refusal without a reason")
		}
		if r, err := parseReport(data); err == nil && len(r.Name) > maxName {
			t.Error("a long name was taken")
		}
		if m, err := parseFindingMessage(data); err == nil {
			if fd, err := parseRecord(key, m.Record, "g"); err == nil && (fd.Key != key || strings.ContainsAny(key, "/\\.")) {
				t.Errorf("a finding was taken under %q", key)
			}
		}
		if _, err := parseEntry(key, data, "g"); err == nil && strings.ContainsAny(key, "/\\.") {
			t.Errorf("an entry was taken under %q", key)
		}
	})
}
