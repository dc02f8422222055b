package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/internal/base/folder"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/predicate"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// predFlags are the flags of the predicate: a script, or a command and conditions on its result.
type predFlags struct {
	f              *flags
	pred           string
	command        []string // after --
	exit           int
	stdout, stderr string
	timeout        time.Duration
	cache          string
	bare           bool // the script gets no argument
	flaky          string
	also           int
	yes, asks      int // runs of flaky
}

// defaultTimeout is the default time limit of a predicate for one candidate.
const defaultTimeout = 10 * time.Second

func addPred(f *flags) *predFlags {
	p := &predFlags{f: f}
	f.StringVar(&p.pred, "pred", "", "the predicate: a `COMMAND`, a program with optional arguments")
	f.IntVar(&p.exit, "exit", 0, "without a script: keep candidates for which the command after -- ends with exit code `N`; 128+S where signal S ends it")
	f.StringVar(&p.stdout, "stdout", "", "without a script: keep candidates for which the output of the command after -- matches `REGEX`; ^ and $ are a line's")
	f.StringVar(&p.stderr, "stderr", "", "the same for standard error; `REGEX`")
	f.durationVar(&p.timeout, "timeout", defaultTimeout, "time of the predicate for one candidate")
	f.StringVar(&p.flaky, "flaky", "1/1", "a candidate is interesting if `K/N` runs of the predicate say so")
	f.IntVar(&p.also, "also-interesting", 0, "keep, in the folder of -o's name with .also, every input tried for which the predicate ends with exit code `N`")
	f.StringVar(&p.cache, "cache", "", "keep answers in the folder `DIR`: the same run, started again, resumes there")
	return p
}

// conditions reports whether the flags have conditions on the result of a command.
func (p *predFlags) conditions() bool {
	return p.f.Changed("exit") || p.f.Changed("stdout") || p.f.Changed("stderr")
}

func (p *predFlags) check() error {
	script, command := p.pred != "", len(p.command) > 0
	switch {
	case !script && !command && !p.conditions():
		return p.f.wrong("no predicate; give -pred ./check.sh, a program that says with exit code 0 that a candidate is interesting")
	case script && (command || p.conditions()):
		return p.f.wrong("-pred is a whole predicate; leave out --exit, --stdout, --stderr and the command after --, or -pred")
	case !script && !command:
		return p.f.wrong("--exit, --stdout and --stderr are about a command; give it at the end, {} for the candidate's file: -- CMD {}")
	case !script && !p.conditions():
		return p.f.wrong("the command after -- needs a condition; give --exit N, --stdout REGEX or --stderr REGEX")
	case p.timeout == 0:
		return p.f.wrong("--timeout must be positive")
	}
	if n, err := fmt.Sscanf(p.flaky+";", "%d/%d;", &p.yes, &p.asks); n != 2 || err != nil || p.yes < 1 || p.yes > p.asks {
		return p.f.wrong("--flaky %q is not K/N with K from 1 to N, such as 3/5", p.flaky)
	}
	return nil
}

// open makes the predicate; name is the file name of candidates, which may be texts of folders. A
// script is a path, or a program with arguments.
func (p *predFlags) open(name string, isFolder bool) (*target.Predicate, error) {
	cmd := target.Command{Args: p.args(), Name: name, Timeout: p.timeout, Reuse: true}
	if isFolder {
		cmd.Unpack = folder.MakeText
	}
	pred, err := p.make(cmd)
	if err != nil {
		return nil, err
	}
	// Folders of killed runs are removed, if possible.
	_, _ = target.Sweep("")
	pred.FollowTimeout()
	return pred, nil
}

func (p *predFlags) args() []string {
	if len(p.command) > 0 {
		return p.command
	}
	if _, err := os.Stat(p.pred); err == nil {
		return []string{p.pred}
	}
	return strings.Fields(p.pred)
}

func (p *predFlags) make(cmd target.Command) (*target.Predicate, error) {
	if len(cmd.Args) == 0 {
		return nil, p.f.wrong("-pred is empty")
	}
	if p.bare {
		cmd.Feed = target.FeedNamed
	}
	if p.pred != "" {
		return target.NewScript(cmd)
	}
	var want target.Match
	if p.f.Changed("exit") {
		want.Exit = &p.exit
	}
	for _, c := range []struct {
		flag, pattern string
		to            **regexp.Regexp
	}{{"stdout", p.stdout, &want.Stdout}, {"stderr", p.stderr, &want.Stderr}} {
		if !p.f.Changed(c.flag) {
			continue
		}
		re, err := regexp.Compile("(?m)" + c.pattern) // ^ and $ match at lines, as in grep
		if err != nil {
			return nil, p.f.wrong("--%s %q is not a regular expression: %v", c.flag, c.pattern, err)
		}
		*c.to = re
	}
	return target.NewMatch(cmd, want)
}

// openCache opens the answers to this predicate in the folder of --cache, nil without it. name is
// the file name of candidates.
func (p *predFlags) openCache(name string) (*reduce.FileCache, error) {
	if p.cache == "" {
		return nil, nil
	}
	c, err := predicate.OpenCache(p.cache, p.args(), fmt.Sprintf("%v %d %q %q %q %v %d/%d", p.conditions(), p.exit, p.stdout, p.stderr, name, p.bare, p.yes, p.asks))
	if err != nil {
		return nil, fmt.Errorf("%s: %w; check the path of --cache", p.cache, files.Plain(err))
	}
	return c, nil
}
