package fleet

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
)

// acknowledged returns the hub's findings, with the lengths of their texts, and entries.
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
func (x *trial) finish(leases *takeovers, kept map[string]int, entries uint64) {
	x.t.Helper()
	x.awaitWorkers()
	leases.check()
	// Blocks of processes that died are taken over too.
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
	for i, w := range x.workers { // the next run sends the rest, if there was no time while leaving
		for range 5 {
			if folder, err := campaign.Open(fmt.Sprintf("%s/worker%d", x.dir, i)); err != nil {
				x.t.Fatal(err)
			} else if texts, err := folder.Texts(); err != nil {
				x.t.Fatal(err)
			} else if uint64(len(texts)) <= x.status().Entries {
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
	st := x.status()
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

// compareFolder checks that everything that a worker has kept is in the fleet.
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

// checkPlaces checks the places run: all that were given out and are not left, none twice except
// in blocks that were taken over.
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
	never, blocks := 0, map[uint64]int{} // by block: the number of repeated runs of its places
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

// long returns a number of repetitions: long with GRAMFUZZ_LONG, otherwise short.
func long(short, long int) int {
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		return long
	}
	return short
}

// TestKilled kills workers and hub at any moment: no acknowledged data is lost, every lease is
// taken over, every place is run, and none twice except in blocks that were taken over.
func TestKilled(t *testing.T) {
	x := newTrial(t, nil)
	x.await("a finding", func() bool { st := x.look(); return st != nil && len(st.Findings) > 0 })
	rng := rand.New(rand.NewPCG(1, 2))
	kept, entries := map[string]int{}, uint64(0)
	leases := x.watchTakeovers()
	for i := range long(8, 30) {
		time.Sleep(time.Duration(rng.IntN(1000)) * time.Millisecond)
		now, n := x.acknowledged()
		for key, bytes := range now {
			if old := kept[key]; old != 0 && old < bytes {
				t.Errorf("finding %s had %d bytes and has %d", key, old, bytes)
			}
			kept[key] = bytes
		}
		entries = max(entries, n)
		away := i%20 == 7 // a worker that comes back only when others have its blocks
		who := rng.IntN(4)
		if away {
			who %= 3
		}
		p := append(x.workers, x.hub)[who]
		p.kill()
		x.kills++
		if who < 3 {
			leases.lose(who)
		}
		if away {
			leases.awaitAll()
		}
		time.Sleep(time.Duration(rng.IntN(500)) * time.Millisecond)
		p.start()
	}
	x.finish(leases, kept, entries)
}

// TestPartition checks that nothing is lost with a network that stalls, cuts and drops one
// direction, and with messages that are doubled, late and reordered.
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
	leases := x.watchTakeovers()
	for i := range long(3, 9) {
		g := gates[i%len(gates)]
		kept, entries = x.acknowledged()
		g.mode.Store([]string{"stall", "cut", "one way"}[i%3])
		leases.lose(i % len(gates))
		time.Sleep(4 * time.Second) // longer than a lease
		g.mode.Store("")
		x.await("the workers", func() bool { st := x.look(); return st != nil && len(st.Workers) >= 3 })
	}
	x.finish(leases, kept, entries)
}

// replay sends messages of workers to the hub again, late and reordered.
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
