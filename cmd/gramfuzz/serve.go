package main

import (
	"context"
	"fmt"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/stream"
)

const serveAbout = `
Make mutants for other fuzzers: texts that arrive through a socket are parsed,
changed as trees, and returned as sentences of the grammar. A quarter of them is
damaged then, so that the program's handling of errors is tested too; --damage 0
leaves all as they are. For AFL++ compile the output of --print-mutator as a custom
mutator:

  gramfuzz serve --print-mutator > mutator.c
  cc -shared -fPIC -O2 -o gramfuzz-mutator.so mutator.c
  GRAMFUZZ_SOCKET=SOCKET AFL_CUSTOM_MUTATOR_LIBRARY=./gramfuzz-mutator.so \
    AFL_CUSTOM_MUTATOR_ONLY=1 AFL_DISABLE_TRIM=1 afl-fuzz -i seeds -o out -- ./program

AFL++ 4.40c needs AFL_FRAMESHIFT_DISABLE=1 as well: it has a stage that changes texts
byte by byte. 4.04c, of Debian 12, warns of that variable, which it does not know.

It ends with Ctrl-C.`

func runServe(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "serve -g GRAMMAR --socket PATH [flags]", serveAbout)
	g := f.addGrammar()
	path := f.String("socket", "", "the `PATH` of the socket; one left there by an earlier serve is replaced")
	var m mutatorFlags
	m.add(f, stream.DefaultDamage, "the same seed and requests give the same mutants; random when not given")
	source := f.Bool("print-mutator", false, "print the C source of the custom mutator for AFL++, and exit")
	f.addQuiet()
	if err := f.parse(args, 0); err != nil {
		return err
	}
	if *source {
		return std.print(campaign.MutatorSource)
	}
	if *path == "" {
		return f.wrong("no socket; name its path with --socket")
	}
	o, err := m.options(f)
	if err != nil {
		return err
	}
	loaded, err := g.load()
	if err != nil {
		return err
	}
	l, err := campaign.Listen(*path)
	if err != nil {
		return fmt.Errorf("--socket %s: %w", *path, err)
	}
	f.note("mutants of %s at GRAMFUZZ_SOCKET=%s; seed %d", loaded.Name, *path, o.Seed)
	if err := campaign.Serve(ctx, l, loaded, o); err != nil {
		return err
	}
	return ctx.Err()
}

// mutatorFlags are the flags of the mutator for other fuzzers.
type mutatorFlags struct {
	damageFlags
	seed uint64
}

// add adds the flags. share is the default share of damage. usage is that of --seed.
func (m *mutatorFlags) add(f *flags, share float64, usage string) {
	m.damageFlags.add(f, share)
	f.Uint64Var(&m.seed, "seed", 0, usage)
}

// options checks and returns the options. The seed is random if none is given.
func (m *mutatorFlags) options(f *flags) (campaign.MutatorOptions, error) {
	if err := m.check(f); err != nil {
		return campaign.MutatorOptions{}, err
	}
	words, err := m.words()
	return campaign.MutatorOptions{Seed: f.seedOrRandom(m.seed), Damage: m.share, Words: words}, err
}
