package stream_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/stream"
)

// plans returns the plans for tests of the format.
func plans() []*stream.Plan {
	return []*stream.Plan{
		{},
		{Grammar: derive.GrammarRef{Name: "json", SHA256: "ab"}, Strategy: "walk", Seed: 1<<64 - 1, Shard: 2, Shards: 3, Layout: "random"},
		{Bound: derive.BoundRef{Min: 3, Max: 9, Unit: "bytes", Spread: "count"}, Over: "texts", Tries: 7, Distinct: true, Settled: true, Names: "canonical"},
		{Strategy: stream.Mixed, Mix: []stream.Generator{{Strategy: stream.RandomWeights, Swarm: "both"}, {Span: 4}}, Damage: 0.25, Words: []string{"a\x00"}},
		{Swarm: &stream.SwarmPlan{Mode: "down", Coins: "* 1/3\n", Every: 7, CoinsFile: "c.txt"}, MaxBytes: -1, Memory: 1 << 20},
	}
}

func TestPlanRoundTrip(t *testing.T) {
	for _, want := range plans() {
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := stream.ReadPlan(data)
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		want.Version = 1
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", data, diff)
		}
	}
}

func TestReadPlanErrors(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{``, `not a plan of gramfuzz: unexpected end of JSON input`},
		{`{}`, `not a plan of gramfuzz: the field "version" is missing`},
		{`{"version":2}`, `the plan has version 2 and this gramfuzz reads version 1; use the gramfuzz that wrote it`},
		{`{"version":1,"sed":7}`, `not a plan that this gramfuzz knows: json: unknown field "sed"`},
		{`{"version":1,"seed":7} {}`, `not a plan of gramfuzz: invalid character '{' after top-level value`},
		{`{"version":1,"strategy":"worst"}`, `unknown strategy "worst"; there are uniform, walk, limit, weighted, boltzmann, balanced, mixed, random-weights, broad`},
		{`{"version":1,"shard":3,"shards":3}`, `shard 3 of 3 does not exist; shards are numbered from 0`},
		{`{"version":1,"damage":2}`, `a share of 2 cannot be damaged; it is from 0 to 1`},
		{`{"version":1,"bound":{"min":5,"max":4}}`, `5 to 4 is not a range of sizes; it goes from 0 to 268435456`},
		{`{"version":1,"swarm":{"mode":"off"}}`, `a swarm of mode off leaves nothing out; give plain, down or both, or no swarm`},
		{`{"version":1,"strategy":"mixed","mix":[{"strategy":"mixed"}]}`, `{Strategy:mixed Swarm: Span:0} is not a generator of a mix`},
		{`{"version":1,"over":"texts","strategy":"walk"}`, `over "texts" makes texts equally likely; leave strategy "walk" out`},
		{`{"version":1,"strategy":"mixed","mix":[{"span":2147483647}]}`, `{Strategy: Swarm: Span:2147483647} is not a generator of a mix`},
		{`{"version":1,"strategy":"mixed","mix":[]}`, `a mix needs at least one generator`},
		{`{"version":1,"bound":{"max":1e99}}`, `field "bound.max" of the plan: a JSON number 1e99 does not belong there`},
		{`[1]`, `not a plan of gramfuzz: json: cannot unmarshal array into Go value of type struct { Version *int }`},
		{`{"version":1,"all-alternatives":true,"bound":{"max":9,"unit":"bytes"}}`, `all goes with sizes in terminals; leave unit "bytes" out`},
		{`{"version":1,"over":"texts"}`, `over "texts" needs a bound; give depth "D" or size "N"`},
	} {
		_, _, err := stream.ReadPlan([]byte(tt.in))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s:\ngot  %v\nwant %s", tt.in, err, tt.want)
		}
	}
}

// FuzzReadPlan checks that the reader never panics, and that an accepted plan survives writing
// and reading.
func FuzzReadPlan(f *testing.F) {
	for _, p := range plans() {
		data, err := json.Marshal(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"version":1,"kpath":2,"swarm":{"mode":"plain","config":"plain:7"}}`))
	f.Add([]byte(`{"v":1,"gramfuzz":"","grammar":{"name":"json"},"bound":{"min":2,"max":8,"unit":"terminals"},"seed":9,"index":3,"choices":[1],"text":"0"}`))
	blind.Fuzz(f, func(t *testing.T, data []byte) {
		p, _, err := stream.ReadPlan(data)
		if err != nil {
			return
		}
		written, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := stream.ReadPlan(written)
		if err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		if rewritten, err := json.Marshal(again); err != nil || string(rewritten) != string(written) {
			t.Fatalf("%s, read and written again: %s, %v", written, rewritten, err)
		}
	})
}

// TestPlanOf checks that a record of a damaged shard over texts of a swarm leads back to its
// sentence.
func TestPlanOf(t *testing.T) {
	g := grammars.Must("json")
	p := &stream.Plan{
		Bound: derive.BoundRef{Min: 2, Max: 8, Unit: "terminals"}, Over: "texts", Distinct: true, Damage: 0.5, Words: []string{"zz"},
		Swarm: &stream.SwarmPlan{Mode: "both", Coins: "* 2/3", Every: 5}, Shard: 1, Shards: 3, Seed: 9,
	}
	s, err := p.Open(t.Context(), g, stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	records, edits := s.Records(), 0
	for i := range uint64(20) {
		line, err := records.Append(t.Context(), nil, i)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := derive.ParseRecord(line)
		if err != nil {
			t.Fatal(err)
		}
		edits += len(rec.Edits)
		plan, number, err := stream.ReadPlan(line)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := plan.Open(t.Context(), g, stream.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if text, err := textOf(whole.Source(), number); err != nil || text != string(rec.Text) {
			t.Errorf("record %s leads back to %q, %v", line, text, err)
		}
	}
	if edits == 0 {
		t.Error("no sentence was damaged")
	}
}
