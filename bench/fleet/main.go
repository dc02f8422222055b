// Command fleet measures fleets.
//
//	go -C bench run ./fleet -time 30s
//	go -C bench run ./fleet -workers 100 -fleets 1,2,4 -hubs 1,2,4
//	go -C bench run ./fleet -what cost -time 30s
//	go -C bench run ./fleet -what deep
//
// The first command simulates 1, 10 and 100 workers with a real embedded hub. A simulated worker
// takes blocks, exchanges findings and entries, and renews its lease like a real one, through a
// connection of its own. Only the program under test is replaced, by a pause of random
// (exponential) length and an occasional new entry. The command prints messages, bytes and CPU time
// per 10^6 executions, and then the maximum numbers of blocks and entries per second.
//
// With -fleets the workers are spread over several fleets, each with its own ledger, buckets and
// subjects. With -hubs the fleets are spread over several hubs, all in this process.
//
// The last two commands run real processes, on a Go function in a separate process (planted.Sum).
// Cost compares the executions per CPU second of three workers in a fleet with those of three
// independent workers. Deep compares the CPU time until a bug is found by a fleet and by single
// workers. Each worker of the fleet starts with a text that satisfies one condition of the bug.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/fleet"
	"github.com/gramfuzz/gramfuzz/internal/testing/cputime"
)

func main() {
	work := func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout) }
	if text, ok := os.LookupEnv(child); ok {
		work = func(ctx context.Context) error { return serve(ctx, text) }
	}
	if err := work(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		os.Exit(1)
	}
}

// settings holds the values of the flags.
type settings struct {
	time, mean, lease time.Duration
	entries           float64 // per second and worker, at the beginning
	bytes             int
	turns             int
	runs              uint64
	only              string
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("fleet", flag.ContinueOnError)
	var s settings
	workers := flags.String("workers", "1,10,100", "how many workers, separated by commas")
	fleets := flags.String("fleets", "1", "over how many fleets they are spread, separated by commas")
	hubs := flags.String("hubs", "1", "over how many hubs the fleets are spread, separated by commas")
	flags.DurationVar(&s.time, "time", 20*time.Second, "how long each measurement takes, in cost each turn")
	flags.DurationVar(&s.mean, "mean", time.Millisecond, "the mean time of an execution")
	flags.DurationVar(&s.lease, "lease", 10*time.Second, "the lease")
	flags.Float64Var(&s.entries, "entries", 1, "entries a second of a worker, at the beginning; they become rarer with time")
	flags.IntVar(&s.bytes, "bytes", 200, "the length of an entry")
	what := flags.String("what", "simulation", "the measurement: simulation, cost or deep")
	flags.IntVar(&s.turns, "turns", 10, "cost and deep: turns, or seeds")
	flags.Uint64Var(&s.runs, "runs", 2_000_000, "cost and deep: the most runs of a worker")
	flags.StringVar(&s.only, "only", "", "deep: only the rows whose name has this text")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.turns < 1 {
		return fmt.Errorf("-turns %d is no number of turns", s.turns)
	}
	switch *what {
	case "simulation":
	case "cost":
		return s.cost(ctx, out)
	case "deep":
		return s.deep(ctx, out)
	default:
		return fmt.Errorf("-what %q is none of simulation, cost and deep", *what)
	}
	return s.simulate(ctx, out, *workers, *fleets, *hubs)
}

// shape is the size of a simulation.
type shape struct {
	workers, fleets, hubs int
	synced                bool
}

func (h shape) String() string {
	return fmt.Sprintf("| %d | %d | %d | %v |", h.workers, h.fleets, h.hubs, h.synced)
}

// shapes returns the sensible combinations: each fleet has a worker, and each hub a fleet.
func shapes(workers, fleets, hubs []int) (out []shape) {
	for _, w := range workers {
		for _, f := range fleets {
			for _, h := range hubs {
				if f <= w && h <= f {
					out = append(out, shape{w, f, h, true}, shape{w, f, h, false})
				}
			}
		}
	}
	return out
}

