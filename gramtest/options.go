package gramtest

import (
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// Option changes how a property is checked.
type Option func(*config)

// config holds the values of the options.
type config struct {
	draw     drawing
	bound    count.Bound
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
	seeds    []string // files and folders, see Seeds
	failures bool
	now      func() time.Time // by which slow sentences are told
}

// drawing is the plan of the sentences, and the way to open it.
type drawing struct {
	stream.Plan
	stream.Options
}

// The defaults of the options.
const (
	defaultCount   = 1000             // sentences
	defaultTimeout = 10 * time.Second // for one sentence
	defaultMemory  = 2 << 30          // bytes of heap during one sentence
	defaultShrink  = 20_000           // calls of the property while shrinking
)

func newConfig(opts []Option) *config {
	c := &config{
		draw:  drawing{Plan: stream.Plan{Strategy: stream.Mixed, Damage: stream.DefaultDamage}},
		count: defaultCount, timeout: defaultTimeout, memory: defaultMemory, shrink: defaultShrink,
		dir: "testdata/gramfuzz", failures: true, now: time.Now,
	}
	for _, o := range opts {
		o(c)
	}
	c.draw.Bound = record.Bound(c.bound)
	if c.swarm != nil {
		generators := c.draw.Mix
		if generators == nil {
			generators = []stream.Generator{{}, {Strategy: stream.RandomWeights}}
		}
		c.draw.Mix = nil
		for _, l := range generators {
			l.Swarm = c.swarm.String()
			c.draw.Mix = append(c.draw.Mix, l)
		}
	}
	return c
}

// Count sets the number of sentences; the default is 1,000. With [Time] it has no
// effect.
func Count(n int) Option { return func(c *config) { c.count = n } }

// Time draws as many sentences as fit into the given time. If a property takes 20 µs or more,
// texts that were run before are left out.
func Time(d time.Duration) Option { return func(c *config) { c.time = d } }

// Idle ends a check with [Guide] when it has seen no new label or edge for that long,
// whatever the count. Without Guide it has no effect.
func Idle(d time.Duration) Option { return func(c *config) { c.idle = d } }

// Seed sets the seed. By default it is random, and every failure names it.
//
// The same seed, grammar and options draw the same sentences. Checks of more than 10,000
// sentences, and checks by [Time], draw others than shorter checks. If a few sentences take
// most of the time, sentences of their kind are mostly left out. The clock then decides which
// of them are run.
func Seed(seed uint64) Option { return func(c *config) { c.draw.Seed, c.seeded = seed, true } }

// Bound sets the bound of the sentences. By default they have at most 50 terminals more
// than the least sentence.
func Bound(b count.Bound) Option { return func(c *config) { c.bound = b } }

// Strategy draws by strategies of package sample. Several of them take turns, 64
// sentences each. [Swarm] adds swarm configurations.
func Strategy(strategies ...sample.Strategy) Option {
	return func(c *config) {
		c.draw.Mix = nil
		for _, s := range strategies {
			c.draw.Mix = append(c.draw.Mix, stream.Generator{Strategy: s.String()})
		}
	}
}

// Swarm draws all sentences under swarm configurations of the mode; with [swarm.Off], none.
func Swarm(m swarm.Mode) Option { return func(c *config) { c.swarm = &m } }

// Valid turns damage off: every text is a sentence of the grammar.
func Valid() Option { return func(c *config) { c.draw.Damage = 0 } }

// Damage sets the share of the sentences that are damaged, from 0 to 1; the default is
// 1 in 4.
func Damage(share float64) Option { return func(c *config) { c.draw.Damage = share } }

// Dict sets the words that damage inserts, such as a dictionary read by
// [mutate.ParseDictionary]. The default is [mutate.Strings].
func Dict(words []string) Option { return func(c *config) { c.draw.Words = words } }

// Hooks sets a function that makes the hooks for names in play. All sentences are then drawn by
// walks with random weights.
func Hooks(make func() derive.Hooks) Option { return func(c *config) { c.draw.Hooks = make } }

// Timeout sets the time limit of the property for one sentence. The default is 10 seconds, and
// 0 is no limit. A property that exceeds it fails as hanging.
func Timeout(d time.Duration) Option { return func(c *config) { c.timeout = d } }

// Memory sets the limit of heap growth while the property runs, in bytes. The default is 2 GiB,
// and 0 is no limit. The heap is checked ten times a second.
func Memory(bytes uint64) Option { return func(c *config) { c.memory = bytes } }

// Shrink sets the greatest number of calls of the property to shrink a failure. The default is
// 20,000, and 0 does not shrink.
func Shrink(calls int) Option { return func(c *config) { c.shrink = calls } }

// Dir sets the folder of fail files; the default is testdata/gramfuzz. With "", none are
// written and none are tried.
func Dir(path string) Option { return func(c *config) { c.dir, c.failures = path, path != "" } }

// Isolate runs the whole check in a child process of the test binary. A property that
// exits, overflows the stack or uses up the memory is then reported and shrunk in the
// same run.
func Isolate() Option { return func(c *config) { c.isolate = true } }

// Cmp adds options to the comparison that [Agree] makes.
func Cmp(opts ...cmp.Option) Option { return func(c *config) { c.cmp = append(c.cmp, opts...) } }

// cover is a requirement on the share of the sentences with a label.
type cover struct {
	percent float64
	label   string
}

// Cover fails the check at the end if less than the given percentage of the sentences had the
// label. [Sentence.Label] and [Sentence.Classify] give labels.
func Cover(percent float64, label string) Option {
	return func(c *config) { c.cover = append(c.cover, cover{percent, label}) }
}
