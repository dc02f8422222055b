package campaign

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
	"github.com/gramfuzz/gramfuzz/stream"
)

// The defaults of [Options].
const (
	DefaultShrinkTime  = 30 * time.Second
	DefaultMaxFindings = 200
)

// Options controls a campaign. Drive and Dir are required; otherwise the zero value is valid.
type Options struct {
	Dir   string // the folder of findings; created if missing
	Drive Drive  // makes the driver of the program

	Explain Explain // looks for the place of a failure without a stack; nil: not done
	Program string  // identifies the program, see [target.Fingerprint]; when it changes, findings are run again

	Seed    uint64 // the seed of the stream of sentences
	AnySeed bool   // resume a run of any seed in the folder; Seed is for a new one

	Jobs   int           // the number of workers, each with a driver of its own; 0 is 1
	Time   time.Duration // ends drawing; 0 is no limit. Findings are still shrunk, for at most ShrinkTime
	Idle   time.Duration // ends drawing when no new label was seen for this time; 0 is no limit
	Runs   uint64        // ends drawing after this number of runs of the program; 0 is no limit
	Enough int           // ends drawing after this number of new findings; 0 is no limit

	CmpLog string         // a build of the program that records comparisons for the guide, see [afl.CheckCmpLog]; "": none
	Guide  string         // "" or none, labels, cover, exemplars; see package guide
	Labels *regexp.Regexp // each different match in the output is a label; nil: none

	Strategy string // the strategy of the stream of sentences, as in plans; "" is mixed
	Strength int    // for strategy balanced

	Bound   count.Bound // the bound of sentences; the zero value is that of package sample
	Damage  float64     // the share of damaged sentences
	Words   []string    // the dictionary for damage; nil is that of package mutate
	Seeds   []Seed      // the user's own texts: run first, and given to the guide
	Memory  int64       // of parsing one text, in bytes; 0 is parse.DefaultMaxMemory
	Failing Failing     // runs that fail, beside those that always do

	Accepted *regexp.Regexp // a pattern in the output for accepted texts; nil: exit code 0 accepts

	ShrinkTime  time.Duration // the time for one finding; 0 is DefaultShrinkTime, negative shrinks nothing
	MaxFindings int           // the greatest number of kinds of failures kept; 0 is DefaultMaxFindings

	// Coordinator divides the campaign among processes; nil: this one does it all.
	Coordinator Coordinator

	withoutComparisons bool // a guide has no comparisons, for tests of their worth

	trace func(corpus.Step) // called for each change of the folder; nil: no trace
	Event func(Event)       // called for each event, one at a time; nil: no events

	// For records and reports only.
	Command  []string // the program and its arguments as the user gave them
	Grammar  derive.GrammarRef
	Alphabet string
	Version  string // gramfuzz's version
}

// Seed is a text of the user.
type Seed struct {
	Name string
	Text []byte
}

// ReadSeeds reads the user's texts from files or folders, see [corpus.ReadAll]. It refuses one whose
// tree may need more memory than allowed, see [corpus.Fits].
func ReadSeeds(paths []string, memory int64) (seeds []Seed, err error) {
	for _, p := range paths {
		entries, err := corpus.ReadAll(p)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if err := corpus.Fits(e, memory); err != nil {
				return nil, err
			}
			seeds = append(seeds, Seed{Name: e.Name, Text: e.Text})
		}
	}
	return seeds, nil
}

func (o *Options) setDefaults() error {
	switch {
	case o.Drive == nil:
		return errors.New("nothing to run; give a driver")
	case o.Dir == "":
		return errors.New("no folder for findings; give one")
	case o.Jobs < 0 || o.Time < 0 || o.Idle < 0 || o.Enough < 0 || o.MaxFindings < 0:
		return errors.New("a limit is negative; give a positive one or 0 for the usual")
	}
	o.Jobs = max(o.Jobs, 1)
	if o.ShrinkTime == 0 {
		o.ShrinkTime = DefaultShrinkTime
	}
	if o.MaxFindings == 0 {
		o.MaxFindings = DefaultMaxFindings
	}
	if o.Guide == "" {
		o.Guide = noGuide
	}
	return nil
}

// noGuide is the name of the loop without a guide.
const noGuide = "none"

// EdgeMap returns the size of the program's map of edges, 0 if it has none. It runs the program
// on an empty text.
func (o *Options) EdgeMap(ctx context.Context) (int, error) {
	d, err := o.Drive(ctx)
	if err != nil {
		return 0, err
	}
	r, err := d.Run(ctx, nil)
	if err != nil {
		return 0, errors.Join(err, d.Close())
	}
	return len(r.Edges), d.Close()
}

// Stream describes everything that the stream of sentences depends on, except the grammar and the
// seed.
func (o *Options) Stream() string {
	depends := fmt.Sprintf("bound %+v, damage %v %q, guide %s, %d blocks of %d", o.Bound, o.Damage, o.Words, o.Guide, generators, stream.Block)
	if o.Strategy != "" {
		depends += fmt.Sprintf(", strategy %s %d", o.Strategy, o.Strength)
	}
	return depends
}

// settings describes everything that the stream of sentences depends on, except the seed, and the
// program. A run resumes another one only where they are equal.
func (o *Options) settings(grammarHash string) string {
	settings := fmt.Sprintf("grammar %s %s, %s, command %q", grammarHash, o.Grammar.Start, o.Stream(), o.Command)
	if o.Coordinator != nil {
		settings += fmt.Sprintf(", divided %q", o.Coordinator.Name())
	}
	return settings
}
