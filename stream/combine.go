package stream

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// clashes lists the fields of a plan that exclude each other, with reasons. All other
// combinations are allowed. A condition is a field that is given ("mean"), one that is not
// ("!damage"), or the value of one, given or by default ("over=texts", "strategy=walk|limit",
// "strategy!=uniform"). A row refuses a plan for which both conditions hold. In a reason, {mean}
// stands for the field's name, {over=texts} for the field with that value, and {strategy=} for
// the field with the plan's value.
var clashes = slices.Concat([]clash{
	{"mean", "strategy!=boltzmann", "{mean} goes with {strategy=boltzmann} only"},
	{"strategy=boltzmann", "depth", "{strategy=boltzmann} goes by size; give {size} or {mean}, not {depth}"},
	{"strategy=limit", "size", "{strategy=limit} goes by depth; give {depth}, not {size}"},
	{"spread", "depth", "{spread} goes with a range of sizes; give {size=M..N}, not {depth}"},
	{"spread", "strategy=walk|limit|weighted|boltzmann|mixed|random-weights|broad", "{spread} goes with uniform or balanced sampling of a range of sizes; leave {strategy=} out"},
	{"mix", "strategy!=mixed", "{mix} has the generators of {strategy=mixed}; leave it out"},
	{"strategy=mixed|broad", "swarm", "{strategy=} does not go with a swarm over all; leave {swarm} out"},

	{"tries", "over!=texts", "{tries} goes with {over=texts}"},
	{"over=texts", "strategy!=uniform", "{over=texts} makes texts equally likely; leave {strategy=} out"},
	{"over=texts", "measure!=exact", "{over=texts} counts texts, those of tokens too; leave {measure} out"},
	{"over=texts", "spread!=count", "{over=texts} makes all texts of a range equally likely; leave {spread} out"},
	{"over=texts", "!bound", "{over=texts} needs a bound; give {depth=D} or {size=N}"},

	{"swarm.every", "config", "{swarm.every} goes with a new configuration now and then; {swarm=} is always the same"},
	{"swarm.coins", "saved", "{swarm.coins} goes with configurations that are drawn; {swarm=} has one that was"},
	{"words", "!damage", "{words} goes with {damage}; give a share, such as {damage=0.25}"},
	{"break", "damage", "{break} makes one field wrong, and {damage} changes anything; leave one of them out"},

	{"strength", "strategy!=balanced", "{strength} goes with {strategy=balanced} only"},
	{"containing", "strategy!=uniform", "{containing} draws uniformly; leave {strategy=} out"},
	{"containing", "over=texts", "{over=texts} keeps the first tree of a text, which need not have the parts; leave {containing} out"},

	{"kpath", "all", "{kpath} and {all} make two sets of sentences; leave one of them out"},
	{"all", "unit!=terminals", "{all} goes with sizes in terminals; leave {unit=} out"},
	{"all", "size=0", "{all} needs terminals; give a larger {size}, or none"},
	{"kpath", "bound", "{kpath} makes a fixed set of sentences; leave the bound out"},
	{"seeds", "bound", "subtrees of {seeds} have any size; leave the bound out"},
	{"seeds", "distinct", "with subtrees of {seeds} sentences may repeat; leave {distinct} out"},
	{"seeds", "over=texts", "{over=texts} makes texts equally likely; leave {seeds} out"},
	{"seeds", "swarm", "a swarm leaves out what subtrees of {seeds} may have; leave {swarm} out"},
	{"seeds", "containing", "a subtree of {seeds} may replace the parts; leave {containing} out"},
}, fixedSet("kpath"), fixedSet("all"))

// clash is a row of clashes.
type clash struct{ a, b, why string }

