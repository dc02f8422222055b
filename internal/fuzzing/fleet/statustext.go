package fleet

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
)

// State describes the progress of shrinking a finding.
func (f FindingStatus) State() string {
	switch {
	case f.Shrunk:
		return "shrunk"
	case f.Shrinker != "":
		return "being shrunk"
	}
	return "to be shrunk"
}

// Holder names the worker of a block.
func (l LeaseStatus) Holder() string {
	switch {
	case l.Worker == "":
		return "nobody has it"
	case !l.Alive:
		return l.Worker + " (gone)"
	}
	return l.Worker
}

// Text formats the status for people.
func (st *Status) Text() string {
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	line("fleet %s, seed %d: %d runs (%.0f/s), %d sentences given out, %s, %s", st.Fleet, st.Seed, st.Runs, st.PerSecond, st.Sentences,
		words.Plural(len(st.Findings), "finding"), words.Plural(int(st.Entries), "text")+" worth keeping")
	for _, w := range st.Workers {
		line("worker\t%s\t%.8s\t%d runs (%.0f/s)\tlast word %v ago\tlag %d\tlost %d", words.Quote(w.Name), words.Quote(w.ID), w.Runs, w.PerSecond,
			time.Duration(w.LastWord*float64(time.Second)).Round(time.Second/10), w.Lag, w.Lost)
	}
	for _, x := range st.Findings {
		line("finding\t%s\t%s\t%s\t%s", x.Key, words.Plural(x.Bytes, "byte"), x.State(), words.Quote(x.Signature))
	}
	for _, x := range st.Leases {
		line("lease\tfrom %d\t%d left\t%s", x.Block, x.Left, words.Quote(x.Holder()))
	}
	if st.Taken > 0 {
		line("taken over from workers that died: %s", words.Plural(int(st.Taken), "block"))
	}
	for _, why := range slices.Sorted(maps.Keys(st.Refused)) {
		line("refused: %s (%s)", words.Plural(st.Refused[why], "message"), words.Quote(why))
	}
	return b.String()
}
