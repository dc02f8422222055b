package campaign

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// Verdicts counts the program's verdicts on texts, without the runs of shrinking.
type Verdicts struct {
	Taken    uint64 `json:"taken"`
	Remarked uint64 `json:"remarked"` // accepted, with output on standard error
	Refused  uint64 `json:"refused"`
	Failed   uint64 `json:"failed"`
}

// verdict is the program's verdict on one text.
type verdict uint8

const (
	taken verdict = iota
	remarked
	refused
	failed
)

// verdicts counts verdicts. It is safe for concurrent use.
type verdicts struct {
	counts [failed + 1]atomic.Uint64
	all    atomic.Uint64
	first  atomic.Uint64 // 1 plus the first verdict; 0: none yet
	varied atomic.Bool   // there was another verdict
}

// alikeRuns is the number of texts after which it is reported that all ended in the same way.
const alikeRuns = 200

// add counts a run. It returns the text of a warning when one is due.
func (v *verdicts) add(o *Options, r *Ran, fails bool) (warning string) {
	what := o.verdict(r, fails)
	v.counts[what].Add(1)
	n := v.all.Add(1)
	if v.varied.Load() {
		return ""
	}
	ending := uint64(what) + 1
	if r.Result != nil {
		ending |= uint64(uint32(r.Result.Code)) << 8
	}
	if !v.first.CompareAndSwap(0, ending) && v.first.Load() != ending || what == failed {
		v.varied.Store(true)
		return ""
	}
	if n != alikeRuns {
		return ""
	}
	return alikeWarning(o, r, what)
}

// verdict returns the program's verdict on a run's text: by a match of Options.Accepted, or by
// the exit code.
func (o *Options) verdict(r *Ran, fails bool) verdict {
	if fails {
		return failed
	}
	res := r.Result
	if res == nil {
		res = &target.Result{}
	}
	ok := r.Outcome.Class != target.Exit
	if o.Accepted != nil {
		ok = o.Accepted.Match(res.Stdout) || o.Accepted.Match(res.Stderr)
	}
	switch {
	case !ok:
		return refused
	case res.StderrTotal > 0 && o.Accepted == nil:
		return remarked
	}
	return taken
}

// alikeWarning says that all texts so far ended like this run.
func alikeWarning(o *Options, r *Ran, what verdict) string {
	end := "in the same way"
	if r.Result != nil {
		end = "with " + r.Result.String()
	}
	advice := "; if it refuses texts in another way than by its exit code, give --accepted REGEXP; else check that it reads the text"
	switch {
	case what == refused && o.Accepted != nil:
		advice = " and no match of --accepted; check the pattern, the command and the grammar"
	case what == refused:
		advice = "; so they test little of it: check the command and the grammar"
	case o.Accepted != nil:
		advice = " and a match of --accepted; check that the pattern tells texts that it takes from others"
	case what == remarked:
		advice = " and a message; if that is how it refuses texts, give --accepted REGEXP, which matches what it prints of one that it takes"
	}
	return fmt.Sprintf("each of the first %d texts ended %s%s%s", alikeRuns, end, advice, firstWords(r.Result))
}

// maxWords bounds the shown part of a program's first message, in bytes.
const maxWords = 120

// firstWords quotes the first line that a program printed.
func firstWords(res *target.Result) string {
	if res == nil {
		return ""
	}
	for _, text := range [][]byte{res.Stderr, res.Stdout} {
		for line := range bytes.Lines(text) {
			line = bytes.TrimSpace(line)
			if len(line) > 0 {
				return fmt.Sprintf(" (the program says %q)", line[:min(len(line), maxWords)])
			}
		}
	}
	return ""
}

// since returns the counts together with those of earlier runs.
func (v *verdicts) since(old Verdicts) Verdicts {
	noted := v.counts[remarked].Load()
	return Verdicts{
		Taken:    old.Taken + v.counts[taken].Load() + noted,
		Remarked: old.Remarked + noted,
		Refused:  old.Refused + v.counts[refused].Load(),
		Failed:   old.Failed + v.counts[failed].Load(),
	}
}

// short formats the counts in a few words.
func (v Verdicts) short() string { return fmt.Sprintf("%d taken, %d refused", v.Taken, v.Refused) }

// String formats the counts as a sentence.
func (v Verdicts) String() string {
	s := fmt.Sprintf("the program took %s", words.Plural(v.Taken, "text"))
	if v.Remarked > 0 {
		s += fmt.Sprintf(" (%d of them with something on standard error)", v.Remarked)
	}
	return s + fmt.Sprintf(", refused %d and failed on %d", v.Refused, v.Failed)
}

// Line formats the numbers as a line.
func (s *Stats) Line() string {
	return strings.Join([]string{
		duration(s.Seconds), fmt.Sprintf("%s (%.0f/s)", words.Plural(s.Runs, "run"), s.PerSecond), s.short(),
		words.Plural(s.Findings, "finding"), "nothing new for " + duration(s.Seconds-s.LastNew),
	}, ", ")
}

// Lines formats the numbers at the end of a campaign as a few sentences.
func (s *Stats) Lines() []string {
	used := fmt.Sprintf("of %d alternatives of the grammar %d were used", s.AllOf, s.Alternatives)
	if s.Covered >= 0 {
		used += fmt.Sprintf("; every sentence of at most %s was run", words.Plural(s.Covered, "terminal"))
	}
	lines := []string{s.Line(), s.Verdicts.String(), used}
	if s.NotKept > 0 {
		lines = append(lines, fmt.Sprintf("%s of failures more were seen and not kept; --max-findings N keeps more", words.Plural(s.NotKept, "kind")))
	}
	return lines
}

// Lines formats the result of a campaign in the folder dir as a few sentences.
func (s *Summary) Lines(dir string) []string {
	lines := s.Stats.Lines()
	for _, fd := range s.Findings {
		lines = append(lines, fmt.Sprintf("%s, %s: %s", fd.Signature, words.Plural(len(fd.Record.Text), "byte"), fd.Replay(dir+"/findings/"+fd.Key)))
	}
	if n := len(s.Fixed); n > 0 {
		lines = append(lines, fmt.Sprintf("%s in %s/fixed: the program does not fail on them since it changed", words.Plural(n, "text"), dir))
	}
	if s.Page != "" {
		lines = append(lines, "the page of this campaign is "+s.Page)
	}
	return lines
}

// duration formats seconds for people.
func duration(s float64) string { return seconds(math.Floor(max(s, 0))).String() }
