package target

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Cage starts programs one after the other, under bounds. It uses a control group if one can
// be made, and a helper if there is an [Isolation]: all programs then share one network
// namespace. A nil Cage starts programs without either.
type Cage struct {
	bounds   Bounds
	resident int64
	home     string // the folder in which control groups are made; "" if none can be
	setup    cageSetup
	missing  []string

	mu    sync.Mutex
	group *controlGroup // nil: there is none
	conn  *net.UnixConn // nil: there is no helper
	cmd   *exec.Cmd
}

// cageSetup is the first message to a helper.
type cageSetup struct {
	Write   []string
	Network bool // the helper is in a network namespace of its own
}

// cageHello is the message of a helper that is ready.
type cageHello struct {
	Missing []string // the parts of the isolation that this kernel lacks
	Err     string
}

// cageOrder is a request to start a program. Its files come with the message; At is their
// numbers in the program.
type cageOrder struct {
	Path, Dir string
	Argv, Env []string
	Files     int
	At        []int
}

// helloTime bounds the time until a helper is ready.
const helloTime = 30 * time.Second

// NewCage returns a cage for programs with bounds b that may hold resident bytes of memory.
// Isolated programs may also write to dir. The error is a [*CageError] if the system can keep
// programs neither from the network nor from writing. If only one of these is missing,
// [Cage.Missing] says so. The cage is nil if there is no isolation, and a control group is
// useless or cannot be made.
func NewCage(b Bounds, resident int64, dir string) (*Cage, error) {
	c := &Cage{bounds: b, resident: resident}
	if b.Processes > 0 || resident > 0 {
		c.home, _ = groupHome()
	}
	switch {
	case b.Isolate == nil && c.home == "":
		return nil, nil
	case b.Isolate == nil:
		return c, nil
	}
	write, err := b.Isolate.writable()
	if err != nil {
		return nil, err
	}
	c.setup.Write = append([]string{dir}, write...)
	if err := c.start(); err != nil {
		return nil, err
	}
	if len(c.missing) == 2 {
		c.Close()
		return nil, &CageError{Problem: c.missing[0] + ", and " + c.missing[1]}
	}
	return c, nil
}

// Missing lists the parts of the isolation that this system lacks, for people.
func (c *Cage) Missing() []string {
	if c == nil {
		return nil
	}
	return c.missing
}

// start starts the helper. It tries a network namespace alone, as root may make one; then one
// in a user namespace, as others may; then none.
func (c *Cage) start() error {
	uid, gid := os.Geteuid(), os.Getegid()
	own := func(id int) []syscall.SysProcIDMap {
		return []syscall.SysProcIDMap{{ContainerID: id, HostID: id, Size: 1}}
	}
	ways := []*syscall.SysProcAttr{
		{Setsid: true, Cloneflags: unix.CLONE_NEWNET},
		{Setsid: true, Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWUSER,
			UidMappings: own(uid), GidMappings: own(gid), AmbientCaps: []uintptr{unix.CAP_NET_ADMIN}},
		{Setsid: true},
	}
	var err error
	for _, way := range ways {
		c.openGroup()
		c.setup.Network = way.Cloneflags != 0
		if err = c.startHelper(c.group.in(way)); err == nil {
			if c.group != nil {
				c.group.helper = c.cmd.Process.Pid
			}
			return nil
		}
	}
	c.stop()
	return &CageError{"its helper " + c.bounds.Isolate.Helper + " does not start: " + err.Error(), err}
}

func (c *Cage) startHelper(way *syscall.SysProcAttr) error {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	ours, theirs := os.NewFile(uintptr(fds[0]), "cage"), os.NewFile(uintptr(fds[1]), "cage")
	defer ours.Close()
	defer theirs.Close()
	cmd := &exec.Cmd{Path: c.bounds.Isolate.Helper, Args: []string{cageName}, Env: os.Environ(), ExtraFiles: []*os.File{theirs}, SysProcAttr: way}
	if err := cmd.Start(); err != nil {
		return err
	}
	theirs.Close()
	conn, err := net.FileConn(ours)
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return err
	}
	c.conn, c.cmd = conn.(*net.UnixConn), cmd
	_ = c.conn.SetDeadline(time.Now().Add(helloTime))
	var hello cageHello
	if err = send(c.conn, c.setup, nil); err == nil {
		_, err = receive(c.conn, &hello)
	}
	if err == nil && hello.Err != "" {
		err = errors.New(hello.Err)
	}
	if err != nil {
		c.stop()
		return err
	}
	_ = c.conn.SetDeadline(time.Time{})
	c.missing = hello.Missing
	return nil
}

