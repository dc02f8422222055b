package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/cputime"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

// real prints a line for each grammar of a folder that dev.tsv lists: CPU time of loading,
// of the first sentence and of 1,000, and of n sentences the rate, the bytes allocated
// for one in the second half, and the most memory held from the system.
func real(ctx context.Context, out io.Writer, dir string, n uint64) error {
	f, err := os.Open(filepath.Join(dir, "dev.tsv"))
	if err != nil {
		return err
	}
	defer f.Close()
	fmt.Fprintf(out, "| grammar | load, ms | first, ms | 1,000, ms | MB/s of %d | bytes allocated | memory, MiB |\n|---|---|---|---|---|---|---|\n", n)
	logs, grammars := 0.0, 0
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) < 3 || fields[0] == "class" {
			continue
		}
		debug.FreeOSMemory()
		rate, err := realRow(ctx, out, filepath.Join(dir, "dev", fields[1]), fields[1], fields[2], n)
		if err != nil {
			return fmt.Errorf("%s: %w", fields[1], err)
		}
		logs += math.Log(rate)
		grammars++
	}
	if grammars > 0 {
		fmt.Fprintf(out, "\ngeometric mean: %.2f MB/s\n", math.Exp(logs/float64(grammars)))
	}
	return lines.Err()
}

func realRow(ctx context.Context, out io.Writer, path, name, start string, n uint64) (float64, error) {
	begin := cputime.Used()
	ms := func() float64 { return float64(cputime.Used()-begin) / float64(time.Millisecond) }
	g, _, err := load.File(path, load.Options{Start: start})
	if err != nil {
		return 0, err
	}
	loaded := ms()
	s, err := sample.New(ctx, g, sample.Options{Seed: 1})
	if err != nil {
		return 0, err
	}
	var m runtime.MemStats
	var buf []byte
	var first, thousand float64
	bytes, allocated, most := 0, uint64(0), uint64(0)
	src := s.Source()
	for i := range n {
		if buf, err = src.Append(ctx, buf[:0], i); err != nil {
			return 0, err
		}
		bytes += len(buf) + 1
		switch i + 1 {
		case 1:
			first = ms() - loaded
		case 1000:
			thousand = ms() - loaded
		}
		if i%1000 == 0 || i == n-1 {
			runtime.ReadMemStats(&m)
			most = max(most, m.Sys-m.HeapReleased)
			if i <= n/2 {
				allocated = m.TotalAlloc
			}
		}
	}
	all := rate(bytes, cputime.Used()-begin-time.Duration(loaded*float64(time.Millisecond)))
	fmt.Fprintf(out, "| %s | %.0f | %.0f | %.0f | %.2f | %.0f | %d |\n", name, loaded, first, thousand, all,
		float64(m.TotalAlloc-allocated)/float64(max(n/2, 1)), most>>20)
	return all, nil
}
