package target

import (
	"errors"
	"os"
	"sync"
)

// room is the reusable surroundings of successive runs: a folder and a cage.
type room struct {
	root string   // the folder for scratch folders
	cage *Cage    // nil: there is none
	own  bool     // root was made for this room
	idle *scratch // an unchanged scratch folder for the next run; nil: there is none
}

// close removes the folders and the cage of the room.
func (o *room) close() error {
	var errs []error
	if o.idle != nil {
		errs = append(errs, o.idle.remove())
	}
	errs = append(errs, o.cage.Close())
	if o.own {
		errs = append(errs, (&scratch{dir: o.root}).remove())
	}
	return errors.Join(errs...)
}

// rooms is the pool of idle rooms. There are never more rooms than concurrent runs.
type rooms struct {
	mu     sync.Mutex
	free   []*room
	closed bool
}

// openRoom returns a room for a run: an idle one or a new one.
func (r *Runner) openRoom() (*room, error) {
	r.rooms.mu.Lock()
	if n := len(r.rooms.free); n > 0 {
		defer r.rooms.mu.Unlock()
		o := r.rooms.free[n-1]
		r.rooms.free = r.rooms.free[:n-1]
		return o, nil
	}
	r.rooms.mu.Unlock()
	o := &room{root: r.scratch}
	if r.cmd.Isolate != nil {
		root, err := os.MkdirTemp(r.scratch, r.prefix)
		if err != nil {
			return nil, &ScratchError{r.scratch, err}
		}
		o.root, o.own = root, true
	}
	var err error
	if o.cage, err = NewCage(r.cmd.Bounds, r.cmd.Resident, o.root); err != nil {
		_ = o.close()
		return nil, err
	}
	return o, nil
}

// doneRoom keeps the room of a run for a later one, or closes it.
func (r *Runner) doneRoom(o *room) {
	r.rooms.mu.Lock()
	keep := r.cmd.Reuse && !r.rooms.closed
	if keep {
		r.rooms.free = append(r.rooms.free, o)
	}
	r.rooms.mu.Unlock()
	if !keep {
		_ = o.close()
	}
}

// Close removes the scratch folders, helpers and control groups that [Command.Reuse] kept.
// Runs in progress, and later ones, remove their own. Without Reuse, there is nothing to
// close.
func (r *Runner) Close() error {
	r.rooms.mu.Lock()
	free := r.rooms.free
	r.rooms.free, r.rooms.closed = nil, true
	r.rooms.mu.Unlock()
	var errs []error
	for _, o := range free {
		errs = append(errs, o.close())
	}
	return errors.Join(errs...)
}

// untouched reports whether a folder holds only the file that was made in it. The file must
// not be replaced, have other permissions, or have another hard link. Its content does not
// matter.
func (s *scratch) untouched() bool {
	dir, err := os.Lstat(s.dir)
	if err != nil || dir.Mode() != os.ModeDir|0o700 {
		return false
	}
	f, err := os.Open(s.dir)
	if err != nil {
		return false
	}
	defer f.Close()
	names, _ := f.Readdirnames(2)
	if s.file == "" {
		return len(names) == 0
	}
	if len(names) != 1 {
		return false
	}
	now, err := os.Lstat(s.file)
	return err == nil && os.SameFile(s.made, now) && now.Mode() == s.made.Mode() && links(now) == 1
}

// rewrite puts another input into the file. It does not truncate the file first, because file
// systems would then write data to disk early.
func (s *scratch) rewrite(input []byte) error {
	if s.file == "" {
		return nil
	}
	err := rewriteFile(s.file, input)
	if err != nil {
		_ = s.remove()
		return &ScratchError{s.file, err}
	}
	return nil
}

func rewriteFile(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		var info os.FileInfo
		if info, err = f.Stat(); err == nil && info.Size() != int64(len(data)) {
			err = f.Truncate(int64(len(data)))
		}
	}
	return errors.Join(err, f.Close())
}
