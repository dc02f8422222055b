package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
)

// stateVersion is the version of the state of a run on disk.
const stateVersion = 1

// state is the progress of a run.
type state struct {
	V        int     `json:"v"`
	Settings string  `json:"settings"` // everything that the stream of sentences depends on, except the seed
	Seed     uint64  `json:"seed"`
	Pid      int     `json:"pid"`  // the process that has it, or had it last
	Next     uint64  `json:"next"` // every sentence before it has been run
	Runs     uint64  `json:"runs"` // runs of the program, shrinking included
	Seconds  float64 `json:"seconds"`
	LastNew  float64 `json:"last_new"` // in seconds, like the next field
	Curve    []Point `json:"curve"`
	Verdicts
}

// runFile is the state of one run in a folder, locked until it is closed.
type runFile struct {
	folder *Folder
	number int
	lock   *corpus.Lock
	state  state
	fresh  bool // it is a new run
}

// take locks the state of a run: of a free one with the same settings (and seed, unless any is
// allowed), otherwise of a new one.
func (f *Folder) take(settings string, seed uint64, any bool) (*runFile, error) {
	for n := 1; ; n++ {
		lock, err := f.lockRun(n)
		if errors.Is(err, corpus.ErrLocked) {
			continue
		}
		if err != nil {
			return nil, err
		}
		s := &runFile{folder: f, number: n, lock: lock}
		data, err := readFile(f.statePath(n))
		if err == nil {
			if err = json.Unmarshal(data, &s.state); err != nil {
				err = errors.Join(fs.ErrNotExist, f.setAside(s.path(), "it is no state of a run ("+err.Error()+"), so that begins anew"))
			}
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			s.state = state{V: stateVersion, Settings: settings, Seed: seed, Pid: os.Getpid()}
			s.fresh = true
			return s, errors.Join(s.save(&s.state), f.disk.SyncDir(f.path(runsDir)))
		case err != nil:
			lock.Unlock()
			return nil, err
		case s.state.V == stateVersion && s.state.Settings == settings && (any || s.state.Seed == seed):
			s.state.Pid = os.Getpid()
			return s, s.save(&s.state)
		}
		lock.Unlock()
	}
}

// lingering is the time to wait for the lock of a dead process: a child that it has just forked,
// and that has not executed its program yet, holds the lock too.
const lingering = 3 * time.Second

// lockRun takes the lock of run n.
func (f *Folder) lockRun(n int) (*corpus.Lock, error) {
	path := f.path(runsDir, fmt.Sprintf("%d.lock", n))
	for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		lock, err := corpus.TryLock(path)
		if !errors.Is(err, corpus.ErrLocked) || time.Since(begin) > lingering {
			return lock, err
		}
		var s state
		if data, e := readFile(f.statePath(n)); e != nil || json.Unmarshal(data, &s) != nil || alive(s.Pid) {
			return nil, err
		}
	}
}

// alive reports whether a process exists, as far as the system tells.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	err = p.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}

func (f *Folder) statePath(n int) string { return f.path(runsDir, fmt.Sprintf("%d.json", n)) }

func (s *runFile) path() string { return s.folder.statePath(s.number) }

// save writes the state. No other process writes it, so the folder's lock is not needed; but
// Open's lock is, since Open removes unfinished files.
func (s *runFile) save(st *state) error {
	data, err := json.Marshal(st)
	if err != nil {
		return err
	}
	return s.folder.locked(func() error { return s.folder.disk.WriteSynced(s.path(), append(data, '\n')) })
}

func (s *runFile) close() error { return s.lock.Unlock() }
