package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

// talk runs api on an input that has ended, and returns its messages.
func talk(t *testing.T, input string) (messages []apiMessage) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := cli([]string{"api"}, newStreams(strings.NewReader(input), &out, &errs)); code != exitDone {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	for line := range strings.Lines(out.String()) {
		var m apiMessage
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		messages = append(messages, m)
	}
	return messages
}

// FuzzAPI checks that requests about grammars, texts and choices get one last message each, and
// that none shows a bug. Other commands, which can write files and run programs, are left out.
func FuzzAPI(f *testing.F) {
	f.Add(`{"id":1,"run":["load","j","-g","json"]}`)
	f.Add(`{"id":2,"run":["load","j","-g","-","--start","s"],"text":"s = \"a\" s | [b-c] ;"}`)
	f.Add(`{"id":3,"run":["tree","j"],"text":"[1, {\"a\": 2}]"}`)
	f.Add(`{"id":4,"run":["replay","j"],"text":"[6,1,0,-1,99999999999]"}`)
	f.Add(`{"id":"x","run":["tree","j"],"text64":"/w=="}` + "\n" + `{"id":"x","cancel":true}`)
	f.Add(`{"id":5,"holds":true,"more":true,"failed":"x","code":3}`)
	blind.Fuzz(f, func(t *testing.T, input string) {
		wants := 0
		for line := range strings.Lines(input) {
			var q apiMessage
			err := json.Unmarshal([]byte(line), &q)
			if err == nil && len(q.Run) > 0 {
				wants++
				if c := q.Run[0]; c != "load" && c != "tree" && c != "replay" || strings.Contains(strings.Join(q.Run, " "), "/") {
					return
				}
			}
		}
		last := 0
		for _, m := range talk(t, `{"id":1000,"run":["load","j","-g","json"]}`+"\n"+input) {
			if m.Code != nil {
				last++
			}
			if m.Code != nil && *m.Code == exitBug {
				t.Errorf("%s: %s", input, m.Err)
			}
		}
		if last < wants+1 {
			t.Errorf("%s: %d last messages", input, last)
		}
	})
}

// TestAPIAsks plays a client: it reads pieces of output as they come, and is the predicate of a
// reduction.
func TestAPIAsks(t *testing.T) {
	requests, in := io.Pipe()
	out, messages := io.Pipe()
	ended := make(chan int, 1)
	go func() { ended <- cli([]string{"api"}, newStreams(requests, messages, io.Discard)) }()
	say, hear := json.NewEncoder(in), json.NewDecoder(out)
	// run sends a request and answers its questions. It returns the output and the last message.
	run := func(holds func(string) bool, text string, args ...string) (string, apiMessage) {
		t.Helper()
		if err := say.Encode(apiMessage{ID: json.RawMessage("1"), Run: args, apiText: textOf([]byte(text))}); err != nil {
			t.Fatal(err)
		}
		var got []byte
		for {
			var m apiMessage
			if err := hear.Decode(&m); err != nil {
				t.Fatal(err)
			}
			answer := apiMessage{ID: m.ID}
			switch {
			case m.Ask:
				yes := holds(string(m.bytes()))
				answer.Holds = &yes
			default:
				got = append(got, m.bytes()...)
				answer.More = true
			}
			if m.Code != nil {
				return string(got), m
			}
			if err := say.Encode(answer); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, m := run(nil, "", "load", "j", "-g", "json"); *m.Code != exitDone {
		t.Fatal(m.Err)
	}
	sentences, m := run(nil, "", "gen", "-g", "j", "-n", "50000", "--seed", "1", "--hex", "-q")
	if n := strings.Count(sentences, "\n"); n != 50000 || *m.Code != exitDone {
		t.Errorf("%d sentences: %s", n, m.Err)
	}
	asked := 0
	small, m := run(func(text string) bool { asked++; return strings.Contains(text, "true") }, `{"a": [1, true, {"b": "true"}]}`, "reduce", "-g", "j", "-")
	if small != "true" || asked < 2 || *m.Code != exitDone {
		t.Errorf("reduced to %q with %d questions: %s", small, asked, m.Err)
	}
	if _, m := run(func(string) bool { return false }, "[1]", "reduce", "-g", "j", "-"); *m.Code != exitNo || !strings.Contains(m.Err, "does not hold") {
		t.Errorf("exit code %d: %s", *m.Code, m.Err)
	}
	in.Close()
	if code := <-ended; code != exitDone {
		t.Errorf("exit code %d", code)
	}
}