// numbers parses the value of a flag, a list of numbers.
func numbers(flag, text string) (out []int, err error) {
	for _, t := range strings.Split(text, ",") {
		n, err := strconv.Atoi(t)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-%s %q is no list of numbers", flag, text)
		}
		out = append(out, n)
	}
	return out, nil
}

// simulate prints the two tables of the simulation.
func (s *settings) simulate(ctx context.Context, out io.Writer, workers, fleets, hubs string) error {
	w, err := numbers("workers", workers)
	f, err2 := numbers("fleets", fleets)
	h, err3 := numbers("hubs", hubs)
	if err := errors.Join(err, err2, err3); err != nil {
		return err
	}
	all := shapes(w, f, h)
	fmt.Fprintln(out, "| workers | fleets | hubs | synced | executions | messages for 10^6 | bytes for 10^6 | CPU s for 10^6 | entries |\n|---|---|---|---|---|---|---|---|---|")
	for _, h := range all {
		if err := s.steady(ctx, out, h); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, "\n| workers | fleets | hubs | synced | blocks a second | messages a block | entries a second |\n|---|---|---|---|---|---|---|")
	for _, h := range all {
		if err := s.most(ctx, out, h); err != nil {
			return err
		}
	}
	return nil
}

// simulation has the hubs and their workers.
type simulation struct {
	hubs    []*fleet.Hub
	fleets  int
	dir     string
	workers []*fleet.Worker
	folders []*campaign.Folder
	ran     atomic.Uint64
}

func (s *settings) begin(ctx context.Context, h shape, block int) (*simulation, error) {
	dir, err := os.MkdirTemp("", "fleet-")
	if err != nil {
		return nil, err
	}
	x := &simulation{dir: dir, fleets: h.fleets}
	for i := 0; i < h.hubs && err == nil; i++ {
		var hub *fleet.Hub
		hub, err = fleet.NewHub(fleet.HubOptions{Data: filepath.Join(dir, fmt.Sprint("hub", i)), Listen: "127.0.0.1:0", NoSync: !h.synced})
		if err == nil {
			x.hubs = append(x.hubs, hub)
		}
	}
	for i := 0; i < h.workers && err == nil; i++ {
		o := fleet.Options{Dir: filepath.Join(dir, strconv.Itoa(i)), Fleet: fleetName(i % h.fleets), Name: "simulated", Block: block}
		o.URL = x.hubOf(i % h.fleets).URL()
		o.Definition = fleet.DefinitionOf(&campaign.Options{}, 0, "")
		o.Definition.Lease = s.lease
		var w *fleet.Worker
		var f *campaign.Folder
		if w, err = fleet.Join(ctx, o); err != nil {
			break
		}
		x.workers = append(x.workers, w)
		if f, err = campaign.Open(o.Dir); err == nil {
			x.folders = append(x.folders, f)
			err = w.Start(ctx, f, 1)
		}
	}
	if err != nil {
		x.end()
	}
	return x, err
}

func fleetName(i int) string { return fmt.Sprint("fleet", i) }

// hubOf returns the hub of a fleet.
func (x *simulation) hubOf(fleet int) *fleet.Hub { return x.hubs[fleet%len(x.hubs)] }

// traffic returns the total traffic of all hubs.
func (x *simulation) traffic() (sum fleet.Traffic, err error) {
	for _, h := range x.hubs {
		t, err := h.Traffic()
		if err != nil {
			return sum, err
		}
		sum.Messages, sum.Bytes = sum.Messages+t.Messages, sum.Bytes+t.Bytes
	}
	return sum, nil
}

func (x *simulation) end() {
	for _, w := range x.workers {
		_ = w.Close()
	}
	for _, h := range x.hubs {
		h.Close()
	}
	os.RemoveAll(x.dir)
}

