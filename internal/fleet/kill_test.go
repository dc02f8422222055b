package fleet

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/campaign"
	"github.com/gramfuzz/gramfuzz/internal/target"
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

// noted is a coordinator that writes down which places were run, before the fleet is told.
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
	go func() { // the test closes its end of the pipe: end in good order
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

// process is a hub or a worker that is killed and started again.
type process struct {
	t    *testing.T
	kind string
	env  []string
	cmd  *exec.Cmd
	in   io.WriteCloser
	log  *os.File
	up   string // the file that a worker makes when it has joined
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
	login   Login // past any proxy
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

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (x *trial) reachable() bool {
	nc, err := x.login.Connect(false)
	if err == nil {
		nc.Close()
	}
	return err == nil
}

// look is the status of the fleet; nil where it cannot be had now.
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

// await waits until something is so; minutes if the machine is busy.
func (x *trial) await(what string, is func() bool) {
	x.t.Helper()
	for begin := time.Now(); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Since(begin) > 3*time.Minute {
			x.t.Fatalf("%s: not within three minutes; the fleet is %+v", what, x.look())
		}
	}
}

// acknowledged is what the hub has: findings with the bytes of their texts, and entries.
func (x *trial) acknowledged() (findings map[string]int, entries uint64) {
	findings = map[string]int{}
	if st := x.look(); st != nil {
		entries = st.Entries
		for _, f := range st.Findings {
			findings[f.Key] = f.Bytes
		}
	}
	return findings, entries
}

// awaitWorkers waits until all workers have joined.
func (x *trial) awaitWorkers() {
	x.t.Helper()
	x.await("three workers", func() bool {
		for _, w := range x.workers {
			if _, err := os.Stat(w.up); err != nil {
				return false
			}
		}
		st := x.look()
		return st != nil && len(st.Workers) >= 3
	})
}

// finish ends all workers in good order, and checks that the fleet has lost nothing.
func (x *trial) finish(kept map[string]int, entries uint64) {
	x.t.Helper()
	x.awaitWorkers()
	// Whatever dead workers had is taken over.
	x.await("taking over", func() bool {
		st := x.look()
		if st == nil {
			return false
		}
		for _, l := range st.Leases {
			if l.Worker != "" && !l.Alive {
				return false
			}
		}
		return true
	})
	for _, w := range x.workers {
		w.in.Close()
	}
	for i, w := range x.workers {
		if err := w.cmd.Wait(); err != nil {
			x.t.Errorf("worker %d: %v", i, err)
		}
	}
	for i, w := range x.workers { // what could not be told in the time of leaving is told by the next run
		for range 5 {
			if folder, err := campaign.Open(fmt.Sprintf("%s/worker%d", x.dir, i)); err != nil {
				x.t.Fatal(err)
			} else if texts, err := folder.Texts(); err != nil {
				x.t.Fatal(err)
			} else if uint64(len(texts)) <= x.look().Entries {
				break
			}
			w.start()
			x.await("another run", func() bool { _, err := os.Stat(w.up); return err == nil })
			w.in.Close()
			if err := w.cmd.Wait(); err != nil {
				x.t.Errorf("worker %d: %v", i, err)
			}
		}
	}
	st := x.look()
	now := map[string]int{}
	for _, f := range st.Findings {
		now[f.Key] = f.Bytes
	}
	for key, bytes := range kept {
		if now[key] == 0 || now[key] > bytes {
			x.t.Errorf("finding %s had %d bytes and has %d", key, bytes, now[key])
		}
	}
	if st.Entries < entries || len(st.Refused) > 0 {
		x.t.Errorf("there were %d entries and are %d; refused: %v", entries, st.Entries, st.Refused)
	}
	for i := range x.workers {
		x.compareFolder(i, st)
	}
	x.checkPlaces(st)
}

// compareFolder checks that what a worker has kept is in the fleet.
func (x *trial) compareFolder(i int, st *Status) {
	folder, err := campaign.Open(fmt.Sprintf("%s/worker%d", x.dir, i))
	if err != nil {
		x.t.Fatal(err)
	}
	all, err := folder.Findings()
	if err != nil {
		x.t.Fatal(err)
	}
	have := map[string]bool{}
	for _, f := range st.Findings {
		have[f.Key] = true
	}
	for _, fd := range all {
		if !have[fd.Key] {
			x.t.Errorf("worker %d has finding %s, the fleet does not", i, fd.Key)
		}
	}
	texts, err := folder.Texts()
	if err != nil || uint64(len(texts)) > st.Entries {
		x.t.Errorf("worker %d has %d texts, the fleet %d; %v", i, len(texts), st.Entries, err)
	}
}

// checkPlaces checks which places were run: all that were given out and are not left, none
// twice but in blocks that were taken over.
func (x *trial) checkPlaces(st *Status) {
	ran := map[uint64]int{}
	for i := range x.workers {
		f, err := os.Open(fmt.Sprintf("%s/ran%d", x.dir, i))
		if err != nil {
			x.t.Fatal(err)
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			n, err := strconv.ParseUint(lines.Text(), 10, 64)
			if err != nil {
				x.t.Fatal(err)
			}
			ran[n]++
		}
		f.Close()
	}
	left := 0
	for _, l := range st.Leases {
		left += int(l.Left)
	}
	never, blocks := 0, map[uint64]int{} // by block: how often places of it were run again
	for i := range st.Sentences {
		if ran[i] == 0 {
			never++
		}
		blocks[i/testBlock] = max(blocks[i/testBlock], ran[i]-1)
	}
	again, owns := 0, 0
	for _, n := range blocks {
		again += n
	}
	for i, n := range ran {
		if i >= st.Sentences {
			owns++
			if i < ownPlaces || n > 1+x.kills {
				x.t.Errorf("place %d was run %d times", i, n)
			}
		}
	}
	x.t.Logf("%d places given out, %d left, %d never run; %d blocks run again, %d taken over; %d places of the workers' own", st.Sentences, left, never, again, st.Taken, owns)
	if never > left {
		x.t.Errorf("of %d places %d were never run, and only %d are left", st.Sentences, never, left)
	}
	if again > int(st.Taken) {
		x.t.Errorf("%d blocks were run again, and %d leases were lost", again, st.Taken)
	}
}

// testBlock is the size of the blocks.
const testBlock = 128

// long is how often something is done: often where the tests are long.
func long(short, long int) int {
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		return long
	}
	return short
}

