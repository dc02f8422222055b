package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// choice is one option of a plan, as a flag and as a field.
type choice struct {
	name  string
	group string // at most one choice of a group is taken
	flags string // PART stands for a part of the grammar
	set   func(p *stream.Plan)
}

var choices = []choice{
	{"depth", "bound", "--depth 6 --repeat 2", func(p *stream.Plan) { p.Bound.Depth, p.Bound.Repeat = 6, 2 }},
	{"size", "bound", "--size 3..9 --unit terminals", func(p *stream.Plan) { p.Bound.Min, p.Bound.Max, p.Bound.Unit = 3, 9, "terminals" }},
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
	{"broad", "strategy", "--strategy broad", func(p *stream.Plan) { p.Strategy = "broad" }},
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
	{"strength", "", "--strength 2", func(p *stream.Plan) { p.Strength = 2 }},
	{"containing", "", "--containing PART", func(p *stream.Plan) { p.Containing = "PART" }},
	{"all", "", "--all-alternatives", func(p *stream.Plan) { p.All = true }},
	{"kpath", "", "--kpath 2", func(p *stream.Plan) { p.KPath = 2 }},
	{"settled", "", "--settled", func(p *stream.Plan) { p.Settled = true }},
	{"shard", "", "--shard 1/3", func(p *stream.Plan) { p.Shard, p.Shards = 1, 3 }},
	{"damage", "", "--damage 0.5", func(p *stream.Plan) { p.Damage = 0.5 }},
	{"break", "", "--break 0.5", func(p *stream.Plan) { p.Break = 0.5 }},
}

// pairGrammars are the grammars for every pair, each with the name of a part: a purely recursive
// one, and grammars with computed fields, tokens and layout, ambiguous texts, names, and few
// sentences.
var pairGrammars = []struct{ name, part string }{
	{"tree", "t/1"}, {"testdata/packet.ebnf", "item/1"}, {"json", "value/5"},
	{"assign", "expr/2"}, {"lambda", "term/1"}, {"lopsided", "c/0"},
}

// needs lists choices that require another one.
var needs = map[string]string{"texts": "size", "tries": "texts", "strength": "balanced", "mean": "boltzmann", "spread": "size"}

// manyChoices are combinations of more than two.
var manyChoices = [][]string{
	{"size", "texts", "swarm", "distinct", "shard"},
	{"size", "texts", "config", "distinct", "shard", "damage"},
	{"balanced", "strength", "swarm", "distinct", "shard", "damage"},
	{"mixed", "layout", "distinct", "shard", "damage"},
	{"walk", "coins", "distinct", "shard", "damage"},
}

// combinations returns all pairs of choices, at most one of a group, without and with the choices
// that they need; and some larger combinations.
func combinations() (all [][]choice) {
	byName := map[string]choice{}
	for _, c := range choices {
		byName[c.name] = c
	}
	for i, a := range choices {
		for _, b := range choices[i:] {
			if a.name == b.name {
				all = append(all, []choice{a})
			} else if a.group == "" || a.group != b.group {
				all = append(all, []choice{a, b})
			}
		}
	}
	for _, pair := range all {
		whole := slices.Clone(pair)
		for i := 0; i < len(whole); i++ {
			c, ok := byName[needs[whole[i].name]]
			if ok && !slices.ContainsFunc(whole, func(o choice) bool { return o.name == c.name || o.group != "" && o.group == c.group }) {
				whole = append(whole, c)
			}
		}
		if len(whole) > len(pair) {
			all = append(all, whole)
		}
	}
	for _, names := range manyChoices {
		var many []choice
		for _, name := range names {
			many = append(many, byName[name])
		}
		all = append(all, many)
	}
	return all
}

// TestPairs checks for every combination that Go and the command make the same bytes, with any
// number of goroutines, and that records lead back to their sentences; or that both refuse it for
// the same reason. Every combination has its turn with one grammar, and with GRAMFUZZ_LONG with three.
func TestPairs(t *testing.T) {
	each := 1
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		each = 3
	}
	refused, made := 0, 0
	for turn, of := range pairGrammars {
		t.Run(of.name, func(t *testing.T) {
			g, _, err := grammars.Load(of.name, load.Options{})
			if err != nil {
				t.Fatal(err)
			}
			sets := combinations()
			for i, set := range sets {
				if n := len(pairGrammars); (i+n-turn)%n >= each {
					continue
				}
				many := i >= len(sets)-len(manyChoices)
				plan := &stream.Plan{Grammar: derive.GrammarRef{Path: of.name}, Seed: 5}
				command := "gen -q -0 -g " + of.name + " --seed 5"
				for _, c := range set {
					command += " " + c.flags
					c.set(plan)
				}
				if plan.Containing != "" {
					plan.Containing, command = of.part, strings.Replace(command, "PART", of.part, 1)
				}
				if tryPlan(t, g, plan, command) {
					made++
				} else {
					refused++
					if many {
						t.Errorf("%s is refused", command)
					}
				}
			}
		})
	}
	t.Logf("%d plans make sentences, %d are refused", made, refused)
	if made < 200 || refused < 100 {
		t.Errorf("%d plans make sentences, %d are refused; want both often", made, refused)
	}
}

