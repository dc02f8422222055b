package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// choice is one thing that a plan may ask for, as a flag and as a field.
type choice struct {
	name  string
	group string // of a group there is one at most
	flags string
	set   func(p *stream.Plan)
}

var choices = []choice{
	{"depth", "bound", "--depth 6 --repeat 2", func(p *stream.Plan) { p.Bound.Depth, p.Bound.Repeat = 6, 2 }},
	{"size", "bound", "--size 3..9", func(p *stream.Plan) { p.Bound.Min, p.Bound.Max, p.Bound.Unit = 3, 9, "terminals" }},
	{"bytes", "bound", "--size 4..12 --unit bytes", func(p *stream.Plan) { p.Bound.Min, p.Bound.Max, p.Bound.Unit = 4, 12, "bytes" }},
	{"spread", "", "--spread count", func(p *stream.Plan) { p.Bound.Spread = "count" }},
	{"mean", "", "--mean 20", func(p *stream.Plan) { p.Bound.Mean = 20 }},
	{"exact", "", "--measure exact", func(p *stream.Plan) { p.Measure = "exact" }},
	{"walk", "strategy", "--strategy walk", func(p *stream.Plan) { p.Strategy = "walk" }},
	{"limit", "strategy", "--strategy limit", func(p *stream.Plan) { p.Strategy = "limit" }},
	{"weighted", "strategy", "--strategy weighted", func(p *stream.Plan) { p.Strategy = "weighted" }},
	{"boltzmann", "strategy", "--strategy boltzmann", func(p *stream.Plan) { p.Strategy = "boltzmann" }},
	{"balanced", "strategy", "--strategy balanced", func(p *stream.Plan) { p.Strategy = "balanced" }},
	{"mixed", "strategy", "--strategy mixed", func(p *stream.Plan) { p.Strategy = "mixed" }},
	{"weights", "strategy", "--strategy random-weights", func(p *stream.Plan) { p.Strategy = "random-weights" }},
	{"names", "", "--names canonical", func(p *stream.Plan) { p.Names = "canonical" }},
	{"layout", "", "--layout random", func(p *stream.Plan) { p.Layout = "random" }},
	{"texts", "", "--over texts", func(p *stream.Plan) { p.Over = "texts" }},
	{"tries", "", "--tries 2000", func(p *stream.Plan) { p.Tries = 2000 }},
	{"swarm", "swarm", "--swarm both --swarm-every 3", func(p *stream.Plan) { p.Swarm = &stream.SwarmPlan{Mode: "both", Every: 3} }},
	{"coins", "swarm", "--swarm down --swarm-p 2/3", func(p *stream.Plan) { p.Swarm = &stream.SwarmPlan{Mode: "down", Coins: "* 2/3"} }},
	{"config", "swarm", "--swarm down:5", func(p *stream.Plan) { p.Swarm = &stream.SwarmPlan{Mode: "down", Config: "down:5"} }},
	{"one", "swarm", "--swarm down:5 --swarm-every 3", func(p *stream.Plan) {
		p.Swarm = &stream.SwarmPlan{Mode: "down", Config: "down:5", Every: 3}
	}},
	{"distinct", "", "--distinct", func(p *stream.Plan) { p.Distinct = true }},
	{"kpath", "", "--kpath 2", func(p *stream.Plan) { p.KPath = 2 }},
	{"shard", "", "--shard 1/3", func(p *stream.Plan) { p.Shard, p.Shards = 1, 3 }},
	{"damage", "", "--damage 0.5", func(p *stream.Plan) { p.Damage = 0.5 }},
}

// pairNames are the grammars that every pair is tried on: those of recursion alone, of
// tokens and layout, of texts with several derivations, of names, and of few sentences.
var pairNames = []string{"tree", "json", "assign", "lambda", "lopsided"}

