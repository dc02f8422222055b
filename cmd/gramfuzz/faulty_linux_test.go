package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// faultyVariable selects the role of the test binary: "listen", gramfuzz whose system calls are
// reported at descriptor 3; "deny CALLS", gramfuzz without these calls; "main", gramfuzz.
const faultyVariable = "GRAMFUZZ_FAULTY"

// beFaulty runs gramfuzz with failing system calls, if the environment demands it.
func beFaulty() {
	way, what, _ := strings.Cut(os.Getenv(faultyVariable), " ")
	var err error
	switch way {
	case "":
		return
	case "main":
		os.Unsetenv(faultyVariable)
		main()
	case "deny":
		err = deny(what)
	case "listen":
		err = listen()
	}
	if err == nil {
		os.Setenv(faultyVariable, "main")
		err = unix.Exec("/proc/self/exe", os.Args, os.Environ())
	}
	fmt.Fprintln(os.Stderr, "faulty:", err)
	os.Exit(99)
}

// A faultClass is a set of system calls that fail in the same way.
type faultClass struct {
	name  string
	calls []int32
	errno syscall.Errno
}

// jump, fetch and answer are instructions of a filter. A jump continues with the next instruction
// if the condition holds, and otherwise skips the given number of instructions.
func fetch(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func jump(condition uint16, k uint32, otherwise uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | condition | unix.BPF_K, K: k, Jf: otherwise}
}

func answer(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }

// The offsets of the call's number and of its first argument (little endian).
const (
	atCall     = 0
	atArgument = 16
)

// install installs a filter for this thread and for the program that it executes.
func install(filter []unix.SockFilter, flags uintptr) (fd uintptr, err error) {
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 0, err
	}
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return 0, errno
	}
	return fd, nil
}

// deny forbids system calls: those of landlock, and those of network namespaces.
func deny(what string) error {
	filter := []unix.SockFilter{fetch(atCall)}
	if strings.Contains(what, "landlock") {
		filter = append(filter, jump(unix.BPF_JEQ, unix.SYS_LANDLOCK_CREATE_RULESET, 1), answer(unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS)))
	}
	if strings.Contains(what, "network") {
		filter = append(filter, jump(unix.BPF_JEQ, unix.SYS_CLONE, 3), fetch(atArgument),
			jump(unix.BPF_JSET, unix.CLONE_NEWNET, 1), answer(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM)))
	}
	_, err := install(append(filter, answer(unix.SECCOMP_RET_ALLOW)), 0)
	return err
}

// listen installs a filter that reports the calls of all classes, and sends the descriptor of the
// reports.
func listen() error {
	filter := []unix.SockFilter{fetch(atCall)}
	for _, c := range faultClasses {
		for _, call := range c.calls {
			if call != unix.SYS_CLONE {
				filter = append(filter, jump(unix.BPF_JEQ, uint32(call), 1), answer(unix.SECCOMP_RET_USER_NOTIF))
				continue
			}
			filter = append(filter, jump(unix.BPF_JEQ, uint32(call), 4), fetch(atArgument),
				jump(unix.BPF_JSET, unix.CLONE_THREAD, 1), answer(unix.SECCOMP_RET_ALLOW), answer(unix.SECCOMP_RET_USER_NOTIF))
		}
	}
	fd, err := install(append(filter, answer(unix.SECCOMP_RET_ALLOW)), unix.SECCOMP_FILTER_FLAG_NEW_LISTENER)
	if err != nil {
		return err
	}
	if err := unix.Sendmsg(3, []byte{1}, unix.UnixRights(int(fd)), nil, 0); err != nil {
		return err
	}
	unix.CloseOnExec(int(fd))
	return unix.Close(3)
}

// question and reply are struct seccomp_notif and struct seccomp_notif_resp.
type question struct {
	id    uint64
	pid   uint32
	flags uint32
	call  int32
	arch  uint32
	ip    uint64
	args  [6]uint64
}

type reply struct {
	id    uint64
	val   int64
	errno int32
	flags uint32
}

// faults counts the calls of each class, and makes one fail.
type faults struct {
	class string // the class of the call that fails; "": none does
	nth   int    // the number of the call, from 1

	seen map[string]int // the number of calls of each class
	hit  string         // the file of the call that failed, or the call's name
}

// faultRun is the result of a run of gramfuzz.
type faultRun struct {
	code           int
	hung           bool
	stdout, stderr string
}

// spare is the time that a hung run leaves until go test's timeout, the only limit of a run.
const spare = 20 * time.Second

