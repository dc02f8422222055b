package gramtest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
)

// running is a file with the number of the sentence being run, which makes the end of the
// process reportable afterwards. It holds two numbers: the seed, and 1 + the index of the
// sentence, 0 before the first. The file is mapped into memory, so an update costs one store.
// It outlives the process, but not the machine.
type running struct {
	file *os.File
	page []byte // the mapping; nil if the system does not support it
	buf  [8]byte
}

const runningSize = 16

// runningDir returns the folder of these files. It is in the user's cache, so a passing test
// leaves nothing in the source folder.
func runningDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	dir = filepath.Join(dir, "gramfuzz", "running")
	return dir, os.MkdirAll(dir, 0o700)
}

// runningPrefix begins the names of the files of one check in one folder.
func runningPrefix(key string) string {
	dir, err := os.Getwd()
	if err != nil {
		dir = "?"
	}
	sum := sha256.Sum256([]byte(dir + "\x00" + key))
	return hex.EncodeToString(sum[:8]) + "-"
}

// startRunning creates a file. It returns nil, on which all methods do nothing, if none is
// wanted or it cannot be created: a missing cache must not fail a test.
func startRunning(key string, seed uint64, wanted bool) *running {
	if !wanted {
		return nil
	}
	dir, err := runningDir()
	if err != nil {
		return nil
	}
	file, err := os.CreateTemp(dir, runningPrefix(key)+"*")
	if err != nil {
		return nil
	}
	r := &running{file: file}
	var start [runningSize]byte
	binary.LittleEndian.PutUint64(start[:], seed)
	if _, err := file.Write(start[:]); err != nil || !claim(file) {
		r.end()
		return nil
	}
	r.page = mapPage(file, runningSize)
	return r
}

// set records that sentence i is being run.
func (r *running) set(i uint64) {
	switch {
	case r == nil:
	case r.page != nil:
		binary.LittleEndian.PutUint64(r.page[8:], i+1)
	default:
		binary.LittleEndian.PutUint64(r.buf[:], i+1)
		r.file.WriteAt(r.buf[:], 8) // best effort, like all of this
	}
}

// end removes the file.
func (r *running) end() {
	if r == nil {
		return
	}
	name := r.file.Name()
	unmapPage(r.page)
	r.page = nil
	r.file.Close()
	os.Remove(name)
}

// leftover returns seed and index of an unfinished run of the check, and removes its file. A
// file held by a living process is no leftover.
func leftover(key string) (seed, index uint64, ok bool) {
	dir, err := runningDir()
	if err != nil {
		return 0, 0, false
	}
	files, err := filepath.Glob(filepath.Join(escapeGlob(dir), runningPrefix(key)+"*"))
	if err != nil {
		return 0, 0, false
	}
	for _, name := range files {
		file, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if !claim(file) {
			file.Close()
			continue
		}
		var data [runningSize]byte
		_, err = file.ReadAt(data[:], 0)
		file.Close()
		os.Remove(name)
		if n := binary.LittleEndian.Uint64(data[8:]); err == nil && n > 0 {
			seed, index, ok = binary.LittleEndian.Uint64(data[:]), n-1, true
		}
	}
	return seed, index, ok
}

// unfinished looks for an unfinished run of this check and tries its last sentence in a child.
// It reports whether this failed the test.
func (r *runner) unfinished(ctx context.Context) bool {
	r.tb.Helper()
	seed, index, ok := leftover(r.key())
	if !ok {
		return false
	}
	return r.post(ctx, seed, index)
}

// post runs sentence index of a seed, with which a process died, in a child.
func (r *runner) post(ctx context.Context, seed, index uint64) bool {
	r.tb.Helper()
	again := *r.c
	again.draw.Seed, again.seeded = seed, true
	sub := &runner{tb: r.tb, g: r.g, c: &again, prop: r.prop, site: r.site, stats: newStatistics()}
	if err := sub.prepare(); err != nil {
		r.tb.Fatalf("gramtest: %v", err)
	}
	in, err := sub.input(ctx, index)
	if err != nil {
		return false // other options or another grammar
	}
	child, err := sub.newChild()
	if err != nil {
		r.tb.Logf("gramtest: sentence %d of seed %d was not the end of the last run, as far as can be told: %v", index, seed, err)
		return false
	}
	f, err := child.ask(ctx, in.text, in.damaged)
	child.close()
	if err != nil || f == nil || !f.fatal() {
		return false // the process was stopped from outside
	}
	sub.report(sub.shrunk(ctx, in, f))
	return true
}
