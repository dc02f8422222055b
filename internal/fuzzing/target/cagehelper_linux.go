package target

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// cageName is the argument 0 of a program that is started as the helper of a cage.
const cageName = "gramfuzz-isolate"

// EnterCage makes this process the helper of a [Cage] if it was started as one. The argument
// args is [os.Args]. EnterCage returns true when the cage is closed: the process must then
// end. It must come first in the main of the program that [Isolation] names.
func EnterCage(args []string) bool {
	if len(args) == 0 || args[0] != cageName {
		return false
	}
	// Restrictions apply to a thread. The first thread stays unrestricted: it stands for the
	// process when others send it a signal.
	runtime.LockOSThread()
	done := make(chan struct{})
	go serveCage(done)
	<-done
	return true
}

// serveCage starts programs until the other end of the connection is closed.
func serveCage(done chan struct{}) {
	runtime.LockOSThread()
	if unix.Gettid() == os.Getpid() {
		go serveCage(done)
		select {}
	}
	defer close(done)
	sock := os.NewFile(3, "cage")
	unix.CloseOnExec(3)
	end, err := net.FileConn(sock)
	sock.Close()
	if err != nil {
		return
	}
	conn := end.(*net.UnixConn)
	var setup cageSetup
	if _, err := receive(conn, &setup); err != nil {
		return
	}
	hello := enter(setup)
	if send(conn, hello, nil) != nil || hello.Err != "" {
		return
	}
	var running children
	defer func() { running.kill() }()
	for {
		var order cageOrder
		files, err := receive(conn, &order)
		if err != nil {
			return
		}
		running.prune()
		pid, err := running.start(order, files)
		var errno syscall.Errno
		if err != nil && !errors.As(err, &errno) {
			errno = unix.EINVAL
		}
		if send(conn, [2]int{pid, int(errno)}, nil) != nil {
			return
		}
	}
}

// enter restricts this thread and the processes that it starts.
func enter(setup cageSetup) (hello cageHello) {
	if !setup.Network {
		hello.Missing = append(hello.Missing, "no network namespace can be made here, so the program has the network")
	} else if err := loopbackUp(); err != nil {
		hello.Err = "the loopback interface: " + err.Error()
		return hello
	}
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	switch err := restrict(setup.Write); {
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EOPNOTSUPP):
		hello.Missing = append(hello.Missing, "this kernel has no Landlock, so the program may write where you may")
	case err != nil:
		hello.Err = err.Error()
	}
	return hello
}

// loopbackUp starts the loopback interface of a new network namespace.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}

// The rights that Landlock is asked to restrict, and those of them that exist for a file.
const (
	writing = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	writingFile = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
)

// cageDevices is the paths that every program may write to, if they exist.
var cageDevices = []string{"/dev/null", "/dev/zero", "/dev/tty", "/dev/shm"}

// restrict lets this thread and the processes that it starts write only to the given paths
// and to cageDevices. ENOSYS and EOPNOTSUPP mean that there is no Landlock.
func restrict(write []string) error {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return errno
	}
	attr := unix.LandlockRulesetAttr{Access_fs: writing}
	if version >= 2 {
		attr.Access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		attr.Access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_SIGNAL
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return fmt.Errorf("by Landlock: %w", errno)
	}
	rules := int(fd)
	defer unix.Close(rules)
	for i, path := range append(write, cageDevices...) {
		if err := allow(rules, path, attr.Access_fs); err != nil && i < len(write) {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, errno = unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0)
	if errno != 0 {
		return fmt.Errorf("by Landlock: %w", errno)
	}
	return nil
}

// allow adds a rule for a file, or for a folder and everything in it.
func allow(rules int, path string, access uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return err
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= writingFile
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// children is the programs that a helper started, with their pidfds.
type children []child

type child struct{ pid, fd int }

// start starts a program as a child of the helper's parent, which waits for it.
func (c *children) start(o cageOrder, files []int) (pid int, err error) {
	defer func() {
		for _, fd := range files {
			_ = unix.Close(fd)
		}
	}()
	if len(files) != len(o.At) {
		return 0, unix.EMFILE // the kernel had no room for all
	}
	at := make([]uintptr, o.Files)
	for i := range at {
		at[i] = ^uintptr(0) // closed
	}
	for i, fd := range files {
		unix.CloseOnExec(fd)
		at[o.At[i]] = uintptr(fd)
	}
	made := child{fd: -1}
	made.pid, err = syscall.ForkExec(o.Path, o.Argv, &syscall.ProcAttr{Dir: o.Dir, Env: o.Env, Files: at,
		Sys: &syscall.SysProcAttr{Setsid: true, Cloneflags: unix.CLONE_PARENT, PidFD: &made.fd}})
	if err == nil && made.fd >= 0 {
		*c = append(*c, made)
	}
	return made.pid, err
}

// prune removes the programs that have ended.
func (c *children) prune() {
	kept := (*c)[:0]
	for _, p := range *c {
		if p.alive() {
			kept = append(kept, p)
		} else {
			_ = unix.Close(p.fd)
		}
	}
	*c = kept
}

func (p child) alive() bool {
	ready := []unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLIN}}
	n, err := unix.Poll(ready, 0)
	return n == 0 && err == nil
}

// kill kills the programs that still run, each with its group.
func (c children) kill() {
	for _, p := range c {
		if p.alive() {
			_ = unix.Kill(-p.pid, unix.SIGKILL)
			_ = unix.PidfdSendSignal(p.fd, unix.SIGKILL, nil, 0)
		}
	}
}
