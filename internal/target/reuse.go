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
	return errors.Join(errs...)
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
