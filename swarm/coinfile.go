package swarm

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Coins says how likely each feature is. The zero value and nil mean ½ each.
type Coins struct {
	Default Coin
	set     []setting
	inside  []setting // token rules whose alternatives and class members are features; "*" is all
}

// setting is a line of a file of coins.
type setting struct {
	name string
	coin Coin
	pos  grammar.Pos
}

// ParseCoins reads a file of coins. Each line is a name and a value. The name * is
// every feature without a line of its own; a later line wins:
//
//	stmt      0.9         # every feature written in rule stmt
//	stmt/2    essential   # alternative 2, counted from 0: always in
//	stmt/Loop never       # the alternative labelled Loop: never in
//	*         1/3         # every other feature
//	OPERATOR  members     # alternatives and class members inside OPERATOR are features
//	*         members     # those of every token, and of classes of up to 256 members
//
// The error is a [grammar.Diagnostics] that lists every mistake.
func ParseCoins(file string, src []byte) (*Coins, error) {
	c := &Coins{}
	var ds grammar.Diagnostics
	for i, line := range strings.Split(string(src), "\n") {
		pos := grammar.Pos{File: file, Line: i + 1, Col: 1}
		fields := strings.Fields(uncomment(line))
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 {
			ds = append(ds, grammar.Diagnostic{Severity: grammar.Error, Pos: pos, Code: "coin-line",
				Message: fmt.Sprintf("a line is a name and a coin, not %d words", len(fields)), Hint: "write it as in: stmt/2 1/3"})
			continue
		}
		s := setting{name: fields[0], pos: pos}
		if fields[1] == "members" {
			c.inside = append(c.inside, s)
			continue
		}
		var err error
		if s.coin, err = ParseCoin(fields[1]); err != nil {
			pos.Col = strings.LastIndex(uncomment(line), fields[1]) + 1
			ds = append(ds, grammar.Diagnostic{Severity: grammar.Error, Pos: pos, Code: "coin-value", Message: err.Error()})
			continue
		}
		if s.name == "*" {
			c.Default = s.coin
			continue
		}
		c.set = append(c.set, s)
	}
	return c, ds.Err()
}

// uncomment cuts a comment off a line: a # at its beginning or after a space.
func uncomment(line string) string {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return line[:i]
		}
	}
	return line
}

// members reports whether the inside of a rule has features.
func (c *Coins) members(rule string) bool {
	return c != nil && (c.named(rule) || c.named("*"))
}

func (c *Coins) named(rule string) bool {
	for _, s := range c.inside {
		if s.name == rule {
			return true
		}
	}
	return false
}

// digest identifies the coins in a configuration's name; "" if none are set.
func (c *Coins) digest() string {
	if len(c.set)+len(c.inside) == 0 {
		return ""
	}
	h := sha256.New()
	for _, s := range c.set {
		fmt.Fprintln(h, s.name, s.coin)
	}
	for _, s := range c.inside {
		fmt.Fprintln(h, s.name, "members")
	}
	return hex.EncodeToString(h.Sum(nil))[:8]
}

// setCoins gives every feature its coin.
func (s *Swarm) setCoins() error {
	byKey := map[string][]*Feature{}
	for _, f := range s.features {
		f.coin = s.o.Coins.Default
		if f.coin.Den == 0 {
			f.coin = half
		}
		byKey[f.Name] = append(byKey[f.Name], f)
		if f.Name != f.Rule.Name {
			byKey[f.Rule.Name] = append(byKey[f.Rule.Name], f)
		}
		if l := f.label(); l != "" {
			byKey[f.Rule.Name+"/"+l] = append(byKey[f.Rule.Name+"/"+l], f)
		}
	}
	var ds grammar.Diagnostics
	for _, set := range s.o.Coins.set {
		if byKey[set.name] == nil {
			ds = append(ds, grammar.Diagnostic{Severity: grammar.Error, Pos: set.pos, Code: "no-feature",
				Message: fmt.Sprintf("the grammar has no feature %q that its start rule reaches", set.name),
				Hint:    "name a rule, or an alternative as in " + s.features[0].Name})
		}
		for _, f := range byKey[set.name] {
			f.coin = set.coin
		}
	}
	for _, in := range s.o.Coins.inside {
		if in.name != "*" && !hasInside(byKey[in.name]) {
			ds = append(ds, grammar.Diagnostic{Severity: grammar.Error, Pos: in.pos, Code: "no-members",
				Message: fmt.Sprintf("rule %q has no alternatives or class members to be features", in.name),
				Hint:    "name a rule that the start rule reaches and that has some"})
		}
	}
	return ds.Err()
}

func hasInside(fs []*Feature) bool {
	for _, f := range fs {
		if f.Expr != nil {
			return true
		}
	}
	return false
}