// Workers and hub are killed, at any moment: nothing that was acknowledged is lost, every
// lease is taken over, every place is run, and none twice but in blocks that were taken over.
func TestKilled(t *testing.T) {
	x := newTrial(t, nil)
	x.await("a finding", func() bool { st := x.look(); return st != nil && len(st.Findings) > 0 })
	rng := rand.New(rand.NewPCG(1, 2))
	kept, entries := map[string]int{}, uint64(0)
	for range long(8, 100) {
		time.Sleep(time.Duration(rng.IntN(1000)) * time.Millisecond)
		now, n := x.acknowledged()
		for key, bytes := range now {
			if old := kept[key]; old != 0 && old < bytes {
				t.Errorf("finding %s had %d bytes and has %d", key, old, bytes)
			}
			kept[key] = bytes
		}
		entries = max(entries, n)
		p := append(x.workers, x.hub)[rng.IntN(4)]
		p.kill()
		x.kills++
		time.Sleep(time.Duration(rng.IntN(500)) * time.Millisecond)
		p.start()
	}
	x.finish(kept, entries)
}

// A network that stalls, cuts and loses one way, and messages that come twice, late and in
// another order, change nothing.
func TestPartition(t *testing.T) {
	var gates []*gate
	x := newTrial(t, func(addr string) string {
		g := newGate(t, addr)
		gates = append(gates, g)
		return g.addr
	})
	x.awaitWorkers()
	x.await("a finding", func() bool { st := x.look(); return st != nil && len(st.Findings) > 0 })
	x.replay()
	kept, entries := map[string]int{}, uint64(0)
	for i := range long(3, 12) {
		g := gates[i%len(gates)]
		kept, entries = x.acknowledged()
		g.mode.Store([]string{"stall", "cut", "one way"}[i%3])
		time.Sleep(time.Duration(long(4, 10)) * time.Second) // longer than a lease
		g.mode.Store("")
		x.await("the workers", func() bool { st := x.look(); return st != nil && len(st.Workers) >= 3 })
	}
	x.finish(kept, entries)
}

// replay sends what workers write to the hub again, late and in another order.
func (x *trial) replay() {
	nc, err := nats.Connect(x.login.URL, nats.NoEcho())
	if err != nil {
		x.t.Fatal(err)
	}
	x.t.Cleanup(nc.Close)
	rng := rand.New(rand.NewPCG(3, 4))
	var late []*nats.Msg
	if _, err := nc.Subscribe("$KV.gramfuzz_main_>", func(m *nats.Msg) {
		for range 2 {
			late = append(late, &nats.Msg{Subject: m.Subject, Header: m.Header, Data: m.Data})
		}
		for len(late) > 64 {
			i := rng.IntN(len(late))
			_ = nc.PublishMsg(late[i])
			late[i] = late[len(late)-1]
			late = late[:len(late)-1]
		}
	}); err != nil {
		x.t.Fatal(err)
	}
}

// gate is a proxy that stalls, cuts or loses.
type gate struct {
	addr string
	mode atomic.Value // "", "stall", "cut", "one way"
}

func newGate(t *testing.T, to string) *gate {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	g := &gate{addr: l.Addr().String()}
	g.mode.Store("")
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				in.Close()
				continue
			}
			go g.pass(in, out, false)
			go g.pass(out, in, true)
		}
	}()
	return g
}

// pass copies one way; answers says that it is the way that is lost at times.
func (g *gate) pass(from, to net.Conn, answers bool) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 16<<10)
	spoiled := false
	for {
		_ = from.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		n, err := from.Read(buf)
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
		for g.mode.Load() == "stall" {
			time.Sleep(5 * time.Millisecond)
		}
		mode := g.mode.Load()
		if mode == "cut" || spoiled && mode == "" {
			return
		}
		if mode == "one way" && answers {
			spoiled = true
			continue
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}
