package derive_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

// records are the records used by every test of the format.
func records() []*derive.Record {
	return []*derive.Record{
		{},
		{Gramfuzz: "v0.1.0", Grammar: derive.GrammarRef{Name: "json", SHA256: "ab", Start: "text"},
			Bound: derive.BoundRef{Depth: 5, Repeat: 4}, Measure: "structure", Seed: 1<<64 - 1, Index: 3,
			Choices: []int{0, -1, 7, 1114111}, Rank: "123456789012345678901234567890", Text: []byte(`["a"]`), Depth: 5, Size: 3},
		{Grammar: derive.GrammarRef{Path: "a b/ü.g4"}, Bound: derive.BoundRef{Min: 0, Max: 9, Unit: "bytes", Spread: "count"},
			Measure: "exact", Strategy: "walk", Alphabet: "unicode", Names: "pool", Layout: "tight",
			Swarm: &derive.SwarmRef{Mode: "down", P: 0.25, Every: 100},
			Text:  []byte("a\xff\x00b"), Edits: []derive.Edit{{At: 3, Delete: 1}, {At: 0, Insert: []byte{0xff}}}},
		{Text: []byte("\x00\x1f\"\\\n\r\t\x7fä\u2028😀<&>")},
	}
}

func TestRecordRoundTrip(t *testing.T) {
	for i, r := range records() {
		line := r.Append(nil)
		got, err := derive.ParseRecord(line)
		if err != nil {
			t.Errorf("%d: %v\n%s", i, err, line)
			continue
		}
		if len(r.Choices) == 0 {
			r.Choices = []int{}
		}
		if r.Text == nil {
			r.Text = []byte{}
		}
		if d := cmp.Diff(r, got); d != "" {
			t.Errorf("%d: -written +read:\n%s", i, d)
		}
	}
}

func TestRecordIsJSON(t *testing.T) {
	for i, r := range records() {
		var fields map[string]any
		if err := json.Unmarshal(r.Append(nil), &fields); err != nil {
			t.Errorf("%d: %v", i, err)
			continue
		}
		for _, name := range []string{"v", "gramfuzz", "grammar", "bound", "measure", "seed", "index", "choices", "depth", "size"} {
			if _, ok := fields[name]; !ok {
				t.Errorf("%d: no field %q", i, name)
			}
		}
		if s, ok := fields["text"].(string); ok && s != string(r.Text) {
			t.Errorf("%d: text %q, want %q", i, s, r.Text)
		}
	}
}

func TestParseRecordErrors(t *testing.T) {
	tests := []struct{ in, want string }{
		{``, `not a record of gramfuzz: no JSON at byte 0: unexpected end of JSON input`},
		{`{"v":1`, `not a record of gramfuzz: no JSON at byte 6: unexpected end of JSON input`},
		{`[]`, `not a record of gramfuzz: a JSON array, no object`},
		{`{}`, `not a record of gramfuzz: the field "v" is missing`},
		{`{"v":2}`, `the record has version 2 and this gramfuzz reads version 1; use the gramfuzz that wrote it`},
		{`{"v":9,"choices":"of another kind"}`, `the record has version 9 and this gramfuzz reads version 1; use the gramfuzz that wrote it`},
		{`{"v":1}`, `the record has neither "text" nor "text64"`},
		{`{"v":1,"text":"","text64":""}`, `the record has both "text" and "text64"; it may have one of them`},
		{`{"v":1,"text64":"*"}`, `field "text64": illegal base64 data at input byte 0`},
		{`{"v":1,"text":"","choices":[0,-2]}`, `field "choices": number 1 is -2; a choice is -1 to 2147483647`},
		{`{"v":1,"text":"","choices":[4294967296]}`, `field "choices": number 0 is 4294967296; a choice is -1 to 2147483647`},
		{`{"v":1,"text":"","choices":"x"}`, `field "choices": a JSON string does not belong there`},
		{`{"v":1,"text":"","rank":"-1"}`, `field "rank": "-1" is not a decimal number`},
		{`{"v":1,"text":"","seed":-1}`, `field "seed": a JSON number -1 does not belong there`},
		{`{"v":1,"text":"","depth":-1}`, `fields "depth" and "size" cannot be negative`},
	}
	for _, test := range tests {
		_, err := derive.ParseRecord([]byte(test.in))
		if err == nil || err.Error() != test.want {
			t.Errorf("%s:\ngot  %v\nwant %s", test.in, err, test.want)
		}
	}
}

func TestReadRecords(t *testing.T) {
	in := `{"v":1,"text":"a"}` + "\n\n" + `{"v":1` + "\n" + `  {"v":1,"text":"b","later":true}`
	var got []string
	for rec, err := range derive.ReadRecords("x.jsonl", strings.NewReader(in)) {
		if err != nil {
			got = append(got, "error "+err.Error())
			continue
		}
		got = append(got, string(rec.Text))
	}
	want := []string{"a", "error x.jsonl:3: not a record of gramfuzz: no JSON at byte 6: unexpected end of JSON input", "b"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// FuzzParseRecord checks that the reader never panics, and that a record read is read the same
// after being written.
func FuzzParseRecord(f *testing.F) {
	for _, r := range records() {
		f.Add(r.Append(nil))
	}
	f.Add([]byte(`{"v":1,"text":"\ud800","choices":null,"rank":null}`))
	f.Add([]byte(`{"v":1,"text":"","edits":[{"at":3,"delete":1},{"at":0,"insert":""}]}`))
	f.Add([]byte(`{"v":1,"text":"","edits":[]}`))
	blind.Fuzz(f, func(t *testing.T, data []byte) {
		r, err := derive.ParseRecord(data)
		if err != nil {
			return
		}
		again, err := derive.ParseRecord(r.Append(nil))
		if err != nil {
			t.Fatalf("read, written, and then: %v", err)
		}
		if d := cmp.Diff(r, again); d != "" {
			t.Fatalf("-first +second reading:\n%s", d)
		}
	})
}
