package campaign

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/corpus"
	"github.com/gramfuzz/gramfuzz/internal/outfile"
	"github.com/gramfuzz/gramfuzz/stream"
)

// Limits that hold where [Options] leave them zero.
const (
	DefaultShrinkTime  = 30 * time.Second
	DefaultMaxFindings = 200
)

// Options steer a campaign. Drive and Dir must be given; else the zero value is
// valid.
type Options struct {
	Dir   string // the folder of findings; made where it is missing
	Drive Drive  // how the program is run

	Explain Explain // looks for the place of a failure without a stack; nil: nothing does
	Program string  // identifies the program, see [target.Fingerprint]; when it changes, findings are run again

	Seed    uint64 // of the stream of sentences
	AnySeed bool   // take up a run of any seed in the folder; Seed is for a new one

	Jobs   int           // workers, each with a driver of its own; 0 is 1
	Time   time.Duration // ends drawing; 0 is no limit. Findings are still shrunk, ShrinkTime at most
	Idle   time.Duration // ends drawing when no new label was seen for so long; 0 does not
	Runs   uint64        // ends drawing after so many runs of the program; 0 is no limit
	Enough int           // ends drawing after so many new findings; 0 is no limit

	Guide  string         // "" or none, labels, cover, exemplars; see package guide
	Labels *regexp.Regexp // what of the output is a label, each different match of its own; nil: nothing

	Strategy string // of the stream of sentences, as plans have it; "" is mixed
	Strength int    // of strategy balanced

	Bound   count.Bound // of the sentences; the zero value is that of package sample
	Damage  float64     // the share that is damaged
	Words   []string    // the dictionary for damage; nil is that of package mutate
	Seeds   []Seed      // texts of the user's own: run first, and given to the guide
	Failing Failing     // what fails beside what always does

	Accepted *regexp.Regexp // what the output of a text that the program takes has; nil: exit code 0 says that

	ShrinkTime  time.Duration // for one finding; 0 is DefaultShrinkTime, negative shrinks nothing
	MaxFindings int           // kinds of failures that are kept; 0 is DefaultMaxFindings

	// Coordinator divides the campaign among processes; nil: this one does it all.
	Coordinator Coordinator

	trace func(corpus.Step) // is told of each change of the folder; nil: not
	Event func(Event)       // called for what happens, one at a time; nil: not

	// For records and reports; none of them steers anything.
	Command  []string // the program and its arguments as the user gave them
	Grammar  derive.GrammarRef
	Alphabet string
	Version  string // of gramfuzz
}

// Seed is a text of the user's own.
type Seed struct {
	Name string
	Text []byte
}

// ReadSeeds reads texts of the user's own: files or folders, see [corpus.ReadAll].
func ReadSeeds(paths []string) (seeds []Seed, err error) {
	for _, p := range paths {
		entries, err := corpus.ReadAll(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; check the path", p, outfile.Plain(err))
		}
		for _, e := range entries {
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

// noGuide is the name of the loop that learns nothing.
const noGuide = "none"

// EdgeMap returns the size of the map of edges that the program tells, 0 where it tells
// none. It runs the program on an empty text.
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

// Stream is all that the stream of sentences depends on, but the grammar and the seed.
func (o *Options) Stream() string {
	depends := fmt.Sprintf("bound %+v, damage %v %q, guide %s, %d blocks of %d", o.Bound, o.Damage, o.Words, o.Guide, generators, stream.Block)
	if o.Strategy != "" {
		depends += fmt.Sprintf(", strategy %s %d", o.Strategy, o.Strength)
	}
	return depends
}

// settings is all that the stream of sentences depends on, but the seed, and
// what it is run on: a run goes on from another only where they are the same.
func (o *Options) settings(grammarHash string) string {
	settings := fmt.Sprintf("grammar %s %s, %s, command %q", grammarHash, o.Grammar.Start, o.Stream(), o.Command)
	if o.Coordinator != nil {
		settings += fmt.Sprintf(", divided %q", o.Coordinator.Name())
	}
	return settings
}
