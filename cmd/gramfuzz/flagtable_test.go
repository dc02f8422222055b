package main

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/gramfuzz/gramfuzz/internal/ui/manual"
)

// otherDefaults lists the flags whose default in a command differs from that of gen, or of the
// first command that has them, with the reason.
var otherDefaults = map[string]string{
	"coverage --kpath": "gen draws where it is 0",
	"dist --seed":      "a table without a seed is the same each time",
	"dist --strategy":  "several stand side by side, each within a bound",
	"enum --number":    "a list has an end",
	"explain --number": "a prediction is of what a test draws, not of a look",
	"fuzz --damage":    "what is nearly a sentence finds bugs, too",
	"fuzz --number":    "0 has no end",
	"reduce --jobs":    "a script may write to one place",
	"reduce --timeout": "a script takes longer than a program",
	"serve --damage":   "its mutants are for a campaign, see fuzz",
	"swarm --swarm":    "the command is about a configuration",
}

// TestFlagTable checks that a flag has the same letter, kind and default in every command, except
// for otherDefaults.
func TestFlagTable(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // with one processor, every --jobs has the default 1
	type form struct{ Letter, Kind, Default string }
	first, at := map[string]form{}, map[string]string{}
	other := map[string]bool{}
	commands := book().Commands
	if len(commands) < 20 {
		t.Fatalf("%d commands", len(commands))
	}
	slices.SortStableFunc(commands, func(a, b *manual.Command) int {
		return strings.Compare(strings.TrimPrefix(a.Name(), "gen"), strings.TrimPrefix(b.Name(), "gen"))
	})
	for _, c := range commands {
		c.Flags.VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s --%s says nothing", c.Name(), f.Name)
			}
			now := form{f.Shorthand, f.Value.Type(), strings.Trim(f.DefValue, "[]")}
			switch now.Kind {
			case "int", "uint64":
				now.Kind = "number"
			case "stringSlice":
				now.Kind = "string"
			}
			was, ok := first[f.Name]
			if !ok {
				first[f.Name], at[f.Name] = now, c.Name()
				return
			}
			name := c.Name() + " --" + f.Name
			if _, ok := otherDefaults[name]; ok && was.Default != now.Default {
				other[name] = true
				now.Default = was.Default
			}
			if d := cmp.Diff(was, now); d != "" {
				t.Errorf("%s is another flag than that of %s:\n%s", name, at[f.Name], d)
			}
		})
	}
	for name := range otherDefaults {
		if !other[name] {
			t.Errorf("%s has the default of the other commands", name)
		}
	}
}

// TestFlagValues checks that flags accept the values offered by completion.
func TestFlagValues(t *testing.T) {
	lines := map[string]string{
		"strategy": "gen -g tree -n 1", "swarm": "gen -g tree --size 1..9 -n 1", "layout": "gen -g tree --size 1..9 -n 1",
		"over": "gen -g tree --size 1..9 -n 1", "measure": "gen -g tree --size 1..9 -n 1", "unit": "gen -g tree --size 1..9 -n 1",
		"spread": "gen -g tree --size 1..9 -n 1", "names": "gen -g assign --size 1..9 -n 1", "alphabet": "gen -g tree -n 1",
		"case": "gen -g tree -n 1", "to": "convert -g tree", "by": "dist -g tree --size 1..9",
	}
	values := book().Values
	for flag, line := range lines {
		if len(values[flag]) < 2 {
			t.Errorf("--%s has the values %q", flag, values[flag])
		}
		for _, value := range values[flag] {
			var out, errs strings.Builder
			args := append(strings.Fields(line), "--"+flag, value)
			if code := cli(args, newStreams(nil, &out, &errs)); code != exitDone {
				t.Errorf("%s: exit code %d, %s", args, code, &errs)
			}
		}
	}
}
