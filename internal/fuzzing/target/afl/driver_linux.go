package afl

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

// The descriptors at which a fork server reads and writes.
const (
	controlFD = 198
	statusFD  = 199
)

// Driver is a connection to a running fork server. It is for one goroutine at a time; run
// several drivers to use several processors.
type Driver struct {
	opt        Options
	path       string
	persistent bool
	deferred   bool

	dir   string   // scratch folder, working directory
	file  string   // input file, or ""
	stdin *os.File // in memory, shared with the program

	coverage, input []byte // shared memory
	coverageID      int
	inputID         int
	compared        []byte  // shared memory for comparisons; nil if the program records none
	cmpLog          *cmpLog // its layout if the program was compiled with AFL_LLVM_CMPLOG
	comparing       int     // runs of Compare
	records         bool    // one of them recorded a comparison
	comparedID      int

	cage    *target.Cage
	server  *os.Process
	status  pipeEnd // -1: none
	control pipeEnd
	agreed  terms
	dog     *watchdog

	said *said // the standard error of a direct program

	result target.Result   // of the last run
	killed uint32          // 1 if we ended the previous run
	ctx    context.Context // of the run in progress; so is begun
	begun  time.Time
}

// Start checks that a program is instrumented and starts its fork server. The
// error is a [*target.ProgramError], a [*target.ScratchError] or a
// [*ServerError].
func Start(ctx context.Context, opt Options) (*Driver, error) {
	if err := opt.complete(); err != nil {
		return nil, err
	}
	path, err := target.LookPath(opt.Args[0], opt.Dir)
	if err != nil {
		return nil, err
	}
	d := &Driver{opt: opt, path: path, status: -1, control: -1, dog: newWatchdog(opt)}
	err = d.readMarks()
	if err == nil {
		err = d.prepare()
	}
	if err == nil {
		err = d.start(ctx)
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// readMarks reads the compiler's marks in the program's file.
func (d *Driver) readMarks() error {
	text, err := os.ReadFile(d.path)
	if err != nil {
		return &target.ProgramError{Program: d.opt.Args[0], Problem: err.Error(), Hint: "make it readable", Err: err}
	}
	if !bytes.Contains(text, []byte("__AFL_SHM_ID")) {
		return &target.ProgramError{Program: d.opt.Args[0], Problem: "is not instrumented for AFL",
			Hint: "compile it with afl-clang-fast, or run it without the AFL driver"}
	}
	d.persistent = bytes.Contains(text, []byte("##SIG_AFL_PERSISTENT##"))
	d.deferred = bytes.Contains(text, []byte("##SIG_AFL_DEFER_FORKSRV##"))
	if d.opt.CmpLog {
		d.cmpLog, err = cmpLogOf(d.opt.Args[0], text)
	}
	return err
}

// prepare makes the files and shared memory for all fork servers of this driver.
func (d *Driver) prepare() (err error) {
	root := d.opt.Scratch
	if root == "" {
		root = os.TempDir()
	}
	if root, err = filepath.Abs(root); err == nil {
		d.dir, err = os.MkdirTemp(root, target.ScratchPrefix())
	}
	if err != nil {
		return &target.ScratchError{Path: root, Err: err}
	}
	if d.cage, err = target.NewCage(d.opt.Bounds, d.opt.Resident, d.dir); err != nil {
		return err
	}
	if _, has := target.WithFile(d.opt.Args, ""); has {
		d.file = filepath.Join(d.dir, target.DefaultName)
	}
	fd, err := unix.MemfdCreate("input", unix.MFD_CLOEXEC)
	if err != nil {
		return &target.ScratchError{Path: "memory", Err: err}
	}
	d.stdin = os.NewFile(uintptr(fd), "input")
	if d.coverageID, d.coverage, err = shareMemory(d.opt.MapSize); err != nil {
		return &target.ScratchError{Path: "shared memory for coverage", Err: err}
	}
	if d.inputID, d.input, err = shareMemory(4 + d.opt.MaxInput); err != nil {
		return &target.ScratchError{Path: "shared memory for input", Err: err}
	}
	size := 0
	if d.opt.Direct {
		size = gocov.ComparedSize
	} else if d.cmpLog != nil {
		size = d.cmpLog.size()
	}
	if size > 0 {
		if d.comparedID, d.compared, err = shareMemory(size); err != nil {
			return &target.ScratchError{Path: "shared memory for comparisons", Err: err}
		}
	}
	return nil
}

// shareMemory makes a segment that vanishes with the last process that uses it, whatever
// happens to us. On Linux, other processes can still attach it by number.
func shareMemory(size int) (id int, mem []byte, err error) {
	if id, err = unix.SysvShmGet(unix.IPC_PRIVATE, size, unix.IPC_CREAT|0o600); err != nil {
		return 0, nil, os.NewSyscallError("shmget", err)
	}
	mem, err = unix.SysvShmAttach(id, 0, 0)
	if _, rmErr := unix.SysvShmCtl(id, unix.IPC_RMID, nil); err == nil {
		err = rmErr
	}
	return id, mem, os.NewSyscallError("shmat", err)
}

// start starts a fork server and performs the handshake.
func (d *Driver) start(ctx context.Context) error {
	controlRead, controlWrite, err := pipe()
	if err != nil {
		return err
	}
	d.control = pipeEnd(controlWrite)
	forControl := os.NewFile(uintptr(controlRead), "control")
	defer forControl.Close()
	statusRead, statusWrite, err := pipe()
	if err != nil {
		d.stop()
		return err
	}
	d.status = pipeEnd(statusRead)
	forStatus := os.NewFile(uintptr(statusWrite), "status")
	defer forStatus.Close()

	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		d.stop()
		return err
	}
	defer null.Close()
	files := make([]*os.File, statusFD+1)
	files[0], files[1], files[2] = d.stdin, null, null
	if d.opt.Direct {
		var forErrors *os.File
		if d.said, forErrors, err = listen(); err != nil {
			d.stop()
			return err
		}
		defer forErrors.Close()
		files[2] = forErrors
	}
	if d.file != "" {
		files[0] = null
	}
	files[controlFD], files[statusFD] = forControl, forStatus
	d.server, err = d.cage.StartProcess(d.path, d.argv(), &os.ProcAttr{
		Dir: d.dir, Env: d.environ(), Files: files, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		d.stop()
		return &target.ProgramError{Program: d.opt.Args[0], Problem: err.Error(), Hint: "try to run it by hand", Err: err}
	}
	// Only the program may hold its ends; otherwise its death would not be noticed.
	forControl.Close()
	forStatus.Close()
	target.SetLimits(d.server.Pid, d.opt.Memory, d.opt.Bounds)
	if err := d.shakeHands(ctx); err != nil {
		d.stop()
		return err
	}
	d.killed = 0
	return nil
}

func (d *Driver) shakeHands(ctx context.Context) error {
	d.dog.arm(ctx, d.cage, d.server.Pid, startTimeout)
	agreed, err := link{d.status, d.control}.handshake()
	d.dog.disarm()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && d.said != nil {
		if text := bytes.TrimSpace(d.ended().Stderr); len(text) > 0 {
			err = fmt.Errorf("%w; it says: %s", err, text)
		}
	}
	if err == nil && (agreed.mapSize < 1 || agreed.mapSize > len(d.coverage)) {
		err = fmt.Errorf("its coverage map has %d bytes, more than %d (raise MapSize)", agreed.mapSize, len(d.coverage))
	}
	if err == nil && d.cmpLog == cmpLog400 && !agreed.cmpLog {
		err = fmt.Errorf("it records no comparisons, or as AFL++ before 4.00c; compile it with AFL_LLVM_CMPLOG=1 and AFL++ %s", CmpLogVersions)
	}
	if err != nil {
		return &ServerError{d.opt.Args[0], err.Error(),
			"run the program by hand, and look whether a library or the memory limit fails", err}
	}
	d.agreed = agreed
	return nil
}

func (d *Driver) argv() []string {
	argv, _ := target.WithFile(d.opt.Args, d.file)
	argv[0] = d.path
	return argv
}

func (d *Driver) environ() []string {
	set := []string{
		fmt.Sprintf("__AFL_SHM_ID=%d", d.coverageID),
		fmt.Sprintf("AFL_MAP_SIZE=%d", len(d.coverage)),
		"LD_BIND_NOW=1", // link once, before the fork
		"PWD=" + d.dir, "TMPDIR=" + d.dir, target.MarkVariable + "=" + d.dir,
	}
	if d.file == "" {
		set = append(set, fmt.Sprintf("__AFL_SHM_FUZZ_ID=%d", d.inputID))
	}
	if d.cmpLog != nil {
		set = append(set, fmt.Sprintf("__AFL_CMPLOG_SHM_ID=%d", d.comparedID))
	} else if d.compared != nil {
		set = append(set, fmt.Sprintf("GRAMFUZZ_COMPARED_ID=%d", d.comparedID), fmt.Sprintf("GRAMFUZZ_COMPARED_SIZE=%d", len(d.compared)))
	}
	if d.persistent {
		set = append(set, "__AFL_PERSISTENT=1")
	}
	if d.deferred {
		set = append(set, "__AFL_DEFER_FORKSRV=1")
	}
	return environment(d.opt.Env, set)
}

// Map returns the coverage of the last run: one byte for each edge, the number of times it was
// taken, modulo 256. The next run overwrites it.
func (d *Driver) Map() []byte { return d.coverage[:d.agreed.mapSize] }

// Dictionary returns the words that the compiler found in comparisons, if the program offers
// them.
func (d *Driver) Dictionary() [][]byte { return d.agreed.dictionary }

// Persistent reports whether the program runs many inputs in one process.
func (d *Driver) Persistent() bool { return d.persistent }

// SharedInput reports whether the program takes its input from shared memory.
func (d *Driver) SharedInput() bool { return d.agreed.shared && d.file == "" }

// stop ends the fork server and all processes that it started.
func (d *Driver) stop() {
	for _, end := range []*pipeEnd{&d.status, &d.control} {
		if *end >= 0 {
			_ = unix.Close(int(*end))
		}
		*end = -1
	}
	if d.server != nil {
		_ = unix.Kill(-d.server.Pid, unix.SIGKILL) // not yet waited for, so the number is its own
		_, _ = d.server.Wait()
		_, _, _ = d.cage.Clean(d.server.Pid, d.dir)
		d.server = nil
	}
	if d.said != nil {
		d.said.close()
		d.said = nil
	}
}

// Close ends the fork server and releases its resources. Slices from Map must not be used
// after it.
func (d *Driver) Close() error {
	d.stop()
	if d.dog != nil {
		d.dog.close()
		d.dog = nil
	}
	var errs []error
	for _, mem := range [][]byte{d.coverage, d.input, d.compared} {
		if mem != nil {
			errs = append(errs, unix.SysvShmDetach(mem))
		}
	}
	d.coverage, d.input, d.compared, d.agreed = nil, nil, nil, terms{}
	if d.stdin != nil {
		errs = append(errs, d.stdin.Close())
		d.stdin = nil
	}
	errs = append(errs, d.cage.Close())
	d.cage = nil
	if d.dir != "" {
		errs = append(errs, os.RemoveAll(d.dir))
		d.dir = ""
	}
	return errors.Join(errs...)
}

// feed writes the input to the place from which the program reads it.
func (d *Driver) feed(input []byte) error {
	if d.file != "" {
		if err := os.WriteFile(d.file, input, 0o600); err != nil {
			return &target.ScratchError{Path: d.file, Err: err}
		}
		return nil
	}
	if d.agreed.shared {
		binary.NativeEndian.PutUint32(d.input, uint32(len(input)))
		copy(d.input[4:], input)
		return nil
	}
	_, err := d.stdin.WriteAt(input, 0)
	if err == nil {
		err = d.stdin.Truncate(int64(len(input)))
	}
	if err == nil {
		_, err = d.stdin.Seek(0, 0)
	}
	if err != nil {
		return &target.ScratchError{Path: "memory", Err: err}
	}
	return nil
}
