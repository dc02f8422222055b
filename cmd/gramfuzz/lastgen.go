package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gramfuzz/gramfuzz/stream"
)

// The plan of the last gen in a folder is kept in the user's cache directory, so
// that reduce needs no file. The folder itself gets no files that nobody asked
// for.

// lastVersion is the version of the kept file's format.
const lastVersion = 2

type lastGen struct {
	V      int          `json:"v"`
	Folder string       `json:"folder"`
	N      uint64       `json:"n"` // sentences that gen made, at most
	Plan   *stream.Plan `json:"plan"`
}

// lastPath returns the file that keeps the last gen of the present folder.
func lastPath() (path, folder string, err error) {
	if folder, err = os.Getwd(); err != nil {
		return "", "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", "", err
	}
	sum := sha256.Sum256([]byte(folder))
	return filepath.Join(cache, "gramfuzz", "last", hex.EncodeToString(sum[:16])+".json"), folder, nil
}

// keepLast keeps a plan and the number of sentences. If that is not possible (no home, no permission), it does
// nothing: gen must not fail for that.
func keepLast(p *stream.Plan, n uint64) {
	path, folder, err := lastPath()
	if err != nil {
		return
	}
	kept := *p
	if kept.Grammar.Path != "" {
		if kept.Grammar.Path, err = filepath.Abs(kept.Grammar.Path); err != nil {
			return
		}
	}
	data, err := json.Marshal(lastGen{lastVersion, folder, n, &kept})
	if err != nil || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".last")
	if err != nil {
		return
	}
	_, err = temp.Write(data)
	if errors.Join(err, temp.Close()) != nil || os.Rename(temp.Name(), path) != nil {
		os.Remove(temp.Name())
	}
}

// readLast returns the last gen in the present folder.
func readLast() (*lastGen, error) {
	const hint = "name a file to reduce, or run gramfuzz gen here first"
	path, folder, err := lastPath()
	if err != nil {
		return nil, fmt.Errorf("no file to reduce, and what gen did is not known: %w; %s", err, hint)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no file to reduce, and no gen ran in this folder; %s", hint)
	}
	last := &lastGen{}
	if err == nil {
		err = json.Unmarshal(data, last)
	}
	if err != nil || last.V != lastVersion || last.Folder != folder || last.Plan == nil {
		return nil, fmt.Errorf("%s does not say what gen did here; %s", path, hint)
	}
	return last, nil
}