// TestPairs: whatever two choices a plan has, Go and the command make the same bytes
// from it, with any number of goroutines, and records lead back to their sentences;
// or both refuse it for the same reason.
func TestPairs(t *testing.T) {
	names := pairNames
	if os.Getenv("GRAMFUZZ_LONG") == "" {
		names = names[:2]
	}
	refused := map[string]bool{}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			g := grammars.Must(name)
			for i, a := range choices {
				for _, b := range choices[i:] {
					if a.name != b.name && a.group != "" && a.group == b.group {
						continue
					}
					plan := &stream.Plan{Grammar: derive.GrammarRef{Name: name}, Seed: 5}
					flags := a.flags
					if a.set(plan); b.name != a.name {
						flags += " " + b.flags
						b.set(plan)
					}
					if !tryPair(t, g, plan, "gen -q -0 -g "+name+" --seed 5 "+flags) {
						refused[a.name+" "+b.name] = true
					}
				}
			}
		})
	}
	if len(refused) < 20 {
		t.Errorf("only %d pairs are refused: %v", len(refused), refused)
	}
}

// gen runs a command and returns what it prints.
func gen(args string) (code int, out, msg string) {
	var stdout, stderr bytes.Buffer
	code = cli(strings.Fields(args), newStreams(strings.NewReader(""), &stdout, &stderr))
	return code, stdout.String(), stderr.String()
}

// pairN is how many sentences are compared.
const pairN = 9

// tryPair reports whether the plan is one that makes sense.
func tryPair(t *testing.T, g *grammar.Grammar, plan *stream.Plan, command string) bool {
	t.Helper()
	if plan.KPath == 0 {
		command += fmt.Sprintf(" -n %d", pairN)
	}
	code, got, msg := gen(command + " -j 1")
	if plan.Check() != nil {
		const field = "\x00"
		why := plan.CheckAs(func(string, string) string { return field }).Error()
		want := "^gramfuzz: " + strings.ReplaceAll(regexp.QuoteMeta(why), field, "--[a-z-]+( [^ ;,]+)?")
		if ok, err := regexp.MatchString(want, msg); code != exitWrong || got != "" || !ok || err != nil {
			t.Errorf("%s: Go refuses it (%s); the command exits with %d: %s", command, plan.Check(), code, msg)
		}
		return false
	}
	texts, records, err := drawPlan(t, g, plan)
	if (err == nil) != (code == exitDone) {
		t.Errorf("%s: exit code %d, %s; from Go the error is %v", command, code, msg, err)
		return true
	}
	if err != nil { // nothing within the bound, say
		return true
	}
	if diff := cmp.Diff(texts, got); diff != "" {
		t.Errorf("%s: -Go +command:\n%s", command, diff)
	}
	if _, seven, _ := gen(command + " -j 7"); seven != got {
		t.Errorf("%s: -j 7 makes others", command)
	}
	if n := len(records); n > 0 && leadsBack(t, g, records[0], command) {
		leadsBack(t, g, records[n-1], command)
	}
	return true
}

// drawPlan opens a plan as JSON has it, and draws.
func drawPlan(t *testing.T, g *grammar.Grammar, plan *stream.Plan) (texts string, records []*derive.Record, err error) {
	t.Helper()
	data, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	if plan, err = stream.ReadPlan(data); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	s, err := plan.Open(t.Context(), g, stream.Options{})
	if err != nil {
		return "", nil, err
	}
	src, recs := s.Source(), s.Records()
	var all []byte
	for i := range uint64(pairN) {
		if all, err = src.Append(t.Context(), all, i); errors.Is(err, sample.ErrExhausted) {
			break
		} else if err != nil {
			return "", nil, err
		}
		all = append(all, 0)
		line, err := recs.Append(t.Context(), nil, i)
		if err != nil {
			t.Fatalf("%s: sentence %d has no record: %v", data, i, err)
		}
		rec, err := derive.ParseRecord(line)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, rec)
	}
	return string(all), records, nil
}

// leadsBack checks that the plan of a record makes its sentence again.
func leadsBack(t *testing.T, g *grammar.Grammar, rec *derive.Record, command string) bool {
	t.Helper()
	plan, number, err := stream.PlanOf(rec)
	if err != nil {
		t.Errorf("%s: %v", command, err)
		return false
	}
	s, err := plan.Open(t.Context(), g, stream.Options{})
	if err != nil {
		t.Errorf("%s: the plan of a record: %v", command, err)
		return false
	}
	text, err := s.Source().Append(t.Context(), nil, number)
	if err != nil || !bytes.Equal(text, rec.Text) {
		t.Errorf("%s: record %d of %q leads back to %q, %v", command, rec.Index, rec.Text, text, err)
		return false
	}
	return true
}