// openGroup makes a control group if there is none, or if somebody has removed it. If that
// fails, programs are watched as without a group.
func (c *Cage) openGroup() {
	if c.group != nil && unix.Access(c.group.dir, unix.F_OK) != nil {
		c.group.close()
		c.group = nil
	}
	if c.group == nil && c.home != "" {
		resident := c.resident
		if c.bounds.Isolate != nil {
			resident = 0 // else the kernel could kill the helper, which is in the group
		}
		c.group, _ = makeGroup(c.home, c.bounds, resident)
	}
}

// stop ends the helper, the programs that still run, and the control group.
func (c *Cage) stop() {
	if c.group != nil {
		c.group.kill()
	}
	if c.conn != nil {
		c.conn.Close()
		_ = c.cmd.Wait()
		c.conn = nil
	}
	if c.group != nil {
		c.group.close()
		c.group = nil
	}
}

// members lists the processes of a program's run: those of the control group, or else of the
// session that the program leads.
func (c *Cage) members(pid int) []int {
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.group != nil {
			return c.group.pids()
		}
	}
	return session(pid)
}

// Clean kills the processes that the run of a program in dir has left. It returns the number
// of those outside its process group; the bound that the kernel enforced, [Exited] if none;
// and the limit of processes and threads.
func (c *Cage) Clean(pid int, dir string) (strays int, how Kind, tasks int) {
	if c == nil {
		return killStrays(pid, dir), Exited, 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.group
	if g == nil {
		return killStrays(pid, dir), Exited, 0
	}
	how = g.struck()
	if how == Exited && !g.used() {
		return 0, how, g.tasks
	}
	for _, q := range g.pids() {
		if pgid, err := unix.Getpgid(q); err == nil && pgid != pid {
			strays++
		}
	}
	c.stop()
	return strays, how, g.tasks
}

// Close ends the helper. The programs that it started must have been waited for.
func (c *Cage) Close() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop()
	return nil
}

// StartProcess starts a program as [os.StartProcess] does, as a child of this process. An
// isolated program leads a session, regardless of attr.Sys, and is killed when this process
// dies.
func (c *Cage) StartProcess(path string, argv []string, attr *os.ProcAttr) (*os.Process, error) {
	if c == nil {
		return os.StartProcess(path, argv, attr)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bounds.Isolate == nil {
		c.openGroup()
		c.group.in(attr.Sys)
		return os.StartProcess(path, argv, attr)
	}
	order := cageOrder{Path: path, Dir: attr.Dir, Argv: argv, Env: attr.Env, Files: len(attr.Files)}
	var fds []int
	for at, f := range attr.Files {
		if f != nil {
			order.At = append(order.At, at)
			fds = append(fds, int(f.Fd()))
		}
	}
	if c.conn == nil {
		if err := c.start(); err != nil {
			return nil, err
		}
	}
	var reply [2]int
	err := send(c.conn, order, fds)
	if err == nil {
		_, err = receive(c.conn, &reply)
	}
	if err != nil {
		c.stop()
		return nil, &CageError{"its helper ended: " + err.Error(), err}
	}
	if reply[1] != 0 {
		return nil, &os.PathError{Op: "fork/exec", Path: path, Err: syscall.Errno(reply[1])}
	}
	return os.FindProcess(reply[0])
}

// send sends a message, with files if there are any.
func send(conn *net.UnixConn, message any, files []int) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	var rights []byte
	if len(files) > 0 {
		rights = unix.UnixRights(files...)
	}
	if _, _, err = conn.WriteMsgUnix(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), rights, nil); err == nil {
		_, err = conn.Write(text)
	}
	return err
}

// receive receives a message and the files that come with it.
func receive(conn *net.UnixConn, message any) (files []int, err error) {
	head, rights := make([]byte, 4), make([]byte, unix.CmsgSpace(4*253))
	n, m, _, _, err := conn.ReadMsgUnix(head, rights)
	if err != nil {
		return nil, err
	}
	parts, err := unix.ParseSocketControlMessage(rights[:m])
	for i := range parts {
		if some, err := unix.ParseUnixRights(&parts[i]); err == nil {
			files = append(files, some...)
		}
	}
	if err == nil {
		_, err = io.ReadFull(conn, head[n:])
	}
	text := make([]byte, binary.LittleEndian.Uint32(head))
	if err == nil {
		_, err = io.ReadFull(conn, text)
	}
	if err == nil {
		err = json.Unmarshal(text, message)
	}
	if err != nil {
		return files, fmt.Errorf("reading from it: %w", err)
	}
	return files, nil
}
