package target

import (
	"errors"
	"os"
	"sync"
)

// idle holds scratch folders between runs. There are never more than runs at
// the same time.
type idle struct {
	mu     sync.Mutex
	free   []*scratch
	closed bool
}

func (i *idle) take() *scratch {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := len(i.free)
	if n == 0 {
		return nil
	}
	s := i.free[n-1]
	i.free = i.free[:n-1]
	return s
}

// put keeps a folder; false after close.
func (i *idle) put(s *scratch) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.closed {
		i.free = append(i.free, s)
	}
	return !i.closed
}

// Close removes the scratch folders that [Command.Reuse] kept. Runs that still
// go on, and later ones, remove their own. Without Reuse there is nothing to
// close.
func (r *Runner) Close() error {
	r.idle.mu.Lock()
	free := r.idle.free
	r.idle.free, r.idle.closed = nil, true
	r.idle.mu.Unlock()
	var errs []error
	for _, s := range free {
		errs = append(errs, s.remove())
	}
	r.caged.mu.Lock()
	defer r.caged.mu.Unlock()
	errs = append(errs, r.caged.close())
	r.caged.over = true
	return errors.Join(errs...)
}

// caged is the cage of a Runner with [Command.Reuse], made at the first run.
type caged struct {
	mu   sync.Mutex
	root string // the folder for scratch folders that its programs may write
	cage *Cage
	over bool // after Close; runs have cages of their own
}

func (c *caged) close() error {
	if c.cage == nil {
		return nil
	}
	err := errors.Join(c.cage.Close(), (&scratch{dir: c.root}).remove())
	c.root, c.cage = "", nil
	return err
}

// openCage returns the folder for scratch folders and the cage of a run, nil if it has none.
func (r *Runner) openCage() (string, *Cage, error) {
	if r.cmd.Isolate == nil {
		return r.scratch, nil, nil
	}
	r.caged.mu.Lock()
	defer r.caged.mu.Unlock()
	if r.caged.cage != nil {
		return r.caged.root, r.caged.cage, nil
	}
	root, err := os.MkdirTemp(r.scratch, r.prefix)
	if err != nil {
		return "", nil, &ScratchError{r.scratch, err}
	}
	cage, err := NewCage(r.cmd.Isolate, root)
	if err != nil {
		_ = os.Remove(root)
		return "", nil, err
	}
	if r.cmd.Reuse && !r.caged.over {
		r.caged.root, r.caged.cage = root, cage
	}
	return root, cage, nil
}

// doneCage closes the cage of a run, unless it is kept for others.
func (r *Runner) doneCage(root string, cage *Cage) {
	r.caged.mu.Lock()
	defer r.caged.mu.Unlock()
	if cage != nil && cage != r.caged.cage {
		_ = (&caged{root: root, cage: cage}).close()
	}
}

// untouched says whether a folder holds just the file that was made in it: not
// another in its place, not with other permissions, not also known elsewhere
// by a hard link. What is in the file does not matter.
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

// rewrite puts another input into the file. It does not empty the file first:
// file systems then write at once what would else stay in memory.
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
