// Package lastgen keeps the plan of the last stream drawn in a folder, so that its sentences can
// be drawn again without a file. The plan is in a cache folder, so the user's folder gets no
// unexpected files.
//
//	lastgen.Keep(cache, folder, plan, 1000)
//	last, err := lastgen.Read(cache, folder)
package lastgen

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// version is the version of the kept file's format.
const version = 2

// Last is a kept plan.
type Last struct {
	V      int          `json:"v"`
	Folder string       `json:"folder"`
	N      uint64       `json:"n"` // an upper bound of the number of sentences drawn
	Plan   *stream.Plan `json:"plan"`
}

// path returns the cache file of the last plan of a folder.
func path(cache, folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return filepath.Join(cache, "gramfuzz", "last", hex.EncodeToString(sum[:16])+".json")
}

// Keep keeps a plan and the number of sentences, with an absolute path of the grammar. Errors of
// writing (no permission) are ignored: they must not make drawing fail.
func Keep(cache, folder string, p *stream.Plan, n uint64) {
	kept, path := *p, path(cache, folder)
	if kept.Grammar.Path != "" {
		var err error
		if kept.Grammar.Path, err = filepath.Abs(kept.Grammar.Path); err != nil {
			return
		}
	}
	data, err := json.Marshal(Last{version, folder, n, &kept})
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

// Read returns the last plan of a folder. Its errors say what to do.
func Read(cache, folder string) (*Last, error) {
	const hint = "name a file to reduce, or run gramfuzz gen here first"
	data, err := files.Read(path(cache, folder), 1<<30)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no file to reduce, and no gen ran in this folder; %s", hint)
	}
	last := &Last{}
	if err == nil {
		err = json.Unmarshal(data, last)
	}
	if err != nil || last.V != version || last.Folder != folder || last.Plan == nil {
		return nil, fmt.Errorf("%s does not say what gen did here; %s", path(cache, folder), hint)
	}
	return last, nil
}

// maxKept bounds the sentences of the last gen that are sorted by size: only its first ones are.
const maxKept = 1 << 20

// Order returns the numbers of sentences of the plan's stream in the order in which to try them:
// first the old sentences already drawn, shortest first, then fresh new ones.
func (l *Last) Order(ctx context.Context, s *stream.Stream, fresh uint64) (order []uint64, old int, err error) {
	made := min(l.N, maxKept)
	if n := s.Len(); n != nil && n.IsUint64() {
		made = min(made, n.Uint64())
		fresh = min(fresh, n.Uint64()-made)
	}
	src := s.Source()
	var lengths []int
	var text []byte
	for i := range made {
		if text, err = src.Append(ctx, text[:0], i); errors.Is(err, sample.ErrExhausted) {
			break
		} else if err != nil {
			return nil, 0, err
		}
		order, lengths = append(order, i), append(lengths, len(text))
	}
	slices.SortStableFunc(order, func(i, j uint64) int { return cmp.Compare(lengths[i], lengths[j]) })
	old = len(order)
	for i := range fresh {
		order = append(order, uint64(old)+i)
	}
	return order, old, nil
}