// gen runs a command and returns its exit code and output.
func gen(args string) (code int, out, msg string) {
	var stdout, stderr bytes.Buffer
	code = cli(strings.Fields(args), newStreams(strings.NewReader(""), &stdout, &stderr))
	return code, stdout.String(), stderr.String()
}

// pairN is the number of sentences compared.
const pairN = 9

// tryPlan reports whether the plan is valid.
func tryPlan(t *testing.T, g *grammar.Grammar, plan *stream.Plan, command string) bool {
	t.Helper()
	if plan.Strategy == "" { // the flags have another default without a bound
		command += " --strategy uniform"
	}
	number := fmt.Sprintf(" -n %d", pairN)
	if plan.KPath != 0 {
		number = ""
	}
	command += number
	code, got, msg := gen(command + " -j 1")
	if plan.Check(nil) != nil {
		const field = "\x00"
		why := plan.Check(func(string, string) string { return field }).Error()
		want := "^gramfuzz: " + strings.ReplaceAll(regexp.QuoteMeta(why), field, "--[a-z-]+( [^ ;,]+)?")
		if ok, err := regexp.MatchString(want, msg); code != exitWrong || got != "" || !ok || err != nil {
			t.Errorf("%s: Go refuses it (%s); the command exits with %d: %s", command, plan.Check(nil), code, msg)
		}
		return false
	}
	texts, records, err := drawPlan(t, g, plan)
	if (err == nil) != (code == exitDone) {
		t.Errorf("%s: exit code %d, %s; from Go the error is %v", command, code, msg, err)
		return true
	}
	if err != nil { // for example, nothing within the bound
		return true
	}
	if diff := cmp.Diff(texts, got); diff != "" {
		t.Errorf("%s: -Go +command:\n%s", command, diff)
	}
	_, printed, _ := gen(command + " --print-plan")
	if _, seven, _ := gen("gen -q -0 -j 7" + number + planFile(t, printed)); seven != got {
		t.Errorf("%s: its plan makes others with -j 7", command)
	}
	if n := len(records); n > 0 && leadsBack(t, g, records, command) {
		last := records[n-1]
		if _, text, msg := gen("gen -q -0 -n 1" + planFile(t, string(last.Append(nil)))); text != string(last.Text)+"\x00" {
			t.Errorf("%s: by command record %d of %q leads back to %q: %s", command, last.Index, last.Text, text, msg)
		}
	}
	return true
}

// planFile returns the flag for a plan or a record in a file.
func planFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return " --plan " + path
}

// drawPlan opens a plan in JSON, and draws.
func drawPlan(t *testing.T, g *grammar.Grammar, plan *stream.Plan) (texts string, records []*derive.Record, err error) {
	t.Helper()
	data, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	if plan, _, err = stream.ReadPlan(data); err != nil {
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

// leadsBack checks that the plans of records make their sentences again. The records of one
// stream without a swarm have the same plan.
func leadsBack(t *testing.T, g *grammar.Grammar, records []*derive.Record, command string) bool {
	t.Helper()
	var src stream.Source
	var last []byte
	for _, rec := range records {
		plan, number, err := stream.PlanOf(rec)
		if err != nil {
			t.Errorf("%s: %v", command, err)
			return false
		}
		if data, err := json.Marshal(plan); err != nil {
			t.Fatal(err)
		} else if !bytes.Equal(data, last) {
			s, err := plan.Open(t.Context(), g, stream.Options{})
			if err != nil {
				t.Errorf("%s: the plan of a record: %v", command, err)
				return false
			}
			src, last = s.Source(), data
		}
		text, err := src.Append(t.Context(), nil, number)
		if err != nil || !bytes.Equal(text, rec.Text) {
			t.Errorf("%s: record %d of %q leads back to %q, %v", command, rec.Index, rec.Text, text, err)
			return false
		}
	}
	return true
}
