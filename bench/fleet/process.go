package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/fleet"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gofunc"
)

// child is the environment variable that makes this program a process of a fleet. Its value is the
// job, as JSON.
const child = "GRAMFUZZ_BENCH_FLEET"

// job is the work of a process: a hub if Hub is set, otherwise a worker that fuzzes Program.
type job struct {
	Hub bool
	Dir string
	URL string // of the hub; "" for a worker alone

	Program string
	Guide   string
	Seed    uint64
	Seeds   []string
	Time    time.Duration // 0: no limit
	Runs    uint64        // 0: no limit
	Enough  int           // the number of findings after which it ends; 0: no limit
}

// told is the line that a worker writes at its end.
type told struct {
	Runs  uint64
	Found int // own findings
}

// process is a job under way. It ends when its standard input is closed.
type process struct {
	cmd  *exec.Cmd
	in   io.Closer
	line chan []byte // its first line of output
	said strings.Builder
}

// start starts a process. When the process has written its line, start sends on ended.
func start(j job, ended chan<- struct{}) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(self), line: make(chan []byte, 1)}
	p.cmd.Env = append(os.Environ(), child+"="+string(data))
	p.cmd.Stderr = &p.said
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		line, _ := bufio.NewReader(out).ReadBytes('\n')
		p.line <- line
		ended <- struct{}{}
	}()
	return p, nil
}

// end ends a process and returns its CPU time, including that of the program under test.
func (p *process) end() (time.Duration, error) {
	_ = p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		return 0, fmt.Errorf("a process of the fleet: %w\n%s", err, &p.said)
	}
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime(), nil
}

// serve does the job of a child process.
func serve(ctx context.Context, text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	if !j.Hub {
		t, err := j.fuzz(ctx)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(t)
	}
	h, err := fleet.NewHub(fleet.HubOptions{Data: j.Dir, Listen: "127.0.0.1:0"})
	if err != nil {
		return err
	}
	defer h.Close()
	fmt.Println(h.URL())
	return h.Run(ctx)
}

// fuzz does the same as the command gramfuzz fuzz, without a terminal.
func (j *job) fuzz(ctx context.Context) (*told, error) {
	debug.SetGCPercent(400) // as the command does
	g := grammars.Must("expr")
	o := campaign.Options{
		Dir: j.Dir, Seed: j.Seed, Guide: j.Guide, Damage: 0.25, Time: j.Time, Runs: j.Runs, Enough: j.Enough, ShrinkTime: -1,
		Drive:   campaign.ByGo(target.Command{Args: []string{j.Program}, Timeout: time.Minute}),
		Grammar: derive.GrammarRef{Name: "expr", SHA256: g.SHA256, Start: "expr"},
	}
	for _, text := range j.Seeds {
		o.Seeds = append(o.Seeds, campaign.Seed{Name: "seed", Text: []byte(text)})
	}
	var w *fleet.Worker
	if j.URL != "" {
		var err error
		w, err = fleet.Join(ctx, fleet.Options{Login: fleet.Login{URL: j.URL}, Dir: j.Dir, Definition: fleet.DefinitionOf(&o, 0, "")})
		if err != nil {
			return nil, err
		}
		o.Coordinator, o.Event = w, w.Event
	}
	c, err := campaign.New(ctx, g, o)
	if err != nil {
		return nil, err
	}
	if w != nil {
		if err := w.Start(ctx, c.Folder(), c.Number()); err != nil {
			return nil, err
		}
	}
	sum, err := c.Run(ctx)
	if w != nil {
		err = errors.Join(err, w.Close())
	}
	if sum == nil || err != nil && !errors.Is(err, context.Canceled) {
		return nil, err
	}
	return &told{sum.Runs, sum.New}, nil
}

// built builds the program under test in a folder.
func built(ctx context.Context, dir string) (string, error) {
	p, err := gofunc.Build(ctx, gofunc.Options{Func: "github.com/gramfuzz/gramfuzz/bench/fleet/planted.Sum", Out: filepath.Join(dir, "planted")})
	if err != nil {
		return "", err
	}
	if !p.Edges {
		return "", errors.New("the Go toolchain has no counters of edges on this system")
	}
	return p.Path, nil
}

// outcome is the combined result of several workers.
type outcome struct {
	told
	workers, hub time.Duration // CPU times
}

// together runs workers concurrently until the first of them ends. They are a fleet with its own
// hub, or independent.
func together(dir string, jobs []job, fleet bool) (o outcome, err error) {
	if dir, err = os.MkdirTemp(dir, "run-"); err != nil {
		return o, err
	}
	ended := make(chan struct{}, 1+len(jobs))
	url := ""
	if fleet {
		hub, e := start(job{Hub: true, Dir: filepath.Join(dir, "hub")}, ended)
		if e != nil {
			return o, e
		}
		url = strings.TrimSpace(string(<-hub.line))
		<-ended
		defer func() {
			var e error
			o.hub, e = hub.end()
			err = errors.Join(err, e)
		}()
	}
	var all []*process
	for i, j := range jobs {
		j.Dir, j.URL = filepath.Join(dir, strconv.Itoa(i)), url
		p, err := start(j, ended)
		if err != nil {
			return o, err
		}
		all = append(all, p)
	}
	<-ended
	for _, p := range all {
		_ = p.in.Close()
	}
	for _, p := range all {
		line := <-p.line
		cpu, e := p.end()
		var t told
		if e == nil {
			e = json.Unmarshal(line, &t)
		}
		err = errors.Join(err, e)
		o.Runs, o.Found, o.workers = o.Runs+t.Runs, o.Found+t.Found, o.workers+cpu
	}
	return o, err
}