// run lets the workers take and run places until the time is up.
func (x *simulation) run(ctx context.Context, d time.Duration, pause func(worker, n int, rng *rand.Rand)) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	var group sync.WaitGroup
	for i, w := range x.workers {
		group.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			for ctx.Err() == nil {
				from, n, err := w.Take(ctx)
				if err != nil {
					return
				}
				pause(i, n, rng)
				for p := range n {
					w.Ran(from + uint64(p))
				}
				x.ran.Add(uint64(n))
			}
		})
	}
	group.Wait()
}

// steady measures the cost of a fleet in normal operation.
func (s *settings) steady(ctx context.Context, out io.Writer, h shape) error {
	x, err := s.begin(ctx, h, 0)
	if err != nil {
		return err
	}
	defer x.end()
	before, err := x.traffic()
	if err != nil {
		return err
	}
	cpu, began := cputime.Used(), time.Now()
	var entries atomic.Uint64
	x.run(ctx, s.time, func(worker, n int, rng *rand.Rand) {
		took := 0.0
		for range n {
			took += rng.ExpFloat64()
		}
		time.Sleep(time.Duration(took * float64(s.mean)))
		// The rate of new entries decreases as 1/t.
		if rng.Float64() < s.entries*float64(n)*s.mean.Seconds()/(1+time.Since(began).Seconds()) {
			text := make([]byte, s.bytes)
			for i := range text {
				text[i] = byte('a' + rng.IntN(26))
			}
			if x.folders[worker].AddText(text) == nil {
				entries.Add(1)
			}
		}
	})
	after, err := x.traffic()
	if err != nil {
		return err
	}
	million := float64(x.ran.Load()) / 1e6
	_, err = fmt.Fprintf(out, "%v %d | %.0f | %.0f | %.2f | %d |\n", h, x.ran.Load(), float64(after.Messages-before.Messages)/million,
		float64(after.Bytes-before.Bytes)/million, (cputime.Used()-cpu).Seconds()/million, entries.Load())
	return err
}

// most measures maximum rates: first of blocks of 16 places that take no time to run, then of
// entries that workers exchange as fast as they can.
func (s *settings) most(ctx context.Context, out io.Writer, h shape) error {
	x, err := s.begin(ctx, h, campaign.Chunk)
	if err != nil {
		return err
	}
	defer x.end()
	before, err := x.traffic()
	if err != nil {
		return err
	}
	began := time.Now()
	x.run(ctx, s.time/2, func(int, int, *rand.Rand) {})
	blocks, took := float64(x.ran.Load())/campaign.Chunk, time.Since(began).Seconds()
	after, err := x.traffic()
	if err != nil {
		return err
	}
	texts := min(2000, 20_000*h.fleets/h.workers) // each text goes to all workers of its fleet
	for i := range texts {
		if err := x.folders[i%h.workers].AddText(fmt.Appendf(nil, "%0*d", s.bytes, i)); err != nil {
			return err
		}
	}
	had, err := x.entries(ctx)
	begin := time.Now()
	for _, w := range x.workers {
		w.Event(campaign.Event{Kind: campaign.Found}) // makes the worker read its folder now
	}
	for have := had; have < uint64(texts) && err == nil; have, err = x.entries(ctx) {
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%v %.0f | %.0f | %.0f |\n", h, blocks/took, float64(after.Messages-before.Messages)/blocks, float64(uint64(texts)-had)/time.Since(begin).Seconds())
	return err
}

// entries returns the number of entries that the fleets have.
func (x *simulation) entries(ctx context.Context) (sum uint64, err error) {
	for i := range x.fleets {
		watch, err := fleet.NewWatch(x.hubOf(i).Conn(), fleetName(i))
		if err != nil {
			return 0, err
		}
		st, err := watch.Status(ctx)
		for errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil { // the hub is at its limit
			st, err = watch.Status(ctx)
		}
		if err != nil {
			return 0, err
		}
		sum += st.Entries
	}
	return sum, nil
}
