package stream

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// currentVersion is the version of a plan's JSON. It moves only when the format moves; a
// plan of another version is refused.
const currentVersion = 1

// planVersion is always written as the current version, whatever its value in Go.
type planVersion int

func (planVersion) MarshalJSON() ([]byte, error) { return json.Marshal(currentVersion) }

// Plan holds everything that decides the sentences of a stream. Sentence i is a function of the
// plan and i alone. The zero value is valid: sentences drawn uniformly by size, with seed 0. As
// JSON it is one object; fields that are zero are left out:
//
//	{"version":1,"grammar":{"name":"json"},"strategy":"walk","seed":7,"shard":1,"shards":3}
type Plan struct {
	Version  planVersion       `json:"version"` // written and read as JSON; nothing to set
	Grammar  derive.GrammarRef `json:"grammar,omitzero"`
	Alphabet string            `json:"alphabet,omitempty"` // the alphabet for loading the grammar: "" is ascii

	Bound      derive.BoundRef `json:"bound,omitzero"`             // the zero value is the default bound of package sample
	Measure    string          `json:"measure,omitempty"`          // "" is structure; over texts exact
	Strategy   string          `json:"strategy,omitempty"`         // "" is uniform; mixed, random-weights, broad, or one of package sample
	Mix        []Generator     `json:"mix,omitempty"`              // of strategy mixed; nil is DefaultMix
	Names      string          `json:"names,omitempty"`            // the choice of names of an annotated grammar; "" is a pool
	Layout     string          `json:"layout,omitempty"`           // between tokens: "" is tight
	Over       string          `json:"over,omitempty"`             // trees ("") or texts are equally likely
	Tries      int             `json:"tries,omitempty"`            // over texts: trees looked at for one text; 0 is the default of package texts
	Swarm      *SwarmPlan      `json:"swarm,omitempty"`            // nil: no swarm
	Distinct   bool            `json:"distinct,omitempty"`         // no derivation comes twice
	KPath      int             `json:"kpath,omitempty"`            // not 0: a set of sentences that reaches every path of this many symbols
	All        bool            `json:"all-alternatives,omitempty"` // a set of sentences that takes every alternative, of at most as many terminals as the bound allows
	Strength   int             `json:"strength,omitempty"`         // of strategy balanced: the number of parts that have their turn together; 0 is 1
	Containing string          `json:"containing,omitempty"`       // only derivations with these parts; see count.Options
	Seeds      []string        `json:"seeds,omitempty"`            // sentences; a quarter of the drawn ones get one of their subtrees
	Settled    bool            `json:"settled,omitempty"`          // only sentences whose texts keep a tree under precedences; see parse.Options
	Shard      int             `json:"shard,omitempty"`            // the part of the stream, from 0
	Shards     int             `json:"shards,omitempty"`           // the number of parts; 0 is 1
	Damage     float64         `json:"damage,omitempty"`           // the share of the sentences that are changed below the grammar
	Break      float64         `json:"break,omitempty"`            // the share of the sentences in which one computed field is made wrong
	Words      []string        `json:"words,omitempty"`            // the dictionary for damage; nil is that of package mutate
	Seed       uint64          `json:"seed"`                       // decides all random draws
	MaxBytes   int64           `json:"max-bytes,omitempty"`        // bounds whose sentences are longer on average are refused; 0 is sample.DefaultMaxBytes, < 0 no limit
	Memory     int64           `json:"max-memory,omitempty"`       // the limit of exact tables in bytes; 0 is count.DefaultMaxMemory
}

// SwarmPlan is the swarm of a plan, with the content of its files.
type SwarmPlan struct {
	Mode   string `json:"mode"`             // plain, down or both; off with Saved
	Every  int    `json:"every,omitempty"`  // sentences per configuration; 0 is defaultEvery
	Coins  string `json:"coins,omitempty"`  // as swarm.ParseCoins reads them; "" is ½ for every part
	Config string `json:"config,omitempty"` // the name of the only configuration, such as both:77; "": there are many
	Saved  string `json:"saved,omitempty"`  // the only configuration, as swarm.Config.Save wrote it

	CoinsFile string `json:"coins-file,omitempty"` // where Coins was read, for messages
	SavedFile string `json:"saved-file,omitempty"` // where Saved was read, for messages
}

// one reports whether all sentences share one configuration.
func (p *SwarmPlan) one() bool { return p != nil && (p.Config != "" || p.Saved != "") }

// Generator is one of the generators of strategy mixed.
type Generator struct {
	Strategy string `json:"strategy,omitempty"` // "" is uniform; random-weights, or one of package sample
	Swarm    string `json:"swarm,omitempty"`    // a mode, with a new configuration for every Block sentences; "" is off

	// Span bounds the size to this many terminals above the least, where the plan has no bound of
	// its own; 0 is the span of the default bound, 50.
	Span int `json:"span,omitempty"`
}

