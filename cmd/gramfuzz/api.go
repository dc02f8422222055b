package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const apiAbout = `
Run commands for a program in another language. Each line of standard input is a
request, a command line in JSON; each line of standard output is a message about
one, with its id. Several requests run at once, and grammars are loaded once:

  {"id":1,"run":["load","j","-g","json"]}
  {"id":2,"run":["gen","-g","j","--seed","1","-n","3"]}

docs/api.md has the messages, and the commands that are there beside those of the
command line. It ends with its input, when all requests are done, or with the program
that started it.`

// maxRequest bounds the length of a request in bytes; maxPiece is about the length of a piece of
// output.
const (
	maxRequest = 64 << 20
	maxPiece   = 1 << 18
)

func runAPI(ctx context.Context, args []string, std streams) error {
	if err := newFlags(std, "api", apiAbout).parse(args, 0); err != nil {
		return err
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	a := &api{std: std, fail: fail, grammars: map[string]*apiGrammar{}, running: map[string]*apiRun{}}
	ended := make(chan error, 1)
	go func() { ended <- a.serve(ctx) }()
	for parent := os.Getppid(); os.Getppid() == parent; { // else nobody reads the messages
		select {
		case err := <-ended:
			return errors.Join(err, context.Cause(ctx))
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	}
	return nil
}

// api runs the commands of a client.
type api struct {
	std      streams
	fail     context.CancelCauseFunc // ends the program
	write    sync.Mutex
	mu       sync.Mutex // guards the fields below
	grammars map[string]*apiGrammar
	running  map[string]*apiRun // by the id
}

// apiRun is a running request. It is its standard output.
type apiRun struct {
	*api
	id     json.RawMessage
	ctx    context.Context
	cancel context.CancelFunc
	out    []byte           // not sent yet
	sent   bool             // a piece that the client has not answered
	said   chan *apiMessage // the client's messages about the request; closed at the end of the input
}

// apiText is a text, as in records.
type apiText struct {
	Text   *string `json:"text,omitempty"`
	Text64 []byte  `json:"text64,omitempty"`
}

// apiMessage is a message of either side. The client's is a request if it has Run, its text is
// standard input then; else it is about the request with its id. That of the program is the last
// one about a request if it has a Code, a question if it has Ask, else a piece of output.
type apiMessage struct {
	ID json.RawMessage `json:"id"`
	apiText

	Run    []string `json:"run,omitempty"`
	More   bool     `json:"more,omitempty"`   // the piece is read
	Holds  *bool    `json:"holds,omitempty"`  // the predicate's answer …
	Failed string   `json:"failed,omitempty"` // … or its error
	Cancel bool     `json:"cancel,omitempty"`

	Ask  bool   `json:"ask,omitempty"` // whether the predicate holds for the text
	Code *int   `json:"code,omitempty"`
	Err  string `json:"err,omitempty"` // the command's standard error
}

// serve reads requests and runs them. It returns when all are done.
func (a *api) serve(ctx context.Context) error {
	lines := bufio.NewScanner(a.std.in)
	lines.Buffer(nil, maxRequest)
	var group sync.WaitGroup
	for lines.Scan() {
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			a.request(ctx, line, &group)
		}
	}
	a.mu.Lock()
	for _, r := range a.running {
		close(r.said)
	}
	a.mu.Unlock()
	group.Wait()
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a request of more than %d bytes; send less at a time", maxRequest)
	}
	return lines.Err()
}

// request begins to run a request, or takes a message about another one.
func (a *api) request(ctx context.Context, line []byte, group *sync.WaitGroup) {
	q := &apiMessage{}
	read := json.NewDecoder(bytes.NewReader(line))
	read.DisallowUnknownFields()
	err := read.Decode(q)
	a.mu.Lock()
	defer a.mu.Unlock()
	r, code := a.running[string(q.ID)], exitWrong
	switch {
	case err != nil || read.More():
		err = cmp.Or(err, errors.New("more than one value on a line"))
		a.send(apiMessage{ID: q.ID, Code: &code, Err: fmt.Sprintf("gramfuzz: not a request (%v); docs/api.md says what is one\n", err)})
	case len(q.Run) > 0 && (r != nil || q.ID == nil):
		a.send(apiMessage{ID: q.ID, Code: &code, Err: "gramfuzz: a request needs an id that no running one has; count them\n"})
	case len(q.Run) > 0:
		r = &apiRun{api: a, id: q.ID, said: make(chan *apiMessage, 1)}
		r.ctx, r.cancel = context.WithCancel(ctx)
		a.running[string(q.ID)] = r
		group.Go(func() { r.run(q) })
	case r == nil: // it is done meanwhile
	case q.Cancel:
		r.cancel()
	default:
		select {
		case r.said <- q:
		default: // nothing was asked
		}
	}
}

// run runs a command and sends the last message about it.
func (r *apiRun) run(q *apiMessage) {
	defer r.cancel()
	var errs strings.Builder
	std := newStreams(bytes.NewReader(q.bytes()), r, &errs)
	std.api, std.ask = r.api, r.ask
	cmd, args, code := &command{run: map[string]func(context.Context, []string, streams) error{
		"load": runAPILoad, "tree": runAPIDo(apiTree), "replay": runAPIDo(apiReplay),
	}[q.Run[0]]}, q.Run[1:], 0
	if cmd.run == nil {
		cmd, args, code = find(q.Run, std)
	}
	if cmd != nil {
		code = finish(r.ctx, guard(func() error { return cmd.run(r.ctx, args, std) }), std)
		std.tidy.RemoveAll()
	}
	r.mu.Lock()
	delete(r.running, string(r.id))
	r.mu.Unlock()
	r.send(apiMessage{ID: r.id, Code: &code, Err: errs.String(), apiText: textOf(r.out)})
}

// Write writes output of the command. One piece of it is on the way to the client at a time.
func (r *apiRun) Write(p []byte) (int, error) {
	r.out = append(r.out, p...)
	if len(r.out) < maxPiece {
		return len(p), nil
	}
	if r.sent {
		if _, err := r.answer(r.ctx); err != nil {
			return 0, err
		}
	}
	r.send(apiMessage{ID: r.id, apiText: textOf(r.out)})
	r.out, r.sent = r.out[:0], true
	return len(p), nil
}

// answer waits for a message of the client; nil at the end of its input.
func (r *apiRun) answer(ctx context.Context) (*apiMessage, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case q := <-r.said:
		return q, nil
	}
}

// ask is a predicate that asks the client.
func (r *apiRun) ask(ctx context.Context, text []byte) (bool, error) {
	r.send(apiMessage{ID: r.id, Ask: true, apiText: textOf(text)})
	q, err := r.answer(ctx)
	switch {
	case err != nil:
		return false, err
	case q == nil:
		return false, errors.New("the input ended before the predicate's answer")
	case q.Holds == nil:
		return false, fmt.Errorf("the predicate failed: %s", q.Failed)
	}
	return *q.Holds, nil
}

// send writes a message.
func (a *api) send(m apiMessage) {
	a.write.Lock()
	defer a.write.Unlock()
	if err := a.std.printJSON(m); err != nil {
		a.fail(err)
	}
}

// textOf returns a text as the client reads it.
func textOf(text []byte) apiText {
	switch s := string(text); {
	case s == "":
		return apiText{}
	case utf8.ValidString(s):
		return apiText{Text: &s}
	}
	return apiText{Text64: text}
}

func (t apiText) bytes() []byte {
	if t.Text != nil {
		return []byte(*t.Text)
	}
	return t.Text64
}
