// Command fleet measures fleets.
//
//	go run ./bench/fleet -time 30s
//	go run ./bench/fleet -what cost -time 30s
//	go run ./bench/fleet -what deep
//
// The first simulates 1, 10 and 100 workers against a real embedded hub. A simulated worker
// takes blocks, exchanges findings and entries, and renews its lease as a real one does,
// through a connection of its own. Only the program is a pause of random (exponential)
// length, and an entry comes now and then. It prints messages, bytes and CPU time for each
// 10^6 executions, and then the most blocks and entries a second of one hub.
//
// The others run real processes, on a function of Go in a process of its own (planted.Sum).
// Cost compares the executions for each CPU second of three workers in a fleet with those of
// three by themselves. Deep compares the CPU time until a bug is found, of a fleet whose
// workers have a text each that leads a part of the way, and of single workers.
package main

import (
	"context"
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

	"github.com/gramfuzz/gramfuzz/internal/campaign"
	"github.com/gramfuzz/gramfuzz/internal/cputime"
	"github.com/gramfuzz/gramfuzz/internal/fleet"
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

// settings are the flags.
type settings struct {
	time, mean, lease time.Duration
	entries           float64 // a second and worker, at the beginning
	bytes             int
	turns             int
	runs              uint64
	only              string
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("fleet", flag.ContinueOnError)
	var s settings
	workers := flags.String("workers", "1,10,100", "how many workers, separated by commas")
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
	var counts []int
	for _, text := range strings.Split(*workers, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("-workers %q is no list of numbers", *workers)
		}
		counts = append(counts, n)
	}
	fmt.Fprintln(out, "| workers | synced | executions | messages for 10^6 | bytes for 10^6 | CPU s for 10^6 | entries |\n|---|---|---|---|---|---|---|")
	for _, n := range counts {
		for _, sync := range []bool{true, false} {
			if err := s.steady(ctx, out, n, sync); err != nil {
				return err
			}
		}
	}
	fmt.Fprintln(out, "\n| workers | synced | blocks a second | entries a second |\n|---|---|---|---|")
	for _, n := range counts {
		for _, sync := range []bool{true, false} {
			if err := s.most(ctx, out, n, sync); err != nil {
				return err
			}
		}
	}
	return nil
}

// simulation is a hub with its workers.
type simulation struct {
	hub     *fleet.Hub
	dir     string
	workers []*fleet.Worker
	folders []*campaign.Folder
	ran     atomic.Uint64
}

func (s *settings) begin(ctx context.Context, n, block int, synced bool) (*simulation, error) {
	dir, err := os.MkdirTemp("", "fleet-")
	if err != nil {
		return nil, err
	}
	x := &simulation{dir: dir}
	x.hub, err = fleet.NewHub(fleet.HubOptions{Data: filepath.Join(dir, "hub"), Listen: "127.0.0.1:0", NoSync: !synced})
	for i := 0; i < n && err == nil; i++ {
		o := fleet.Options{Dir: filepath.Join(dir, strconv.Itoa(i)), Name: "simulated", Block: block}
		o.URL = x.hub.URL()
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

func (x *simulation) end() {
	for _, w := range x.workers {
		_ = w.Close()
	}
	if x.hub != nil {
		x.hub.Close()
	}
	os.RemoveAll(x.dir)
}

// run makes the workers take and run places until the time is up.
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

// steady measures the cost of a fleet at work.
func (s *settings) steady(ctx context.Context, out io.Writer, n int, synced bool) error {
	x, err := s.begin(ctx, n, 0, synced)
	if err != nil {
		return err
	}
	defer x.end()
	before, err := x.hub.Traffic()
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
		// New entries become rare as 1/t.
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
	after, err := x.hub.Traffic()
	if err != nil {
		return err
	}
	million := float64(x.ran.Load()) / 1e6
	_, err = fmt.Fprintf(out, "| %d | %v | %d | %.0f | %.0f | %.2f | %d |\n", n, synced, x.ran.Load(), float64(after.Messages-before.Messages)/million,
		float64(after.Bytes-before.Bytes)/million, (cputime.Used()-cpu).Seconds()/million, entries.Load())
	return err
}

// most measures the limits of one hub: blocks of 16 places that take no time, and then
// entries as fast as the workers can exchange them.
func (s *settings) most(ctx context.Context, out io.Writer, n int, synced bool) error {
	x, err := s.begin(ctx, n, campaign.Chunk, synced)
	if err != nil {
		return err
	}
	defer x.end()
	began := time.Now()
	x.run(ctx, s.time/2, func(int, int, *rand.Rand) {})
	blocks := float64(x.ran.Load()) / campaign.Chunk / time.Since(began).Seconds()
	texts := min(2000, 20_000/n) // each goes to all workers
	for i := range texts {
		if err := x.folders[i%n].AddText(fmt.Appendf(nil, "%0*d", s.bytes, i)); err != nil {
			return err
		}
	}
	watch, err := fleet.NewWatch(x.hub.Conn(), "")
	if err != nil {
		return err
	}
	st, err := watch.Status(ctx)
	if err != nil {
		return err
	}
	had, begin := st.Entries, time.Now()
	for _, w := range x.workers {
		w.Event(campaign.Event{Kind: campaign.Found}) // it looks at its folder now
	}
	for st.Entries < uint64(texts) {
		time.Sleep(10 * time.Millisecond)
		if st, err = watch.Status(ctx); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "| %d | %v | %.0f | %.0f |\n", n, synced, blocks, float64(uint64(texts)-had)/time.Since(begin).Seconds())
	return err
}
