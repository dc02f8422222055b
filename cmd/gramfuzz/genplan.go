package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/spf13/pflag"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
	"github.com/gramfuzz/gramfuzz/stream"
)

// planFlags read and print the plan of a stream.
type planFlags struct {
	path  string
	print bool
	first uint64 // the number of the first sentence
}

func (p *planFlags) add(f *flags) {
	f.StringVar(&p.path, "plan", "", "take everything that decides the sentences from `FILE`: a plan, as --print-plan prints it, or a record, whose sentence is then the first")
	f.BoolVar(&p.print, "print-plan", false, "print the plan of these sentences (JSON) instead of them")
}

// besidePlan lists the flags allowed beside --plan; those of the grammar go with -g.
var (
	besidePlan  = []string{"plan", "print-plan", "number", "time", "jobs", "out", "json", "null", "hex", "quiet", "grammar"}
	withGrammar = []string{"start", "format", "alphabet", "case"}
)

// open returns the plan, from the flags or from --plan, and its grammar.
func (gf *genFlags) open(ctx context.Context) (p *stream.Plan, g *grammar.Grammar, err error) {
	if gf.from.path == "" {
		if p, err = gf.plan(); err != nil {
			return nil, nil, err
		}
		if g, err = gf.g.load(); err == nil {
			p.Grammar = refOf(p.Grammar, g)
			err = gf.fit(p, g)
		}
		if err == nil && gf.seeds != nil {
			err = gf.addSeeds(ctx, p, g)
		}
		return p, g, err
	}
	gf.f.Visit(func(fl *pflag.Flag) {
		if err == nil && !slices.Contains(besidePlan, fl.Name) && !(gf.g.given() && slices.Contains(withGrammar, fl.Name)) {
			err = gf.f.wrong("--plan says how to draw; leave --%s out", fl.Name)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	if p, err = gf.from.read(gf.f); err != nil {
		return nil, nil, err
	}
	if gf.g.given() {
		p.Alphabet = gf.g.alphabet
	}
	g, err = loadRef(gf.f, gf.g, &p.Grammar, p.Alphabet)
	return p, g, err
}

// addSeeds puts the sentences in the user's texts into the plan.
func (gf *genFlags) addSeeds(ctx context.Context, p *stream.Plan, g *grammar.Grammar) error {
	memory := int64(0)
	if gf.f.Changed("max-memory") {
		memory = p.Memory
	}
	if gf.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, gf.time)
		defer cancel()
	}
	seeds, err := corpus.ReadSeeds(ctx, g, gf.seeds, memory)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return gf.f.wrong("--seeds: the texts are not parsed within --time %v; give it more time, or smaller texts", gf.time)
	case err != nil:
		return err
	case seeds.Trees == nil:
		return gf.f.wrong("--seeds: no text there is a sentence of the grammar, nor has parts that are; give others, or leave it out")
	case seeds.Other != nil:
		gf.f.note("of %s of --seeds only parts can be sentences of the grammar", words.Plural(len(seeds.Other), "text"))
	}
	for _, t := range seeds.Trees {
		p.Seeds = append(p.Seeds, t.Text())
	}
	return gf.f.checkPlan(p, gf.swarm)
}

// read reads a plan or the plan of a record.
func (p *planFlags) read(f *flags) (*stream.Plan, error) {
	data, err := readInput(f.std, p.path)
	if err != nil {
		return nil, err
	}
	plan, first, err := stream.ReadPlan(data)
	if err != nil {
		return nil, f.wrong("%s: %v", p.path, err)
	}
	p.first = first
	return plan, nil
}

// write prints a plan as one line.
func (p *planFlags) write(f *flags, plan *stream.Plan) error {
	if p.first > 0 {
		f.note("the record is of sentence %d of this plan", p.first)
	}
	line, err := json.Marshal(plan)
	if err != nil {
		return err
	}
	return f.std.print(append(line, '\n'))
}
