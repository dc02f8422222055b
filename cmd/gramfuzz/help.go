package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// everyday are the flags that the help of a command with many shows, the most used first; fuzz has a list of its own.
const (
	everyday     = "grammar number depth size seed strategy swarm pred to out json jobs time timeout quiet"
	everydayFuzz = "grammar out seeds guide time timeout jobs seed isolate hub"
)

// headings are the headings of the list of all flags, in order. A flag that stands under none is one of
// its command alone.
var headings = []struct{ title, flags string }{
	{"reading the grammar", "grammar start format alphabet case"},
	{"which sentences", "number depth repeat size unit measure names pool spread over distinct containing shard settled tries seeds all-alternatives kpath"},
	{"how to draw", "seed strategy strength mean layout swarm swarm-p swarm-every damage dict break plan guide"},
	{"output", "out json null hex quiet print-plan svg"},
	{"limits", "time timeout jobs max-memory max-bytes"},
}

// mostEveryday is how many flags the help of a command shows that has more than a few.
const mostEveryday = 10

// help returns the help of the command: its everyday flags, or all.
func (f *flags) help(all bool) string {
	var names []string
	f.VisitAll(func(fl *pflag.Flag) {
		if !fl.Hidden {
			names = append(names, fl.Name)
		}
	})
	var b strings.Builder
	fmt.Fprintf(&b, "usage: gramfuzz %s\n\n%s\n", f.usage, strings.TrimSpace(f.about))
	list := func(title string, some []string) {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		for _, name := range some {
			if slices.Contains(names, name) {
				set.AddFlag(f.Lookup(name))
			}
		}
		if set.HasFlags() {
			fmt.Fprintf(&b, "\n%s:\n%s", title, set.FlagUsages())
		}
	}
	switch {
	case len(names) <= mostEveryday+mostEveryday/2:
		list("flags", names)
	case !all:
		some := strings.Fields(everyday)
		if f.name() == "fuzz" {
			some = strings.Fields(everydayFuzz)
		}
		some = slices.DeleteFunc(some, func(name string) bool { return !slices.Contains(names, name) })
		list("flags of everyday use", some[:min(len(some), mostEveryday)])
		fmt.Fprintf(&b, "\ngramfuzz %s --help all lists all %d flags.\n", f.name(), len(names))
	default:
		own := slices.Clone(names)
		for _, h := range headings {
			own = slices.DeleteFunc(own, func(name string) bool { return slices.Contains(strings.Fields(h.flags), name) })
		}
		list("of "+f.name(), own)
		for _, h := range headings {
			list(h.title, strings.Fields(h.flags))
		}
	}
	return b.String()
}

// name is the name of the command.
func (f *flags) name() string {
	name, _, _ := strings.Cut(f.usage, " ")
	return name
}
