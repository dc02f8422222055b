package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// faultClasses are the classes of system calls that fail in tests.
var faultClasses = []faultClass{
	{"open", []int32{unix.SYS_OPENAT}, unix.EMFILE},
	{"read", []int32{unix.SYS_READ, unix.SYS_PREAD64, unix.SYS_GETDENTS64}, unix.EIO},
	{"write", []int32{unix.SYS_WRITE, unix.SYS_PWRITE64}, unix.ENOSPC},
	{"mkdir", []int32{unix.SYS_MKDIRAT}, unix.ENOSPC},
	{"rename", []int32{unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2}, unix.EIO},
	{"sync", []int32{unix.SYS_FSYNC, unix.SYS_FDATASYNC}, unix.EIO},
	{"fork", []int32{unix.SYS_CLONE, unix.SYS_CLONE3}, unix.EAGAIN},
}

// faultCase is a command whose system calls fail one after the other.
type faultCase struct {
	name    string
	args    []string
	classes []string // the classes that must be reached
	lasting bool     // a campaign, whose folder grows
	best    string   // a file with the best text so far, which must exist at any time; with "/" a folder, which may be missing
}

var faultCases = []faultCase{
	{"gen", []string{"gen", "-g", "sum.ebnf", "--seed", "1", "-n", "4", "-o", "new"}, []string{"open", "read", "write", "mkdir", "rename"}, false, ""},
	{"reduce", []string{"reduce", "-g", "sum.ebnf", "-pred", "./check.sh", "-j", "1", "-o", "out", "in"}, []string{"open", "read", "write", "rename", "fork"}, false, "out"},
	{"reduce a folder", []string{"reduce", "-pred", "./check.sh", "-j", "1", "-o", "best", "all"}, []string{"open", "read", "write", "mkdir", "rename", "fork"}, false, "best/"},
	{"learn", []string{"learn", "-g", "sum.ebnf", "in"}, []string{"open", "read", "write"}, false, ""},
	{"convert", []string{"convert", "-g", "sum.ebnf", "--to", "abnf", "-o", "out"}, []string{"open", "read", "write", "rename"}, false, ""},
	{"fuzz", []string{"fuzz", "-g", "sum.ebnf", "--seed", "1", "-j", "1", "-n", "12", "--timeout", "1m", "-o", "found", "--", "./fails.sh", "{}"},
		[]string{"open", "read", "write", "mkdir", "rename", "sync", "fork"}, true, ""},
}

// faultFiles exist before each run.
var faultFiles = map[string]string{
	"sum.ebnf":  "Sum = Term { \"+\" Term } .\nTerm = \"1\" | \"2\" | \"(\" Sum \")\" .\n",
	"in":        "(1+2)+1",
	"out":       "old\n",
	"check.sh":  "#!/bin/sh\ngrep -rq 2 \"$1\"\n",
	"fails.sh":  "#!/bin/sh\ncase \"$(cat \"$1\")\" in *2*) kill -SEGV $$;; esac\n",
	"found/key": "",
	"all/":      "",
	"all/one":   "1\n",
	"all/two":   "a 2\nb\n",
}

// TestFaults makes every system call of every command fail once. Either the command ends with a
// message and exit code 2 and leaves all files unchanged; or the call did not matter, and all
// files are as without a fault. Findings of a campaign stay, and the next run continues. Without
// GRAMFUZZ_LONG=all only some calls of each class fail, at most 40 with GRAMFUZZ_LONG=1, otherwise
// the first, the last and one between.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	most := 3
	switch os.Getenv("GRAMFUZZ_LONG") {
	case "":
	case "all":
		most = 1 << 30
	default:
		most = 40
	}
	for _, c := range faultCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			start := c.prepare(t)
			f := faults{}
			dir, env := c.place(t, start)
			free := f.run(t, dir, env, c.args...)
			want := c.code()
			if free.code != want {
				t.Fatalf("without a fault: exit code %d: %s", free.code, free.stderr)
			}
			done := readTree(t, dir)
			calls := f.seen
			for _, class := range c.classes {
				if calls[class] == 0 {
					t.Errorf("there is no call of class %s", class)
				}
				points, reached, said := chosen(calls[class], most), 0, 0
				for _, n := range points {
					f := faults{class: class, nth: n}
					dir, env := c.place(t, start)
					got := f.run(t, dir, env, c.args...)
					if f.hit == "" {
						continue // this run had fewer calls
					}
					reached++
					if got.code == exitWrong {
						said++
					}
					if problem := c.judge(t, got, f.hit, dir, start, done, free.stdout); problem != "" {
						t.Errorf("%s %d of %d (%s): %s\nexit code %d, standard error:\n%s", class, n, calls[class], f.hit, problem, got.code, got.stderr)
					}
					os.RemoveAll(filepath.Dir(dir))
				}
				if reached == 0 {
					t.Errorf("no call of class %s failed", class)
				}
				t.Logf("%s: %d calls, %d failed, of which %d ended the command with a message", class, calls[class], reached, said)
			}
		})
	}
}

