// Package blind runs fuzz targets on mutants of their seeds, many times faster than go test -fuzz
// and without its guidance.
//
//	f.Add([]byte("a = b ;"))
//	blind.Fuzz(f, func(t *testing.T, src []byte) { … }) // in place of f.Fuzz
//
// Fuzz is f.Fuzz, unless GRAMFUZZ_MUTANTS is set: with GRAMFUZZ_MUTANTS=0..100000 a run of go
// test without -fuzz also gives the target the first 100,000 mutants of each seed. Mutant i of a
// seed is always the same, so its number reproduces a finding.
package blind

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Limits of one execution. An execution beyond them is a finding.
const (
	maxTime = 30 * time.Second
	maxHeap = 2 << 30
)

// Fuzz is f.Fuzz, with mutants of each seed where GRAMFUZZ_MUTANTS is set. fn is a function of a
// *testing.T and of arguments that f.Fuzz accepts.
func Fuzz(f *testing.F, fn any) {
	f.Helper()
	asked := os.Getenv("GRAMFUZZ_MUTANTS")
	if asked == "" {
		f.Fuzz(fn)
		return
	}
	r := &run{fn: reflect.ValueOf(fn)}
	var err error
	if r.first, r.end, err = span(asked); err != nil {
		f.Fatal(err)
	}
	for i := 1; i < r.fn.Type().NumIn(); i++ {
		r.types = append(r.types, r.fn.Type().In(i))
	}
	stop := r.watch()
	defer stop()
	f.Fuzz(reflect.MakeFunc(r.fn.Type(), r.seed).Interface())
	// bench/fuzz parses this line.
	fmt.Printf("blind: %s %d executions of %d seeds, %v, slowest %v: %s\n", f.Name(), r.done, len(r.pool), r.took.Round(time.Millisecond), r.worst.Round(time.Microsecond), written(r.slowest, 200))
}

// span reads "first..end".
func span(s string) (first, end uint64, err error) {
	a, b, ok := strings.Cut(s, "..")
	if first, err = strconv.ParseUint(a, 10, 64); err == nil && ok {
		end, err = strconv.ParseUint(b, 10, 64)
	}
	if err != nil || !ok || end < first {
		return 0, 0, fmt.Errorf("GRAMFUZZ_MUTANTS=%q is no range of numbers such as 0..100000", s)
	}
	return first, end, nil
}

// run is the run of one target. Its seeds come one after the other.
type run struct {
	fn         reflect.Value
	types      []reflect.Type
	first, end uint64
	pool       [][]reflect.Value // the seeds so far
	done       uint64
	took       time.Duration
	worst      time.Duration
	slowest    []reflect.Value

	mu    sync.Mutex // guards the fields that watch reads
	now   []reflect.Value
	begin time.Time
}

// seed runs one seed and its mutants.
func (r *run) seed(args []reflect.Value) []reflect.Value {
	t := args[0].Interface().(*testing.T)
	r.pool = append(r.pool, args[1:])
	begin := time.Now()
	r.execute(args)
	m := mutator{types: r.types, pool: r.pool}
	for i := r.first; i < r.end && !t.Failed(); i++ {
		mutant := m.mutant(args[1:], i)
		r.execute(append([]reflect.Value{args[0]}, mutant...))
		if t.Failed() {
			t.Logf("mutant %d of this seed: %s", i, written(mutant, 1<<20))
		}
	}
	r.took += time.Since(begin)
	return nil
}

// execute runs the target once. A panic and an exit by t.Fatal propagate, after the arguments are
// printed.
func (r *run) execute(args []reflect.Value) {
	returned := false
	defer func() {
		if t := args[0].Interface().(*testing.T); !returned && !t.Skipped() {
			fmt.Fprintf(os.Stderr, "blind: it did not return from %s\n", written(args[1:], 1<<20))
		}
	}()
	begin := time.Now()
	r.mu.Lock()
	r.now, r.begin = args[1:], begin
	r.mu.Unlock()
	r.fn.Call(args)
	returned = true
	r.done++
	if took := time.Since(begin); took > r.worst {
		r.worst, r.slowest = took, args[1:]
	}
}

// watch ends the program, printing the current arguments, if an execution takes too long or too
// much memory.
func (r *run) watch() (stop func()) {
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			r.mu.Lock()
			now, begin := r.now, r.begin
			r.mu.Unlock()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if m.HeapAlloc < maxHeap && (now == nil || time.Since(begin) < maxTime) {
				continue
			}
			fmt.Fprintf(os.Stderr, "blind: %v and %d MiB of memory: %s\n", time.Since(begin), m.HeapAlloc>>20, written(now, 1<<20))
			debug.SetTraceback("all")
			panic("blind: too much for one execution")
		}
	}()
	return func() { close(done) }
}

// written formats arguments for people, each with at most n bytes.
func written(args []reflect.Value, n int) string {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		switch s := a.Interface().(type) {
		case []byte:
			fmt.Fprintf(&b, "%q", s[:min(n, len(s))])
		case string:
			fmt.Fprintf(&b, "%q", s[:min(n, len(s))])
		default:
			fmt.Fprint(&b, s)
		}
	}
	return b.String()
}
