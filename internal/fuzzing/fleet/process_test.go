package fleet

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/testing/await"
)

// victim is the variable that makes the test binary a hub or a worker to be killed.
const victim = "GRAMFUZZ_FLEET_VICTIM"

func TestMain(m *testing.M) {
	var err error
	switch os.Getenv(victim) {
	case "":
		os.Exit(m.Run())
	case "hub":
		err = victimHub()
	case "worker":
		err = victimWorker()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func victimHub() error {
	h, err := NewHub(HubOptions{Data: os.Getenv("VICTIM_DIR"), Listen: os.Getenv("VICTIM_ADDR")})
	if err != nil {
		return err
	}
	return h.Run(context.Background())
}

// noted is a coordinator that logs the places run before it reports them to the fleet.
type noted struct {
	*Worker
	log *os.File
}

func (n noted) Ran(i uint64) {
	fmt.Fprintf(n.log, "%d\n", i)
	n.Worker.Ran(i)
}

// slow fails in several ways, and takes its time.
func slow(ctx context.Context, text []byte) (*campaign.Ran, error) {
	time.Sleep(500 * time.Microsecond)
	r := &campaign.Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{}}
	s := string(text)
	for depth := 2; depth < 8; depth++ {
		if strings.Contains(s, strings.Repeat("(", depth)) && strings.Contains(s, strconv.Itoa(depth)) {
			r.Outcome = target.Outcome{Class: target.Crash, Detail: fmt.Sprint("depth ", depth)}
		}
	}
	r.Result.Labels = fmt.Appendf(nil, "length %d\nopen %d\n", len(s)/4, strings.Count(s, "("))
	return r, nil
}

func victimOptions() *worker {
	w := newTestWorker(os.Getenv("VICTIM_DIR"), os.Getenv("VICTIM_URL"), campaign.Func(slow))
	w.campaign.Runs, w.campaign.Guide, w.campaign.Jobs = 0, "cover", 2
	w.fleet.Definition = DefinitionOf(&w.campaign, 0, "")
	w.fleet.Definition.Lease, w.fleet.Sync = victimLease, 200*time.Millisecond
	return w
}

const victimLease = 3 * time.Second

func victimWorker() error {
	w := victimOptions()
	w.fleet.Note = func(text string) { fmt.Fprintln(os.Stderr, text) }
	log, err := os.OpenFile(os.Getenv("VICTIM_LOG"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { // the test closes its end of the pipe: shut down
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	j, err := Join(ctx, w.fleet)
	if err != nil {
		return err
	}
	w.campaign.Coordinator, w.campaign.Event = noted{j, log}, j.Event
	c, err := campaign.New(ctx, grammars.Must("expr"), w.campaign)
	if err != nil {
		return err
	}
	if err := j.Start(ctx, c.Folder(), c.Number()); err != nil {
		return err
	}
	if err := os.WriteFile(os.Getenv("VICTIM_LOG")+".up", nil, 0o600); err != nil {
		return err
	}
	if _, err := c.Run(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	return j.Close()
}

// process is a hub or a worker that is killed and restarted.
type process struct {
	t    *testing.T
	kind string
	env  []string
	cmd  *exec.Cmd
	in   io.WriteCloser
	log  *os.File
	up   string // the file that a worker creates when it has joined
}

func (p *process) start() {
	p.t.Helper()
	_ = os.Remove(p.up)
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env = append(append(os.Environ(), victim+"="+p.kind), p.env...)
	p.cmd.Stderr = p.log
	var err error
	if p.in, err = p.cmd.StdinPipe(); err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// trial is a hub and three workers, each a process.
type trial struct {
	t       *testing.T
	dir     string
	hub     *process
	workers []*process
	login   Login // bypasses any proxy
	kills   int
}

func newTrial(t *testing.T, through func(addr string) string) *trial {
	dir := t.TempDir()
	addr := freeAddress(t)
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	x := &trial{t: t, dir: dir, login: Login{URL: "nats://" + addr}}
	x.hub = &process{t: t, kind: "hub", log: log, env: []string{"VICTIM_DIR=" + filepath.Join(dir, "hub"), "VICTIM_ADDR=" + addr}}
	x.hub.start()
	for i := range 3 {
		url := "nats://" + addr
		if through != nil {
			url = "nats://" + through(addr)
		}
		x.workers = append(x.workers, &process{t: t, kind: "worker", log: log, up: fmt.Sprintf("%s/ran%d.up", dir, i), env: []string{
			"VICTIM_URL=" + url, fmt.Sprintf("VICTIM_DIR=%s/worker%d", dir, i), fmt.Sprintf("VICTIM_LOG=%s/ran%d", dir, i),
		}})
	}
	x.await("the hub", func() bool { return x.look() != nil || x.reachable() })
	for _, w := range x.workers {
		w.start()
	}
	t.Cleanup(func() {
		for _, p := range append(x.workers, x.hub) {
			p.kill()
		}
		if t.Failed() {
			data, _ := os.ReadFile(log.Name())
			t.Logf("the processes said:\n%s", data[max(0, len(data)-8000):])
		}
	})
	return x
}

// freeAddress returns an address that stays free until it is listened on: its port is below those
// that systems assign to connections.
func freeAddress(t *testing.T) string {
	for {
		addr := fmt.Sprint("127.0.0.1:", 10_000+rand.IntN(20_000))
		if l, err := net.Listen("tcp", addr); err == nil {
			l.Close()
			return addr
		}
		if t.Context().Err() != nil {
			t.Fatal("no free address")
		}
	}
}

func (x *trial) reachable() bool {
	nc, err := x.login.Connect(false)
	if err == nil {
		nc.Close()
	}
	return err == nil
}

// look returns the status of the fleet; nil if it is not available now.
func (x *trial) look() *Status {
	nc, err := x.login.Connect(false)
	if err != nil {
		return nil
	}
	defer nc.Close()
	w, err := NewWatch(nc, "")
	if err != nil {
		x.t.Fatal(err)
	}
	st, err := w.Status(x.t.Context())
	if err != nil {
		return nil
	}
	return st
}

// status returns the status of the fleet once it is available.
func (x *trial) status() (st *Status) {
	x.t.Helper()
	x.await("the status", func() bool { st = x.look(); return st != nil })
	return st
}

// await waits until is returns true.
func (x *trial) await(what string, is func() bool) {
	x.t.Helper()
	await.Until(x.t, is, func() string { return fmt.Sprintf("%s; the fleet is %+v", what, x.look()) })
}