// chosen returns the calls of n that are to fail: at most so many, at even distances, with the first
// and the last.
func chosen(n, most int) []int {
	var points []int
	most = min(n, most)
	for i := range most {
		points = append(points, 1+i*(n-1)/max(most-1, 1))
	}
	return points
}

// code returns the exit code without a fault.
func (c *faultCase) code() int {
	if c.lasting {
		return exitNo
	}
	return exitDone
}

// prepare returns the files before a run; for a campaign, after a first run.
func (c *faultCase) prepare(t *testing.T) map[string]string {
	t.Helper()
	start := maps.Clone(faultFiles)
	delete(start, "found/key")
	if !c.lasting {
		return start
	}
	dir, env := c.place(t, start)
	if got := (&faults{}).run(t, dir, env, c.args...); got.code != exitNo {
		t.Fatalf("a first run: exit code %d: %s", got.code, got.stderr)
	}
	return readTree(t, dir)
}

// place makes a folder with files, and an environment beside it.
func (c *faultCase) place(t *testing.T, files map[string]string) (dir string, env []string) {
	t.Helper()
	root := t.TempDir()
	dir = filepath.Join(root, "work")
	for name, text := range files {
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"home", "tmp"} {
		if err := os.Mkdir(filepath.Join(root, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir, []string{"HOME=" + filepath.Join(root, "home"), "XDG_CACHE_HOME=" + filepath.Join(root, "home"),
		"TMPDIR=" + filepath.Join(root, "tmp"), "GOMAXPROCS=2"}
}

// judge returns the mistake of a run in which a call failed; "" if there is none.
func (c *faultCase) judge(t *testing.T, got faultRun, hit, dir string, start, done map[string]string, stdout string) string {
	t.Helper()
	now := readTree(t, dir)
	left, _ := os.ReadDir(filepath.Join(filepath.Dir(dir), "tmp"))
	switch {
	case got.hung:
		return "it hangs"
	case strings.Contains(got.stderr, "goroutine "):
		return "it panics"
	case strings.Contains(got.stderr, "set aside"):
		return "a file that is whole is set aside"
	case got.code != exitWrong && got.code != c.code():
		return "a wrong exit code"
	case got.code == exitWrong && hit != "standard error" && !strings.Contains(got.stderr, "gramfuzz: ") && !strings.Contains(got.stderr, "sum.ebnf"):
		return "no message"
	case len(left) > 0:
		return "left in the folder for temporary files: " + left[0].Name()
	case c.lasting:
		return c.judgeCampaign(t, dir, start, now)
	case got.code == exitWrong:
		switch {
		case strings.HasSuffix(c.best, "/"):
			whole := false
			for name, text := range now {
				whole = whole || strings.HasPrefix(name, c.best) && strings.Contains(text, "2")
			}
			if whole {
				maps.DeleteFunc(now, func(name, _ string) bool { return strings.HasPrefix(name, c.best) })
			}
		case c.best != "" && interesting(now[c.best]):
			now[c.best] = start[c.best]
		}
		if diff := cmp.Diff(start, now); diff != "" {
			return "files are not as before (-before +after):\n" + diff
		}
	case got.stdout != stdout:
		return "it says nothing, and prints less: " + got.stdout
	default:
		if diff := cmp.Diff(done, now); diff != "" {
			return "it says nothing, and files are not as without a fault (-want +got):\n" + diff
		}
	}
	return ""
}

// interesting reports whether a text is a complete candidate for which check.sh says yes.
func interesting(text string) bool {
	return strings.Contains(text, "2") && len(text) <= len(faultFiles["in"])
}

// judgeCampaign checks that all earlier findings are unchanged and no file is truncated, and
// continues the campaign.
func (c *faultCase) judgeCampaign(t *testing.T, dir string, start, now map[string]string) string {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(start)) {
		if strings.HasPrefix(name, "found/findings/") && now[name] != start[name] {
			return fmt.Sprintf("%s has %q, and had %q", name, now[name], start[name])
		}
	}
	_, env := c.place(t, nil)
	next := (&faults{}).run(t, dir, env, c.args...)
	if next.code != exitNo || !strings.Contains(next.stderr, "resuming the run in found") {
		return fmt.Sprintf("the next run does not go on: exit code %d: %s", next.code, next.stderr)
	}
	if strings.Contains(next.stderr, "set aside") {
		return "the next run finds a file that is not whole: " + next.stderr
	}
	return ""
}

// TestFaultsMemory checks that nothing is written when memory is refused. The limit grows until
// it is sufficient; with GRAMFUZZ_LONG so slowly that every request beyond the earlier ones is
// refused once.
func TestFaultsMemory(t *testing.T) {
	step := int64(8)
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		step = 1
	}
	for _, c := range []faultCase{
		{name: "gen", args: []string{"gen", "-g", "sum.ebnf", "--seed", "1", "-n", "3", "--size", "1..1500", "-o", "new"}},
		{name: "gen distinct", args: []string{"gen", "-g", "sum.ebnf", "--seed", "1", "-n", "3", "--size", "29", "--distinct", "-o", "new"}},
		{name: "learn", args: []string{"learn", "-g", "sum.ebnf", "in"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			start := c.prepare(t)
			refusals := map[string]bool{}
			for limit := int64(1); ; limit += limit*step/2 + 1 {
				dir, env := c.place(t, start)
				got := (&faults{}).run(t, dir, env, append(slices.Clone(c.args), "--max-memory", strconv.FormatInt(limit, 10))...)
				if got.code == exitDone {
					break
				}
				if limit > 2<<30 {
					t.Fatalf("2 GiB are not enough: %s", got.stderr)
				}
				if !strings.Contains(got.stderr, "--max-memory") {
					t.Fatalf("--max-memory %d: exit code %d: %s", limit, got.code, got.stderr)
				}
				refusals[got.stderr] = true
				if problem := c.judge(t, got, "", dir, start, nil, ""); problem != "" {
					t.Errorf("--max-memory %d: %s", limit, problem)
				}
			}
			if len(refusals) == 0 {
				t.Error("nothing was refused")
			}
			t.Logf("%d refusals", len(refusals))
		})
	}
}

// TestIsolateMissing checks that a part of the isolation that the system lacks is reported, and
// that nothing runs without both parts.
func TestIsolateMissing(t *testing.T) {
	for _, tt := range []struct{ deny, want string }{
		{"landlock", "gramfuzz: --isolate: this kernel has no Landlock, so the program may write where you may\n"},
		{"network", "gramfuzz: --isolate: no network namespace can be made here, so the program has the network\n"},
		{"network landlock", "gramfuzz: --isolate: isolation: no network namespace can be made here, so the program has the network, and this kernel has no Landlock"},
	} {
		c := faultCase{}
		dir, env := c.place(t, faultFiles)
		got := denied(t, dir, env, tt.deny, "fuzz", "-g", "sum.ebnf", "--seed", "1", "-j", "1", "-n", "2", "--isolate", "-o", "new", "--", "true")
		if !strings.Contains(got.stderr, tt.want) {
			t.Errorf("without %s: %s", tt.deny, got.stderr)
		}
		both := strings.Contains(tt.deny, " ")
		if _, err := os.Stat(filepath.Join(dir, "new")); both != (err != nil) || both != (got.code == exitWrong) {
			t.Errorf("without %s: exit code %d, %v: %s", tt.deny, got.code, err, got.stderr)
		}
	}
}
