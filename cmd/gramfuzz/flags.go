package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gramfuzz/gramfuzz/internal/similar"
)

// errHelp is the error of a command that only printed its help.
var errHelp = errors.New("help")

// flags is the flag set of one command.
type flags struct {
	*pflag.FlagSet
	usage string // "gen -g GRAMMAR [flags]"
	about string // what the command does, printed below the usage
	std   streams
	quiet bool
}

// newFlags returns a flag set with the flags that every command has.
func newFlags(std streams, usage, about string) *flags {
	f := &flags{FlagSet: pflag.NewFlagSet(usage, pflag.ContinueOnError), usage: usage, about: about, std: std}
	f.SortFlags = false
	f.Usage = func() {}
	return f
}

// addQuiet adds -q.
func (f *flags) addQuiet() {
	f.BoolVarP(&f.quiet, "quiet", "q", false, "print results and errors only")
}

// note prints a message on standard error unless -q is given.
func (f *flags) note(format string, a ...any) {
	if !f.quiet {
		f.std.note(format, a...)
	}
}

// parse parses the arguments. It takes -word for --word. At most max arguments may
// be no flags; max < 0 allows any number.
func (f *flags) parse(args []string, max int) error {
	err := f.Parse(f.doubled(args))
	switch {
	case errors.Is(err, pflag.ErrHelp):
		if _, err := fmt.Fprintf(f.std.out, "usage: gramfuzz %s\n\n%s\n\nflags:\n%s", f.usage, strings.TrimSpace(f.about), f.FlagUsages()); err != nil {
			return writeError("", err)
		}
		return errHelp
	case err != nil:
		return f.flagError(err)
	case max >= 0 && f.NArg() > max:
		return f.wrong("%q is one argument too many", f.Arg(max))
	}
	return nil
}

// wrong is an error in how the command is used.
func (f *flags) wrong(format string, a ...any) error {
	name, _, _ := strings.Cut(f.usage, " ")
	msg := fmt.Sprintf(format, a...)
	if strings.Contains(msg, "; ") {
		return errors.New(msg)
	}
	return fmt.Errorf("%s; gramfuzz %s --help lists the flags", msg, name)
}

// flagError rephrases an error of pflag, with a suggestion if it has one.
func (f *flags) flagError(err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		f.VisitAll(func(fl *pflag.Flag) { names = append(names, fl.Name) })
		name := unknown.GetSpecifiedName()
		if near := similar.Nearest(name, names); len(name) > 1 && near != "" {
			return f.wrong("there is no flag --%s; did you mean --%s?", name, near)
		}
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		why := errors.Unwrap(invalid).Error()
		switch invalid.GetFlag().Value.Type() {
		case "int", "int64", "uint64":
			why = "write a whole number such as 100"
		case "float64":
			why = "write a number such as 0.5"
		case "bool":
			why = "write true or false, or the flag alone"
		}
		if errors.Is(err, strconv.ErrRange) {
			why = "the number is too large"
		}
		return f.wrong("invalid argument %q for --%s; %s", invalid.GetValue(), invalid.GetFlag().Name, why)
	}
	return f.wrong("%v", err)
}

// doubled writes the long flags that have one dash with two.
func (f *flags) doubled(args []string) []string {
	out := make([]string, len(args))
	copy(out, args)
	for i, a := range out {
		if a == "--" {
			break
		}
		if len(a) < 3 || a[0] != '-' || a[1] == '-' {
			continue
		}
		name, _, _ := strings.Cut(a[1:], "=")
		if name == "help" || len(name) > 1 && f.Lookup(name) != nil {
			out[i] = "-" + a
		}
	}
	return out
}

// seedOrRandom returns the value of --seed, or a random seed if it is not given.
func (f *flags) seedOrRandom(seed uint64) uint64 {
	if f.Changed("seed") {
		return seed
	}
	return rand.Uint64() >> 11 // every reader of JSON keeps 53 bits
}

// durationVar is pflag's DurationVar, with a bare number for seconds.
func (f *flags) durationVar(p *time.Duration, name string, value time.Duration, usage string) {
	*p = value
	f.Var((*durationValue)(p), name, usage)
}

// durationValue is a flag for a time: 90, 1.5, 10s, 5m.
type durationValue time.Duration

func (d *durationValue) Set(s string) error {
	if v, err := strconv.ParseFloat(s, 64); err == nil && v >= 0 && v < 1<<33 {
		*d = durationValue(v * float64(time.Second))
		return nil
	}
	v, err := time.ParseDuration(s)
	if err != nil || v < 0 {
		return errors.New("write a time such as 10s or 5m; a number alone is seconds")
	}
	*d = durationValue(v)
	return nil
}

func (d *durationValue) String() string {
	if *d == 0 {
		return "0"
	}
	return time.Duration(*d).String()
}

func (d *durationValue) Type() string { return "duration" }

// bytesValue is a flag for a number of bytes: 4096, 64KiB, 2GiB.
type bytesValue int64

func (b *bytesValue) Set(s string) error {
	number, factor := s, int64(1)
	for _, unit := range []struct {
		name   string
		factor int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1}} {
		if n := len(s) - len(unit.name); n > 0 && strings.EqualFold(s[n:], unit.name) {
			number, factor = strings.TrimSpace(s[:n]), unit.factor
			break
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v >= 1) || v*float64(factor) > 1<<62 {
		return fmt.Errorf("write a number of bytes such as 4096, 64KiB or 2GiB")
	}
	*b = bytesValue(v * float64(factor))
	return nil
}

func (b *bytesValue) String() string {
	v, u := int64(*b), 0
	units := []string{"", "KiB", "MiB", "GiB", "TiB"}
	for v != 0 && v%1024 == 0 && u < len(units)-1 {
		v, u = v/1024, u+1
	}
	return strconv.FormatInt(v, 10) + units[u]
}

func (b *bytesValue) Type() string { return "bytes" }