// Strategies of a plan besides those of package sample.
const (
	Mixed         = "mixed"          // several generators in turn
	RandomWeights = "random-weights" // walks with random weights, new ones every 4 sentences
	broad         = "broad"          // a mix that reaches much of a grammar soon
)

// DefaultDamage is the default share of damaged sentences in tests and campaigns.
const DefaultDamage = 0.25

// smallSpan is the Span of the default generator that draws uniformly. Its tables grow with the
// size and cost time at first: up to a millisecond per sentence among the first thousands, as
// long as thirty walks.
const smallSpan = 10

// DefaultMix returns the generators of strategy mixed: 11 make walks with random
// weights, of at most 50 terminals more than the least, 4 make such walks under swarm
// configurations of mode both, and 1 draws uniformly by size, up to 10 terminals more
// than the least. Uniform sentences are few because their tables take long.
func DefaultMix() []Generator {
	walk, swarmed := Generator{Strategy: RandomWeights}, Generator{Strategy: RandomWeights, Swarm: swarm.Both.String()}
	var all []Generator
	for range 3 {
		all = append(all, walk, swarmed, walk, walk)
	}
	return append(all, walk, swarmed, Generator{Span: smallSpan}, walk)
}

// broadMix returns the generators of strategy broad, which take turns sentence by sentence. Their
// choice rests on the share of real parsers and of grammars that the first thousand sentences
// reach: bench/coverage/RESULTS.md.
func broadMix() []Generator {
	return []Generator{{Strategy: sample.Balanced.String()}, {Strategy: RandomWeights}, {Strategy: sample.Walk.String()}}
}

// ReadPlan reads a plan, or a record, for which [PlanOf] gives the plan; of several records, the
// first. It returns the number of the record's sentence, 0 for a plan. It refuses other versions,
// unknown fields, since they may decide sentences, and plans that [Plan.Check] refuses. It never
// panics.
func ReadPlan(data []byte) (p *Plan, first uint64, err error) {
	if record.Are(data) {
		line, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
		rec, err := derive.ParseRecord(line)
		if err != nil {
			return nil, 0, err
		}
		return PlanOf(rec)
	}
	p, err = readPlan(data)
	return p, 0, err
}

func readPlan(data []byte) (*Plan, error) {
	var version struct{ Version *int }
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, fmt.Errorf("not a plan of gramfuzz: %w", err)
	}
	switch {
	case version.Version == nil:
		return nil, errors.New(`not a plan of gramfuzz: the field "version" is missing`)
	case *version.Version != currentVersion:
		return nil, fmt.Errorf("the plan has version %d and this gramfuzz reads version %d; use the gramfuzz that wrote it", *version.Version, currentVersion)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	p := &Plan{}
	err := d.Decode(p)
	if kind := new(json.UnmarshalTypeError); errors.As(err, &kind) {
		return nil, fmt.Errorf("field %q of the plan: a JSON %s does not belong there", kind.Field, kind.Value)
	}
	if err != nil {
		return nil, fmt.Errorf("not a plan that this gramfuzz knows: %w", err)
	}
	return p, p.Check(nil)
}

// Check refuses a plan with fields that have invalid values or exclude each other. [Plan.Open]
// refuses the rest, which depends on the grammar. name gives the fields other names in messages,
// such as those of flags. Its arguments are a field's JSON name and, where the message mentions
// one, its value. nil keeps the names.
func (p *Plan) Check(name func(field, value string) string) error {
	if name == nil {
		name = jsonName
	}
	if p.Version != 0 && p.Version != currentVersion {
		return fmt.Errorf("the plan has version %d; there is %d", p.Version, currentVersion)
	}
	if _, err := p.SampleOptions(); err != nil {
		return err
	}
	if p.Mix != nil && len(p.Mix) == 0 {
		return errors.New("a mix needs at least one generator")
	}
	for _, g := range p.generators() {
		if g.Strategy == Mixed || g.Strategy == broad || g.Span < 0 || g.Span > record.MaxSize {
			return fmt.Errorf("%+v is not a generator of a mix", g)
		}
		if _, _, err := g.parse(); err != nil {
			return err
		}
	}
	if err := p.Swarm.check(); err != nil {
		return err
	}
	switch {
	case p.Over != "" && p.Over != overTrees && p.Over != overTexts:
		return fmt.Errorf("unknown over %q; there are %s and %s", p.Over, overTrees, overTexts)
	case p.Alphabet != "" && p.Alphabet != "ascii" && p.Alphabet != "unicode":
		return fmt.Errorf("unknown alphabet %q; there are ascii and unicode", p.Alphabet)
	case p.Tries < 0 || p.KPath < 0 || p.Bound.Mean < 0 || p.Strength < 0:
		return errors.New("tries, kpath, mean and strength cannot be negative")
	case p.Shards < 0 || p.Shard < 0 || p.Shard >= max(p.Shards, 1):
		return fmt.Errorf("shard %d of %d does not exist; shards are numbered from 0", p.Shard, p.Shards)
	case !(p.Damage >= 0 && p.Damage <= 1):
		return fmt.Errorf("a share of %v cannot be damaged; it is from 0 to 1", p.Damage)
	case !(p.Break >= 0 && p.Break <= 1):
		return fmt.Errorf("a share of %v cannot be broken; it is from 0 to 1", p.Break)
	}
	return p.combine(name)
}

