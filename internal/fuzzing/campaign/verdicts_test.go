package campaign

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// TestVerdicts checks verdicts by exit code, and by a pattern in the output. A warning comes
// once, if all texts ended in the same way.
func TestVerdicts(t *testing.T) {
	ran := func(code int, out, err string) *Ran {
		r := &Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{Code: code, Stdout: []byte(out), Stderr: []byte(err), StderrTotal: int64(len(err))}}
		if code != 0 {
			r.Outcome.Class = target.Exit
		}
		return r
	}
	fine := regexp.MustCompile("fine")
	for _, tt := range []struct {
		name     string
		accepted *regexp.Regexp
		runs     []*Ran // repeated in turn
		fails    bool
		want     Verdicts
		warning  string // a part of the warning
	}{
		{"taken", nil, []*Ran{ran(0, "a\x1b[1m\n", "")}, false, Verdicts{Taken: 400}, `exit code 0; if it refuses texts in another way than by its exit code, give --accepted REGEXP; else check that it reads the text (the program says "a\x1b[1m")`},
		{"remarks", nil, []*Ran{ran(0, "", "\n oh\n")}, false, Verdicts{Taken: 400, Remarked: 400}, `and a message; if that is how it refuses texts, give --accepted REGEXP, which matches what it prints of one that it takes (the program says "oh")`},
		{"refused", nil, []*Ran{ran(2, "", "no")}, false, Verdicts{Refused: 400}, `exit code 2; so they test little of it: check the command and the grammar (the program says "no")`},
		{"two exit codes", nil, []*Ran{ran(2, "", "no"), ran(3, "", "no")}, false, Verdicts{Refused: 400}, ""},
		{"both", nil, []*Ran{ran(0, "", ""), ran(1, "", "")}, false, Verdicts{Taken: 200, Refused: 200}, ""},
		{"a remark or none", nil, []*Ran{ran(0, "", "x"), ran(0, "", "")}, false, Verdicts{Taken: 400, Remarked: 200}, ""},
		{"no pattern holds", fine, []*Ran{ran(0, "no", "")}, false, Verdicts{Refused: 400}, "no match of --accepted"},
		{"the pattern always holds", fine, []*Ran{ran(1, "fine", "")}, false, Verdicts{Taken: 400}, "and a match of --accepted"},
		{"by pattern", fine, []*Ran{ran(0, "", "fine"), ran(0, "fin", "")}, false, Verdicts{Taken: 200, Refused: 200}, ""},
		{"failures", nil, []*Ran{ran(0, "", "")}, true, Verdicts{Failed: 400}, ""},
		{"no result", nil, []*Ran{{Outcome: target.Outcome{Class: target.OK}}}, false, Verdicts{Taken: 400}, "ended in the same way; "},
	} {
		var v verdicts
		var warnings []string
		for i := range 400 {
			if w := v.add(&Options{Accepted: tt.accepted}, tt.runs[i%len(tt.runs)], tt.fails); w != "" {
				warnings = append(warnings, w)
			}
		}
		if diff := cmp.Diff(tt.want, v.since(Verdicts{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if got := strings.Join(warnings, "\n"); (got == "") != (tt.warning == "") || !strings.Contains(got, tt.warning) || len(warnings) > 1 {
			t.Errorf("%s: warnings %q, want %q", tt.name, warnings, tt.warning)
		}
	}
}

// TestLine checks the texts of a campaign's numbers.
func TestLine(t *testing.T) {
	s := Stats{Seconds: 83000, Runs: 123456789, PerSecond: 1500, Findings: 12, LastNew: 300, Verdicts: Verdicts{Taken: 1}}
	if got, want := s.Line(), "23h3m20s, 123456789 runs (1500/s), 1 taken, 0 refused, 12 findings, nothing new for 22h58m20s"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	want := []string{"1s, 1 run (1/s), 0 taken, 0 refused, 0 findings, nothing new for 1s", "the program took 0 texts, refused 0 and failed on 0",
		"of 10 alternatives of the grammar 7 were used; every sentence of at most 3 terminals was run"}
	if diff := cmp.Diff(want, (&Stats{Seconds: 1.5, Runs: 1, PerSecond: 1, Alternatives: 7, AllOf: 10, Covered: 3}).Lines()); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