// run runs gramfuzz in dir with the faults. It lets three kinds of calls through: of other
// processes, before the program is executed, and of Go's runtime itself.
func (f *faults) run(t *testing.T, dir string, env []string, args ...string) faultRun {
	t.Helper()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(pair[0])
	theirs := os.NewFile(uintptr(pair[1]), "pair")
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("/proc/self/exe", args...)
	cmd.Args[0], cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = "gramfuzz", dir, &stdout, &stderr, []*os.File{theirs}
	cmd.Env = append(append(os.Environ(), env...), faultyVariable+"=listen")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	listener := f.listener(pair[0], ended)
	if listener < 0 {
		<-ended
		t.Skipf("system calls cannot be watched here: %s", stderr.String())
	}
	f.seen = map[string]int{}
	hung := f.serve(t, listener, cmd.Process.Pid, ended)
	unix.Close(listener) // pending calls get an error
	if hung {
		_ = cmd.Process.Kill()
	}
	<-ended
	return faultRun{cmd.ProcessState.ExitCode(), hung, stdout.String(), stderr.String()}
}

// listener receives the descriptor of the reports; -1 if none comes.
func (f *faults) listener(sock int, ended chan struct{}) int {
	for {
		ready := []unix.PollFd{{Fd: int32(sock), Events: unix.POLLIN}}
		if n, _ := unix.Poll(ready, 100); n > 0 {
			break
		}
		select {
		case <-ended:
			return -1
		default:
		}
	}
	oob := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(sock, make([]byte, 1), oob, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return -1
	}
	messages, _ := unix.ParseSocketControlMessage(oob[:n])
	for _, m := range messages {
		if fds, err := unix.ParseUnixRights(&m); err == nil && len(fds) == 1 {
			return fds[0]
		}
	}
	return -1
}

// serve answers until the program has ended; it reports whether the program hung.
func (f *faults) serve(t *testing.T, listener, pid int, ended chan struct{}) (hung bool) {
	end, limited := t.Deadline()
	for {
		ready := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
		n, _ := unix.Poll(ready, 20)
		select {
		case <-ended:
			return false
		default:
		}
		if limited && time.Until(end) < spare {
			return true
		}
		if n == 0 || ready[0].Revents&unix.POLLIN == 0 {
			continue
		}
		var q question
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&q))); errno != 0 {
			continue // killed meanwhile
		}
		r := reply{id: q.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
		if errno := f.decide(&q, pid); errno != 0 {
			r.errno, r.flags = -int32(errno), 0
		}
		_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&r)))
	}
}

// decide counts a call, and returns its error.
func (f *faults) decide(q *question, pid int) syscall.Errno {
	proc := "/proc/" + strconv.Itoa(pid)
	if unix.Access(proc+"/task/"+strconv.Itoa(int(q.pid)), unix.F_OK) != nil {
		return 0
	}
	for _, c := range faultClasses {
		for _, call := range c.calls {
			if call != q.call {
				continue
			}
			file := c.name
			switch c.name {
			case "fork":
				if flags := memoryAt(int(q.pid), uintptr(q.args[0]), 8); q.call == unix.SYS_CLONE3 && len(flags) == 8 && binary.LittleEndian.Uint64(flags)&unix.CLONE_THREAD != 0 {
					return 0
				}
			case "read", "write", "sync":
				file, _ = os.Readlink(proc + "/fd/" + strconv.Itoa(int(q.args[0])))
				if q.args[0] == 2 {
					file = "standard error"
				}
			case "open", "mkdir", "rename":
				file = pathAt(int(q.pid), uintptr(q.args[1]))
			}
			// The runtime's own events, and the loader of C libraries.
			if strings.HasPrefix(file, "anon_inode:") || strings.Contains(file, ".so") {
				return 0
			}
			f.seen[c.name]++
			if c.name == f.class && f.seen[c.name] == f.nth {
				f.hit = file
				return c.errno
			}
			return 0
		}
	}
	return 0
}

// pathAt returns the path at an address of a process.
func pathAt(pid int, at uintptr) string {
	for n := 256; n > 0; n /= 2 { // a page may end sooner, and the next may be unreadable
		if text := memoryAt(pid, at, n); text != nil {
			path, _, _ := bytes.Cut(text, []byte{0})
			return string(path)
		}
	}
	return "a path"
}

// memoryAt returns n bytes at an address of a process; nil where they cannot be read.
func memoryAt(pid int, at uintptr, n int) []byte {
	buf := make([]byte, n)
	local := unix.Iovec{Base: &buf[0]}
	local.SetLen(n)
	n, err := unix.ProcessVMReadv(pid, []unix.Iovec{local}, []unix.RemoteIovec{{Base: at, Len: n}}, 0)
	if err != nil {
		return nil
	}
	return buf[:n]
}

// readTree returns the files of a folder by their paths; folders end with a slash.
func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if d.IsDir() {
			files[name+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(path)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// denied runs gramfuzz in dir without some system calls.
func denied(t *testing.T, dir string, env []string, what string, args ...string) faultRun {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("/proc/self/exe", args...)
	cmd.Args[0], cmd.Dir, cmd.Stdout, cmd.Stderr = "gramfuzz", dir, &stdout, &stderr
	cmd.Env = append(append(os.Environ(), env...), faultyVariable+"=deny "+what)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code == 99 {
		t.Skipf("system calls cannot be denied here: %s", stderr.String())
	}
	return faultRun{code: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
}
