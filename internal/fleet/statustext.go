package fleet

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/numbers"
	"github.com/gramfuzz/gramfuzz/internal/quote"
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
		numbers.Plural(len(st.Findings), "finding"), numbers.Plural(int(st.Entries), "text")+" worth keeping")
	for _, w := range st.Workers {
		line("worker\t%s\t%.8s\t%d runs (%.0f/s)\tlast word %v ago\tlag %d\tlost %d", quote.Text(w.Name), quote.Text(w.ID), w.Runs, w.PerSecond,
			time.Duration(w.LastWord*float64(time.Second)).Round(time.Second/10), w.Lag, w.Lost)
	}
	for _, x := range st.Findings {
		line("finding\t%s\t%s\t%s\t%s", x.Key, numbers.Plural(x.Bytes, "byte"), x.State(), quote.Text(x.Signature))
	}
	for _, x := range st.Leases {
		line("lease\tfrom %d\t%d left\t%s", x.Block, x.Left, quote.Text(x.Holder()))
	}
	if st.Taken > 0 {
		line("taken over from workers that died: %s", numbers.Plural(int(st.Taken), "block"))
	}
	for _, why := range slices.Sorted(maps.Keys(st.Refused)) {
		line("refused: %s (%s)", numbers.Plural(st.Refused[why], "message"), quote.Text(why))
	}
	return b.String()
}