// fixedSet returns the rows of a field that replaces drawing by a set of sentences.
func fixedSet(field string) (list []clash) {
	for _, c := range []struct{ given, what string }{
		{"over=texts", "{over}"}, {"depth", "{depth}"}, {"mean", "{mean}"}, {"strategy!=uniform", "{strategy}"}, {"distinct", "{distinct}"}, {"shard", "{shard}"},
		{"swarm", "{swarm}"}, {"names", "{names}"}, {"measure=exact", "{measure}"}, {"spread", "{spread}"}, {"containing", "{containing}"}, {"settled", "{settled}"}, {"seeds", "{seeds}"},
	} {
		list = append(list, clash{field, c.given, "{" + field + "} makes a fixed set of sentences; leave " + c.what + " out"})
	}
	return list
}

// value returns the value of a field that clashes names: the default where it is not given. given
// says whether it is.
func (p *Plan) value(field string) (value string, given bool) {
	is := func(v bool) (string, bool) { return strconv.FormatBool(v), v }
	byDefault := func(v, or string) (string, bool) {
		if v == "" {
			return or, false
		}
		return v, true
	}
	w := p.Swarm
	if w == nil {
		w = &SwarmPlan{}
	}
	b := p.Bound
	sized := b.Depth == 0 && (b.Unit != "" || b.Max > 0)
	switch field {
	case "bound":
		return is(b.Depth > 0 || sized)
	case "depth":
		return is(b.Depth > 0)
	case "size":
		if sized {
			return strconv.Itoa(b.Max), true
		}
		return "", false
	case "unit":
		return byDefault(b.Unit, "terminals")
	case "spread":
		return byDefault(b.Spread, p.spread())
	case "mean":
		return is(b.Mean != 0)
	case "measure":
		return byDefault(p.Measure, p.measure())
	case "strategy":
		return byDefault(p.Strategy, "uniform")
	case "mix":
		return is(p.Mix != nil)
	case "names":
		return byDefault(p.Names, "pool")
	case "layout":
		return byDefault(p.Layout, "tight")
	case "over":
		return byDefault(p.Over, overTrees)
	case "tries":
		return is(p.Tries != 0)
	case "swarm":
		return byDefault(cmp.Or(w.Config, w.Mode), "off")
	case "config":
		return is(p.Swarm.one())
	case "saved":
		return is(w.Saved != "")
	case "swarm.every":
		return is(w.Every != 0)
	case "swarm.coins":
		return is(w.Coins != "")
	case "distinct":
		return is(p.Distinct)
	case "kpath":
		return is(p.KPath != 0)
	case "all":
		return is(p.All)
	case "strength":
		return is(p.Strength != 0)
	case "containing":
		return is(p.Containing != "")
	case "seeds":
		return is(p.Seeds != nil)
	case "settled":
		return is(p.Settled)
	case "shard":
		return is(p.Shards > 1)
	case "damage":
		return is(p.Damage != 0)
	case "break":
		return is(p.Break != 0)
	case "words":
		return is(p.Words != nil)
	}
	panic("stream: no field " + field)
}

// holds reports whether a condition of clashes holds.
func (p *Plan) holds(condition string) bool {
	if field, want, ok := strings.Cut(condition, "!="); ok {
		v, _ := p.value(field)
		return v != want
	}
	if field, want, ok := strings.Cut(condition, "="); ok {
		v, _ := p.value(field)
		return slices.Contains(strings.Split(want, "|"), v)
	}
	field, not := strings.CutPrefix(condition, "!")
	_, given := p.value(field)
	return given != not
}

var placeholder = regexp.MustCompile(`\{([a-z.]+)(=?)([^}]*)\}`)

// combine refuses a plan with fields that exclude each other. name names the fields.
func (p *Plan) combine(name func(field, value string) string) error {
	for _, c := range clashes {
		if p.holds(c.a) && p.holds(c.b) {
			return errors.New(placeholder.ReplaceAllStringFunc(c.why, func(s string) string {
				m := placeholder.FindStringSubmatch(s)
				value := m[3]
				if m[2] == "=" && value == "" {
					value, _ = p.value(m[1])
				}
				return name(m[1], value)
			}))
		}
	}
	return nil
}
