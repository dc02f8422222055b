package target

import "os"

// streams is the three standard files of one run.
type streams struct {
	stdin       *os.File
	closeStdin  func()
	out, err    *capture // nil when no output is kept
	null        *os.File // /dev/null, if no output is kept
	feedStarted func()   // starts to feed a pipe, if there is one
}

// openStreams opens the standard files of a program. Standard input is a file of its own, not
// the one in the scratch folder, so a script may overwrite that one while it reads.
func (r *Runner) openStreams(input []byte) (*streams, error) {
	s := &streams{closeStdin: func() {}, feedStarted: func() {}}
	var err error
	if r.wantsStdin() {
		err = s.openInput(input)
	} else {
		s.stdin, err = os.Open(os.DevNull)
	}
	if err != nil {
		s.abandon()
		return nil, err
	}
	if r.cmd.Output < 0 {
		s.null, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	} else if s.out, err = newCapture(r.cmd.Output); err == nil {
		s.err, err = newCapture(r.cmd.Output)
	}
	if err != nil {
		s.abandon()
		return nil, err
	}
	return s, nil
}

// openPipe makes standard input a pipe, fed by a goroutine that ends with the program.
func (s *streams) openPipe(input []byte) error {
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	s.stdin = read
	s.closeStdin = func() { write.Close() }
	s.feedStarted = func() {
		go func() {
			_, _ = write.Write(input) // fails when the program stops reading
			write.Close()
		}()
	}
	return nil
}

func (s *streams) files() []*os.File {
	if s.null != nil {
		return []*os.File{s.stdin, s.null, s.null}
	}
	return []*os.File{s.stdin, s.out.write, s.err.write}
}

// start begins reading and feeding; call it when the program holds its ends of the pipes.
func (s *streams) start() {
	s.stdin.Close()
	s.feedStarted()
	if s.null != nil {
		s.null.Close()
		return
	}
	s.out.start()
	s.err.start()
}

// finish ends all reading and feeding.
func (s *streams) finish() {
	s.closeStdin()
	if s.out != nil {
		s.out.finish()
		s.err.finish()
	}
}

// abandon closes the files of a program that did not start.
func (s *streams) abandon() {
	s.closeStdin()
	for _, f := range []*os.File{s.stdin, s.null} {
		if f != nil {
			f.Close()
		}
	}
	for _, c := range []*capture{s.out, s.err} {
		if c != nil {
			c.abandon()
		}
	}
}

func (s *streams) fill(r *Result) {
	if s.out == nil {
		return
	}
	r.Stdout, r.StdoutTotal = s.out.head, s.out.total
	r.Stderr, r.StderrTotal = s.err.head, s.err.total
}

// kept is the beginning of an output, and the length of the whole.
type kept struct {
	limit int
	head  []byte
	total int64
}

func (k *kept) keep(b []byte) {
	k.total += int64(len(b))
	if left := k.limit - len(k.head); left > 0 {
		k.head = append(k.head, b[:min(len(b), left)]...)
	}
}
