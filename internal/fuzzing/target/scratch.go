package target

import (
	"fmt"
	"os"
	"path/filepath"
)

// ScratchError is the error for a scratch folder, or a file in it, that could not be made: the
// disk is full, or the folder is not writable.
type ScratchError struct {
	Path string
	Err  error
}

// Error is "path: what; what to do".
func (e *ScratchError) Error() string {
	return fmt.Sprintf("scratch folder %s: %v; free space there, or choose another folder (TMPDIR)", e.Path, e.Err)
}

// Unwrap returns the cause.
func (e *ScratchError) Unwrap() error { return e.Err }

// scratchRoot returns the folder for scratch folders as an absolute path without symbolic
// links, because it is compared with the working directories of processes.
func scratchRoot(root string) (string, error) {
	if root == "" {
		root = os.TempDir()
	}
	abs, err := filepath.Abs(root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", &ScratchError{root, err}
	}
	return abs, nil
}

// scratch is the scratch folder of one run.
type scratch struct {
	dir  string
	file string      // the input's path, or ""; with Command.Unpack the folder
	made os.FileInfo // the file as it was made; nil without one
}

// makeScratch makes a fresh folder with the input's file or files in it, if the program wants any.
func (r *Runner) makeScratch(o *room, input []byte) (*scratch, error) {
	if s := o.idle; s != nil {
		o.idle = nil
		return s, s.rewrite(input)
	}
	dir, err := os.MkdirTemp(o.root, r.prefix)
	if err != nil {
		return nil, &ScratchError{o.root, err}
	}
	s := &scratch{dir: dir}
	switch {
	case r.cmd.Unpack != nil:
		s.file = dir
		err = r.cmd.Unpack(dir, input)
	case r.wantsFile():
		s.file = filepath.Join(dir, r.cmd.Name)
		if err = os.WriteFile(s.file, input, 0o644); err == nil && r.cmd.Reuse {
			s.made, err = os.Lstat(s.file)
		}
	}
	if err != nil {
		_ = s.remove()
		return nil, &ScratchError{s.file, err}
	}
	return s, nil
}

// doneScratch keeps a folder for the next run or removes it. Errors are ignored, because the
// run has given a result: files that cannot be removed are left to the system's own cleaning.
func (r *Runner) doneScratch(o *room, s *scratch) {
	if r.cmd.Reuse && s.untouched() {
		o.idle = s
		return
	}
	_ = s.remove()
}

// remove removes a scratch folder. It first tries two cheap calls, since most programs leave
// only the input behind. It retries, since programs may remove permissions or still be dying.
func (s *scratch) remove() error {
	dir := s.dir
	if s.file != "" {
		_ = os.Remove(s.file)
	}
	err := os.Remove(dir)
	if err == nil || os.IsNotExist(err) {
		return nil
	}
	for range 3 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if d != nil && d.IsDir() {
				_ = os.Chmod(path, 0o700)
			}
			return nil
		})
	}
	return &ScratchError{dir, err}
}
