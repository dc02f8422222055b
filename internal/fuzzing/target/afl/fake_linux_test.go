package afl

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// fakeVariable is an environment variable that makes this test binary a fork server with the
// handshake that it names. The binary contains the marks of an instrumented program, because
// the driver's code does.
const fakeVariable = "GRAMFUZZ_FAKE_FORK_SERVER"

func TestMain(m *testing.M) {
	if kind := os.Getenv(fakeVariable); kind != "" {
		fakeServer(kind)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func fakeServer(kind string) {
	l := link{os.NewFile(controlFD, "control"), os.NewFile(statusFD, "status")}
	say := func(parts ...any) { _, _ = l.control.Write(words(parts...)) }
	switch kind {
	case "silent":
		time.Sleep(time.Minute)
	case "dead":
		return
	case "old":
		say(uint32(0x80000001 | 0x40000000 | 0x01000000 | (32-1)<<1))
		_, _ = l.readWord()
	case "old-stdin":
		say(uint32(0x80000001 | 0x40000000 | (32-1)<<1))
	case "new":
		say(0x41464c01)
		_, _ = l.readWord()
		say(1|2|0x800, 32, 4, "\x03key", 0x41464c01)
	}
	fakeRuns(l, kind == "old-stdin")
}

// fakeRuns counts the input's bytes in the map; some inputs make it misbehave.
func fakeRuns(l link, fromStdin bool) {
	coverage := attach("__AFL_SHM_ID")
	shared := attach("__AFL_SHM_FUZZ_ID")
	say := func(parts ...any) { _, _ = l.control.Write(words(parts...)) }
	for {
		if _, err := l.readWord(); err != nil {
			return
		}
		var input []byte
		if fromStdin {
			input, _ = io.ReadAll(os.Stdin)
		} else {
			input = shared[4 : 4+binary.NativeEndian.Uint32(shared)]
		}
		for _, c := range input {
			coverage[c%32]++
		}
		switch string(input) {
		case "hang":
			p := exec.Command("sleep", "60")
			if err := p.Start(); err != nil {
				return
			}
			say(p.Process.Pid)
			_ = p.Wait()
			say(int(syscall.SIGKILL))
		case "crash":
			say(os.Getpid(), int(syscall.SIGSEGV))
		case "exit":
			say(os.Getpid(), 3<<8)
		case "die":
			return
		case "die late":
			say(os.Getpid())
			return
		default:
			say(os.Getpid(), 0x137f) // stopped
		}
	}
}

func attach(variable string) []byte {
	id, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		return nil
	}
	mem, _ := unix.SysvShmAttach(id, 0, 0)
	return mem
}

func startFake(t *testing.T, kind string, change func(*Options)) *Driver {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{
		Args: []string{self}, Env: append(os.Environ(), fakeVariable+"="+kind),
		Scratch: t.TempDir(), Timeout: 10 * time.Second, MaxInput: 100,
	}
	if change != nil {
		change(&opt)
	}
	d, err := Start(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		entries, err := os.ReadDir(opt.Scratch)
		if err != nil || len(entries) > 0 {
			t.Errorf("left behind: %v, %v", entries, err)
		}
	})
	return d
}

func TestFakeServers(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"old", "old-stdin", "new"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			d := startFake(t, kind, nil)
			if shared := kind != "old-stdin"; d.SharedInput() != shared {
				t.Errorf("shared input: %v", d.SharedInput())
			}
			if words := len(d.Dictionary()); kind == "new" && words != 1 {
				t.Errorf("%d words", words)
			}
			for _, tt := range []struct {
				input string
				want  target.Result
				a     byte
			}{
				{"aab", target.Result{}, 2},
				{"", target.Result{}, 0},
				{"crash", target.Result{Kind: target.Signaled, Signal: syscall.SIGSEGV}, 1},
				{"exit", target.Result{Code: 3}, 0},
				{"a", target.Result{}, 1},
			} {
				res, err := d.Run(context.Background(), []byte(tt.input))
				if err != nil {
					t.Fatal(err)
				}
				if res.Kind != tt.want.Kind || res.Code != tt.want.Code || res.Signal != tt.want.Signal {
					t.Errorf("%q: %v", tt.input, res)
				}
				if m := d.Map(); len(m) != 32 || m['a'%32] != tt.a {
					t.Errorf("%q: map %v", tt.input, m)
				}
			}
		})
	}
}

func TestFakeTroubles(t *testing.T) {
	t.Parallel()
	d := startFake(t, "new", nil)
	for _, input := range []string{"die", "die late"} {
		_, err := d.Run(context.Background(), []byte(input))
		var se *ServerError
		if !errors.As(err, &se) {
			t.Errorf("%q: got %v", input, err)
		}
		if res, err := d.Run(context.Background(), []byte("a")); err != nil || res.Code != 0 || d.Map()[1] != 1 {
			t.Errorf("after %q: %v, %v", input, res, err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := d.Run(ctx, []byte("hang")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if res, err := d.Run(context.Background(), []byte("exit")); err != nil || res.Code != 3 {
		t.Errorf("after a cancel: %v, %v", res, err)
	}
	if _, err := d.Run(context.Background(), make([]byte, 101)); err == nil || !strings.Contains(err.Error(), "MaxInput") {
		t.Errorf("got %v", err)
	}
}

func TestFakeTimeout(t *testing.T) {
	t.Parallel()
	d := startFake(t, "old", func(o *Options) { o.Timeout = 200 * time.Millisecond })
	res, err := d.Run(context.Background(), []byte("hang"))
	if err != nil || res.Kind != target.TimedOut {
		t.Errorf("%v, %v", res, err)
	}
}

func TestStartFails(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	start := func(ctx context.Context, kind string, change func(*Options)) error {
		scratch := t.TempDir()
		opt := Options{Args: []string{self}, Env: []string{fakeVariable + "=" + kind}, Scratch: scratch}
		if change != nil {
			change(&opt)
		}
		d, err := Start(ctx, opt)
		if err == nil {
			d.Close()
		}
		if entries, _ := os.ReadDir(scratch); len(entries) > 0 {
			t.Errorf("%s: left behind %v", kind, entries)
		}
		return err
	}
	var se *ServerError
	if err := start(context.Background(), "dead", nil); !errors.As(err, &se) {
		t.Errorf("dead: %v", err)
	}
	small := func(o *Options) { o.MapSize = 16 }
	if err := start(context.Background(), "new", small); err == nil || !strings.Contains(err.Error(), "MapSize") {
		t.Errorf("small map: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if err := start(ctx, "silent", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("silent: %v", err)
	}
	var pe *target.ProgramError
	plain := func(o *Options) { o.Args = []string{"true"} }
	if err := start(context.Background(), "", plain); !errors.As(err, &pe) {
		t.Errorf("not instrumented: %v", err)
	}
}
