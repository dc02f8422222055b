package afl

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

// words returns the bytes of a message on a pipe: numbers as words, strings as bytes.
func words(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = binary.NativeEndian.AppendUint32(b, uint32(p))
		case uint32:
			b = binary.NativeEndian.AppendUint32(b, uint32(p))
		case string:
			b = append(b, p...)
		}
	}
	return b
}

func TestHandshake(t *testing.T) {
	t.Parallel()
	const hello1 = 0x41464c01
	tests := []struct {
		name   string
		status []byte
		want   terms
		answer []byte
		err    string
	}{
		{name: "oldest", status: words(0), want: terms{mapSize: 65536}},
		{name: "old, map size", status: words(uint32(0x80000001 | 0x40000000 | (1000-1)<<1)), want: terms{mapSize: 1000}},
		{name: "old, shared input", status: words(uint32(0x80000001 | 0x40000000 | 0x01000000 | (64-1)<<1)),
			want: terms{mapSize: 64, shared: true}, answer: words(uint32(0x81000001))},
		{name: "old, dictionary", status: words(uint32(0x80000001|0x10000000), 7, "\x03abc\x02de"),
			want:   terms{mapSize: 65536, dictionary: [][]byte{[]byte("abc"), []byte("de")}},
			answer: words(uint32(0x80000001 | 0x10000000))},
		{name: "old, error", status: words(uint32(0xf800008f | 1<<8)), err: "raise MapSize"},
		{name: "new, nothing", status: words(hello1, 0, hello1), want: terms{mapSize: 65536}, answer: words(^hello1)},
		{name: "new, all", status: words(hello1, 1|2|0x800, 123456, 4, "\x03xyz", hello1),
			want: terms{mapSize: 123456, shared: true, dictionary: [][]byte{[]byte("xyz")}}, answer: words(^hello1)},
		{name: "new, other version", status: words(0x41464c09), err: "version 9"},
		{name: "new, bad end", status: words(hello1, 0, 17), err: "ended its hello", answer: words(^hello1)},
		{name: "new, error", status: words(uint32(0xeffe0008)), err: "shared memory"},
		{name: "new, error after hello", status: words(hello1, uint32(0xeffe0001)), err: "raise MapSize", answer: words(^hello1)},
		{name: "unknown error", status: words(uint32(0xeffe0999)), err: "error 2457"},
		{name: "no answer", err: "no fork server"},
		{name: "cut", status: words(hello1), err: "EOF", answer: words(^hello1)},
		{name: "huge dictionary", status: words(hello1, 0x800, 1<<30), err: "dictionary", answer: words(^hello1)},
	}
	for _, tt := range tests {
		var control bytes.Buffer
		got, err := link{bytes.NewReader(tt.status), &control}.handshake()
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: got error %v, want %q", tt.name, err, tt.err)
			}
		} else if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(terms{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if !bytes.Equal(control.Bytes(), tt.answer) {
			t.Errorf("%s: answered %x, want %x", tt.name, control.Bytes(), tt.answer)
		}
	}
}

// FuzzHandshake checks that the handshake ends whatever a program sends as its hello.
func FuzzHandshake(f *testing.F) {
	f.Add(words(uint32(0x80000001|0x10000000), 7, "\x03abc\x02de"))
	f.Add(words(0x41464c01, 1|2|0x800, 123456, 4, "\x03xyz", 0x41464c01))
	f.Add(words(0x41464c01, 0x800, 3, "\xff\x00\x00", 0x41464c01))
	blind.Fuzz(f, func(t *testing.T, status []byte) {
		got, err := link{bytes.NewReader(status), &bytes.Buffer{}}.handshake()
		if err == nil && got.mapSize < 0 {
			t.Errorf("map size %d", got.mapSize)
		}
	})
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	got := environment([]string{"A=1", "PWD=/x", "__AFL_SHM_ID=3", "ASAN_OPTIONS=mine=1"}, []string{"PWD=/y"})
	want := []string{"PWD=/y", "A=1", "ASAN_OPTIONS=mine=1", sanitizerOptions[1], sanitizerOptions[2]}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