func jsonName(field, value string) string {
	if value == "" {
		return field
	}
	return field + " " + strconv.Quote(value)
}

// The values of Plan.Over.
const (
	overTrees = "trees"
	overTexts = "texts"
)

// SampleOptions returns the options of package sample for drawing from the whole grammar. They
// leave out a strategy of this package.
func (p *Plan) SampleOptions() (o sample.Options, err error) {
	if o.Bound, err = record.ParseBound(p.Bound); err != nil {
		return o, err
	}
	if o.Strategy, err = parseStrategy(p.Strategy); err != nil {
		return o, err
	}
	if o.Measure, err = record.ParseMeasure(p.measure()); err != nil {
		return o, err
	}
	if o.Layout, err = record.ParseLayout(p.Layout); err != nil {
		return o, err
	}
	if o.Names, err = gctx.ParseOptions(p.Names); err != nil {
		return o, err
	}
	switch p.spread() {
	case "even":
	case "count":
		o.Spread = sample.ByCount
	default:
		return o, fmt.Errorf("unknown spread %q; there are even and count", p.Bound.Spread)
	}
	o.Seed, o.Mean, o.MaxBytes, o.MaxMemory = p.Seed, p.Bound.Mean, p.MaxBytes, p.Memory
	o.Strength, o.Containing = p.Strength, p.Containing
	return o, nil
}

// parseStrategy returns the strategy of package sample; 0 for a strategy of this package.
func parseStrategy(name string) (sample.Strategy, error) {
	if name == "" || name == Mixed || name == RandomWeights || name == broad {
		return sample.Uniform, nil
	}
	s, err := sample.ParseStrategy(name)
	if err != nil {
		err = fmt.Errorf("unknown strategy %q; %s", name, words.DidYouMean(name, strategies()))
	}
	return s, err
}

// strategies returns the names of all strategies of a plan.
func strategies() []string {
	var names []string
	for s := sample.Uniform; s <= sample.Balanced; s++ {
		names = append(names, s.String())
	}
	return append(names, Mixed, RandomWeights, broad)
}

// parse returns the strategy and the mode of a generator.
func (g Generator) parse() (sample.Strategy, swarm.Mode, error) {
	s, err := parseStrategy(g.Strategy)
	if err != nil {
		return 0, 0, err
	}
	m, err := swarm.ParseMode(cmp.Or(g.Swarm, swarm.Off.String()))
	return s, m, err
}

// generators returns those of strategies mixed and broad, nil with another.
func (p *Plan) generators() []Generator {
	switch {
	case p.Strategy == broad:
		return broadMix()
	case p.Strategy != Mixed:
		return nil
	case p.Mix == nil:
		return DefaultMix()
	}
	return p.Mix
}

func (p *SwarmPlan) check() error {
	if p == nil {
		return nil
	}
	m, err := swarm.ParseMode(p.Mode)
	switch {
	case err != nil:
		return err
	case m == swarm.Off && p.Saved == "":
		return errors.New("a swarm of mode off leaves nothing out; give plain, down or both, or no swarm")
	case p.Config != "" && p.Saved != "":
		return errors.New("a swarm has one configuration by name or a saved one, not both")
	case p.Every < 0:
		return fmt.Errorf("a configuration cannot be kept for %d sentences", p.Every)
	}
	_, err = swarm.ParseCoins(cmp.Or(p.CoinsFile, "coins"), []byte(p.Coins))
	return err
}

// measure and spread return the values of the plan or the defaults.
func (p *Plan) measure() string {
	if p.Measure == "" && p.Over == overTexts {
		return "exact"
	}
	return cmp.Or(p.Measure, "structure")
}

func (p *Plan) spread() string {
	if p.Bound.Spread == "" && p.Over == overTexts {
		return "count"
	}
	return cmp.Or(p.Bound.Spread, "even")
}
