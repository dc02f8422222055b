package swarm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/swarm"
)

func TestParseCoin(t *testing.T) {
	for text, want := range map[string]swarm.Coin{
		"essential": {1, 1}, "never": {0, 1}, "1": {1, 1}, "0": {0, 1}, "1/3": {1, 3}, "0.25": {1, 4}, ".5": {1, 2}, "4/6": {2, 3},
	} {
		got, err := swarm.ParseCoin(text)
		if err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "2", "-1/2", "1/0", "x", "1e9", "0x1", "NaN", "0.00000000000000000000000000000000000000000001"} {
		if got, err := swarm.ParseCoin(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// TestCoins checks the frequencies of features against their coins; later lines win.
func TestCoins(t *testing.T) {
	g := parse(t, `s = "a" | "b" | C: "c" | "d" | x ; x = [u-w] ;`)
	file := coins(t, `
# all
*    1/4
s    3/4      # every alternative of s
s/0  essential
s/C  never
x    members
x/'v' 0.9
`)
	sw := mustNew(t, g, swarm.Options{Mode: swarm.Plain, Coins: file})
	const n = 4000
	got := map[string]int{}
	for seed := range uint64(n) {
		c := sw.Config(seed)
		for i, f := range sw.Features() {
			if c.Has(i) {
				got[f.Name]++
			}
		}
	}
	for name, want := range map[string]float64{"s/0": 1, "s/1": .75, "s/2": 0, "s/3": .75, "s/4": .75, "x": .25, "x/'u'": .25, "x/'v'": .9, "x/'w'": .25} {
		if share := float64(got[name]) / n; share < want-.04 || share > want+.04 {
			t.Errorf("%s is in %.3f of the configurations, want %v", name, share, want)
		}
	}
}

// TestNeverIsNotAdded checks that a feature set to never stays out, also when a configuration is
// completed.
func TestNeverIsNotAdded(t *testing.T) {
	g := grammars.Must("lopsided")
	sw := mustNew(t, g, swarm.Options{Mode: swarm.Both, Coins: coins(t, "c/0 never\n")})
	for seed := range uint64(200) {
		for i, f := range sw.Features() {
			if f.Name == "c/0" && sw.Config(seed).Has(i) {
				t.Fatal("seed", seed, "has c/0")
			}
		}
	}
}

func TestCoinErrors(t *testing.T) {
	for _, tc := range []struct{ src, want string }{
		{"a/0", "coins:1:1: a line is a name and a coin, not 1 words; write it as in: stmt/2 1/3"},
		{"\n a/0   7 # no", `coins:2:8: "7" is no coin: write essential, never or a number from 0 to 1 such as 1/3 or 0.25`},
		{"a/2 1/2", `coins:1:1: the grammar has no feature "a/2" that its start rule reaches; name a rule, or an alternative as in a/0`},
		{"f members", `coins:1:1: rule "f" has no alternatives or class members to be features; name a rule that the start rule reaches and that has some`},
		{"* never", "rule a derives nothing without what is set to never"},
	} {
		c, err := swarm.ParseCoins("coins", []byte(tc.src))
		if err == nil {
			_, err = swarm.New(grammars.Must("lopsided"), swarm.Options{Coins: c})
		}
		if err == nil || err.Error() != tc.want {
			t.Errorf("%q: error %v, want %s", tc.src, err, tc.want)
		}
	}
	big, _, err := load.Source("s.ebnf", []byte(`s = [a-z] X ; @token X = [^a] ;`), load.Options{Unicode: true})
	if err != nil {
		t.Fatal(err)
	}
	_, err = swarm.New(big, swarm.Options{Coins: coins(t, "X members")})
	if err == nil || !strings.Contains(err.Error(), "too many to be features") {
		t.Errorf("a class of all characters: %v", err)
	}
	if sw := mustNew(t, big, swarm.Options{Coins: coins(t, "* members")}); len(sw.Features()) != 28 {
		t.Errorf("* members makes %d features, want s, its 26 and X", len(sw.Features()))
	}
}

func FuzzParseCoins(f *testing.F) {
	for _, src := range []string{"", "* 1/3\n", "a essential # x\nb/1.2 0.5\r\nc never", "x members\n* members", "a/'#' 1/2", "a 1/0", "a 1e9999999"} {
		f.Add([]byte(src))
	}
	g := grammars.Must("lopsided")
	blind.Fuzz(f, func(t *testing.T, src []byte) {
		c, err := swarm.ParseCoins("coins", src)
		if err != nil {
			return
		}
		sw, err := swarm.New(g, swarm.Options{Mode: swarm.Both, Coins: c})
		if err == nil && !sw.Config(1).Derives() {
			t.Error("a completed configuration derives nothing")
		}
	})
}

// TestSaveLoad checks that a saved configuration comes back with the same features, whatever its
// coins.
func TestSaveLoad(t *testing.T) {
	for _, name := range grammars.Names() {
		g := grammars.Must(name)
		for _, o := range []swarm.Options{{Mode: swarm.Plain}, {Mode: swarm.Both, Measure: grammar.Exact}, {Mode: swarm.Down, Coins: coins(t, "* 2/3\n* members")}} {
			c := mustNew(t, g, o).Config(3)
			back, err := swarm.Load(g, c.Save())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if d := cmp.Diff(c.String(), back.String()); d != "" {
				t.Errorf("%s (-saved +loaded):\n%s", name, d)
			}
			again, err := swarm.Load(g, back.Save())
			if err != nil || again.Name() != back.Name() || !strings.HasPrefix(back.Name(), "file:") {
				t.Errorf("%s: saved again it is %q, then %q: %v", name, back.Name(), again.Name(), err)
			}
		}
	}
}

func TestLoadErrors(t *testing.T) {
	g := grammars.Must("lopsided")
	good := string(mustNew(t, g, swarm.Options{Mode: swarm.Plain}).Config(1).Save())
	for _, tc := range []struct{ old, new, want string }{
		{"{", "", "this is no saved swarm configuration"},
		{`"v": 1`, `"v": 2`, "the configuration has version 2, not 1; make it anew"},
		{`"start": "a"`, `"start": "b"`, "the configuration is for another grammar than lopsided from rule a"},
		{`"off": [`, `"off": ["z/9",`, `the configuration leaves out "z/9", which the grammar does not have`},
	} {
		_, err := swarm.Load(g, []byte(strings.Replace(good, tc.old, tc.new, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%s for %s: error %v", tc.new, tc.old, err)
		}
	}
}

func FuzzLoad(f *testing.F) {
	g := grammars.Must("lopsided")
	sw, err := swarm.New(g, swarm.Options{Mode: swarm.Plain})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sw.Config(1).Save())
	f.Add([]byte(`{"v":1}`))
	blind.Fuzz(f, func(t *testing.T, data []byte) {
		c, err := swarm.Load(g, data)
		if err != nil {
			return
		}
		if back, err := swarm.Load(g, c.Save()); err != nil || back.String() != c.String() {
			t.Errorf("it does not come back: %v", err)
		}
	})
}

// TestNames checks that a name stands for its configuration for good. Other coins are refused,
// and a seed's configuration must not change between versions without an entry in the changelog.
func TestNames(t *testing.T) {
	g := grammars.Must("lopsided")
	both := mustNew(t, g, swarm.Options{Mode: swarm.Both})
	want := "- a/0\n+ a/1\n+ b/0\n+ b/1\n- c/0\n+ c/1\n- d/0\n+ d/1\n+ e/0\n- e/1\n- f\n"
	for _, name := range []string{"77", "both:77"} {
		c, err := both.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, c.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	third := mustNew(t, g, swarm.Options{Mode: swarm.Down, Coins: coins(t, "* 1/3")})
	if got := third.Config(5).Name(); got != "down:5:p=1/3" {
		t.Error(got)
	}
	set := mustNew(t, g, swarm.Options{Mode: swarm.Down, Coins: coins(t, "a/0 1/3")})
	if _, err := set.Parse(set.Config(5).Name()); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"", "both:", "both:x", "plain:77", "both:77:p=1/3", set.Config(5).Name()} {
		if _, err := both.Parse(name); err == nil {
			t.Errorf("%q is read as a name", name)
		}
	}
}
