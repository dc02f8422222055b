package gramtest

import (
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/schedule"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// Option changes how a property is checked.
type Option func(*config)

// config is what the options set.
type config struct {
	draw     schedule.Options
	seeded   bool
	swarm    *swarm.Mode
	count    int
	time     time.Duration
	idle     time.Duration // see Idle
	timeout  time.Duration
	memory   uint64
	shrink   int
	dir      string
	cover    []cover
	cmp      []cmp.Option
	isolate  bool
	guide    string
	failures bool
}

// The defaults.
const (
	DefaultCount   = 1000             // sentences
	DefaultTimeout = 10 * time.Second // for one sentence
	DefaultMemory  = 2 << 30          // bytes of heap during one sentence
	DefaultShrink  = 20_000           // calls of the property while shrinking
)

// briefCount is up to how many sentences the sampler prepares for few only.
const briefCount = 10_000

func newConfig(opts []Option) *config {
	c := &config{
		draw:  schedule.Options{Damage: schedule.DefaultDamage},
		count: DefaultCount, timeout: DefaultTimeout, memory: DefaultMemory, shrink: DefaultShrink,
		dir: "testdata/gramfuzz", failures: true,
	}
	for _, o := range opts {
		o(c)
	}
	c.draw.Brief = c.time == 0 && c.count <= briefCount
	if c.swarm != nil {
		lanes := c.draw.Lanes
		if lanes == nil {
			lanes = []schedule.Lane{{Strategy: sample.Uniform}, {Tilted: true}}
		}
		c.draw.Lanes = nil
		for _, l := range lanes {
			l.Swarm = *c.swarm
			c.draw.Lanes = append(c.draw.Lanes, l)
		}
	}
	return c
}

// Count says how many sentences are drawn; without it DefaultCount, or with
// [Time] as many as come.
func Count(n int) Option { return func(c *config) { c.count = n } }

// Time draws sentences for so long, whatever the count.
func Time(d time.Duration) Option { return func(c *config) { c.time = d } }

// Idle ends a check with [Guide] when no new label or edge was seen for so long,
// whatever the count. Without Guide it has no influence.
func Idle(d time.Duration) Option { return func(c *config) { c.idle = d } }

// Seed sets the seed: the same seed, grammar and options draw the same
// sentences. (Checks of more than 10,000 sentences, and by [Time], prepare in
// another way and draw others than shorter ones; and where few sentences take most
// of the time, which of their kind are run depends on that, see [schedule.Pace]; by
// Time, repeats are left out where properties are slow, see [schedule.Repeats].)
// Without it the seed is random and told with every failure.
func Seed(seed uint64) Option { return func(c *config) { c.draw.Seed, c.seeded = seed, true } }

// Bound sets the bound; without it, least size to 50 terminals more.
func Bound(b count.Bound) Option { return func(c *config) { c.draw.Bound = b } }

// Strategy draws with one strategy of package sample only, without swarm
// configurations unless [Swarm] is given too.
func Strategy(s sample.Strategy) Option {
	return func(c *config) { c.draw.Lanes = []schedule.Lane{{Strategy: s}} }
}

// Lanes sets the ways of drawing that take turns.
func Lanes(lanes ...schedule.Lane) Option { return func(c *config) { c.draw.Lanes = lanes } }

// Swarm draws all sentences under swarm configurations of the mode, or, with
// [swarm.Off], none.
func Swarm(m swarm.Mode) Option { return func(c *config) { c.swarm = &m } }

// Valid turns damage off: every sentence is one of the grammar.
func Valid() Option { return func(c *config) { c.draw.Damage = 0 } }

// Damage sets the share of the sentences that are damaged, 0 to 1; without it
// it is 1 in 4.
func Damage(share float64) Option { return func(c *config) { c.draw.Damage = share } }

// Dict sets the dictionary that damage takes texts from, such as one read by
// [mutate.ParseDictionary]; without it, mutate.Strings.
func Dict(words []string) Option { return func(c *config) { c.draw.Words = words } }

// Hooks gives what makes the hooks for names in play. All sentences are then
// drawn by tilted walks.
func Hooks(make func() derive.Hooks) Option { return func(c *config) { c.draw.Hooks = make } }

// Timeout sets how long the property may take for one sentence before it is
// taken to hang; 0 is no limit.
func Timeout(d time.Duration) Option { return func(c *config) { c.timeout = d } }

// Memory sets how large the heap may grow, in bytes, before the sentence being
// run is taken to use up the memory; 0 is no limit. It is looked at a few times
// a second.
func Memory(bytes uint64) Option { return func(c *config) { c.memory = bytes } }

// Shrink bounds how often the property is called to shrink a failure; 0 does not
// shrink.
func Shrink(calls int) Option { return func(c *config) { c.shrink = calls } }

// Dir sets the folder for fail files; "" keeps none and tries none.
func Dir(path string) Option { return func(c *config) { c.dir, c.failures = path, path != "" } }

// Isolate runs the whole check in a child process of the test binary, so that a
// property that exits, overflows the stack or uses up the memory is reported
// and shrunk in the same run. It costs the start of a process.
func Isolate() Option { return func(c *config) { c.isolate = true } }

// Cmp gives options for the comparison that [Agree] makes.
func Cmp(opts ...cmp.Option) Option { return func(c *config) { c.cmp = append(c.cmp, opts...) } }

// cover is a demand on the share of the sentences with a label.
type cover struct {
	percent float64
	label   string
}

// Cover fails the check at the end when less than so many percent of the
// sentences had the label ([Sentence.Label], [Sentence.Classify]).
func Cover(percent float64, label string) Option {
	return func(c *config) { c.cover = append(c.cover, cover{percent, label}) }
}
