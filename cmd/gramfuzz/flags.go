package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
)

// errHelp is the error of a command that only printed its help.
var errHelp = errors.New("help")

// flags is the flag set of one command.
type flags struct {
	*pflag.FlagSet
	usage string // "gen -g GRAMMAR [flags]"
	about string // the description, printed below the usage
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

// addJSON adds --json, which prints what as one JSON object.
func (f *flags) addJSON(what string) *bool {
	return f.Bool("json", false, "print "+what+", as one JSON object")
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
	case errors.Is(err, pflag.ErrHelp) && f.std.help != nil:
		f.std.help(f)
		return errHelp
	case errors.Is(err, pflag.ErrHelp):
		if _, err := io.WriteString(f.std.out, f.help(slices.Contains(args, "all"))); err != nil {
			return files.WriteError("", err)
		}
		return errHelp
	case err != nil:
		return f.flagError(err)
	case max >= 0 && f.NArg() > max:
		return f.wrong("%q is one argument too many", f.Arg(max))
	}
	if fl := f.Lookup("max-memory"); fl != nil && f.std.limitMemory != nil {
		f.std.limitMemory(int64(*fl.Value.(*words.Bytes)) + 32<<20) // the program's own beside it
	}
	return nil
}

// wrong is an error in how the command is used.
func (f *flags) wrong(format string, a ...any) error {
	msg := fmt.Sprintf(format, a...)
	if strings.Contains(msg, "; ") {
		return errors.New(msg)
	}
	return fmt.Errorf("%s; gramfuzz %s --help lists the flags", msg, f.name())
}

// flagError rephrases an error of pflag, with a suggestion if it has one.
func (f *flags) flagError(err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		f.VisitAll(func(fl *pflag.Flag) { names = append(names, fl.Name) })
		name := unknown.GetSpecifiedName()
		if near := words.Nearest(name, names); len(name) > 1 && near != "" {
			return f.wrong("unknown flag --%s; did you mean --%s?", name, near)
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
	f.Var((*words.Duration)(p), name, usage)
}
