// Package reach counts the edges of a parser that sentences reach. It runs in programs that
// bench/coverage builds. Such a program makes sentences in one of several ways for some CPU time,
// and feeds them to a parser in its own process.
//
//	func main() {
//		reach.Main(func(text []byte) { json.Unmarshal(text, new(any)) })
//	}
package reach

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
	"github.com/gramfuzz/gramfuzz/internal/testing/cputime"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/stream"
)

// Job is one measurement.
type Job struct {
	Way     string        // one of Ways
	Grammar string        // a shipped grammar, or the path of a file
	CPU     time.Duration // CPU time of the process
	Seed    uint64
}

// Result is the outcome of a Job.
type Result struct {
	Edges     int
	Tests     int
	Growth    []Point               // edges over time
	Operators []guide.OperatorStats `json:",omitempty"`
}

// Point is the number of edges reached after some CPU time.
type Point struct {
	CPU   time.Duration
	Edges int
}

// growth notes points at 1, 2, 4, … seconds.
type growth struct {
	points []Point
	next   time.Duration
}

// note adds a point if one is due at the current time; edges returns the number of edges.
func (g *growth) note(now time.Duration, edges func() int) {
	if g.next == 0 {
		g.next = time.Second
	}
	if now >= g.next {
		g.points = append(g.points, Point{g.next, edges()})
		for g.next <= now {
			g.next *= 2
		}
	}
}

// Ways lists the ways of making sentences.
var Ways = []string{"walk", "uniform", "swarm", "mixed", "balanced", "balanced pairs", "broad", "mixed, damaged", "labels", "cover, sentences", "cover", "exemplars"}

// Main runs the job in the first command-line argument, a Job in JSON, and prints the result. feed
// runs the parser.
func Main(feed func([]byte)) {
	runtime.GOMAXPROCS(1)
	if err := run(feed); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(feed func([]byte)) error {
	var job Job
	if err := json.Unmarshal([]byte(os.Args[1]), &job); err != nil {
		return err
	}
	g, _, err := grammars.Load(job.Grammar, load.Options{})
	if err != nil {
		return err
	}
	c, err := gocov.Open()
	if err != nil {
		return err
	}
	if err := c.Reset(); err != nil {
		return err
	}
	var res Result
	if guideOf(job.Way) != "" {
		res, err = guided(job, g, c, feed)
	} else {
		res, err = drawn(job, g, c, feed)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(res)
}

// guideOf returns the name of a generator's guide, "" for none.
func guideOf(way string) string {
	switch way {
	case "labels", "cover", "exemplars":
		return way
	case "cover, sentences":
		return "cover"
	}
	return ""
}

// drawn feeds the sentences of a stream to the parser. These generators need no feedback, so the
// counters are never reset, and are read at the growth points and at the end only.
func drawn(job Job, g *grammar.Grammar, c *gocov.Counters, feed func([]byte)) (res Result, err error) {
	ctx := context.Background()
	text, err := open(ctx, job, g)
	if err != nil {
		return res, err
	}
	count := func() (n int) {
		_ = c.Each(func(int, uint8) { n++ })
		return n
	}
	var grown growth
	for i := uint64(0); ; i++ {
		if i&15 == 0 {
			now := cputime.Used()
			grown.note(now, count)
			if now >= job.CPU {
				break
			}
		}
		buf, err := text(ctx, nil, i)
		if err != nil {
			return res, err
		}
		feed(buf)
		res.Tests++
	}
	res.Edges, res.Growth = count(), grown.points
	return res, nil
}

// open returns a function that makes sentence i.
func open(ctx context.Context, job Job, g *grammar.Grammar) (func(ctx context.Context, dst []byte, i uint64) ([]byte, error), error) {
	plan, ok := map[string]*stream.Plan{
		"walk":           {Strategy: "walk"},
		"uniform":        {},
		"swarm":          {Swarm: &stream.SwarmPlan{Mode: "both"}},
		"mixed":          {Strategy: stream.Mixed},
		"balanced":       {Strategy: "balanced"},
		"balanced pairs": {Strategy: "balanced", Strength: 2},
		"broad":          {Strategy: "broad"},
		"mixed, damaged": {Strategy: stream.Mixed, Damage: stream.DefaultDamage},
	}[job.Way]
	if !ok {
		return nil, fmt.Errorf("there is no way %q; there are %v", job.Way, Ways)
	}
	plan.Seed = job.Seed
	s, err := plan.Open(ctx, g, stream.Options{})
	if err != nil {
		return nil, err
	}
	return s.Source().Append, nil
}

// guided runs a guide.
func guided(job Job, g *grammar.Grammar, c *gocov.Counters, feed func([]byte)) (res Result, err error) {
	src, err := guide.NewSentences(g, guide.SentenceOptions{Texts: job.Way == "cover"})
	if err != nil {
		return res, err
	}
	reached := map[int]bool{}
	test := guide.InProcess(c, func(_ context.Context, in *guide.Input) ([]guide.Label, error) {
		feed(in.Text)
		return nil, nil
	})
	loop, err := guide.New(guideOf(job.Way), src, test, guide.Options{Seed: job.Seed, Budget: 64, Fresh: func(*guide.Input, []guide.Label) {
		// The counters still hold the edges of this input.
		_ = c.Each(func(counter int, _ uint8) { reached[counter] = true })
	}})
	if err != nil {
		return res, err
	}
	var grown growth
	for now := cputime.Used(); now < job.CPU; now = cputime.Used() {
		grown.note(now, func() int { return len(reached) })
		if err := loop.Step(context.Background()); err != nil {
			return res, err
		}
	}
	s := loop.Stats()
	return Result{Edges: len(reached), Tests: s.Tests, Growth: grown.points, Operators: s.Operators}, nil
}
