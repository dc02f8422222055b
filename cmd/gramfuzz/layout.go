package main

import (
	"fmt"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// parseLayout reads the name of a layout; "" is tight.
func parseLayout(name string) (derive.LayoutPolicy, error) {
	for _, p := range []derive.LayoutPolicy{derive.Tight, derive.Spaced, derive.Random} {
		if p.String() == name || name == "" {
			return p, nil
		}
	}
	return 0, fmt.Errorf("there is no layout %q; there are tight, spaced and random", name)
}

// layoutOf returns the layout that a record's text has. A record that names none
// has none.
func layoutOf(g *grammar.Grammar, rec *derive.Record) (*derive.Layout, error) {
	if rec.Layout == "" {
		return nil, nil
	}
	p, err := parseLayout(rec.Layout)
	if err != nil {
		return nil, err
	}
	return derive.NewLayout(g, p)
}

// recordMachine returns a machine that makes the sentence of a record again.
func recordMachine(g *grammar.Grammar, rec *derive.Record) (*derive.Machine, error) {
	layout, err := layoutOf(g, rec)
	if err != nil {
		return nil, err
	}
	o, err := gctx.ParseOptions(rec.Names)
	if err != nil {
		return nil, err
	}
	names, err := gctx.New(g, o)
	if err != nil {
		return nil, err
	}
	return gctx.Machine(g, names, derive.Options{Layout: layout})
}

// layOut prepares how derivations are printed: all of them, those too that no
// lexer reads.
func (t *rankTable) layOut() error {
	p, err := parseLayout(t.layoutName)
	if err != nil {
		return t.f.wrong("%v", err)
	}
	if p == derive.Random {
		return t.f.wrong("--layout random goes with gen; a rank has one text")
	}
	l, err := derive.NewLayout(t.g, p)
	t.layout = l.Lenient()
	return err
}
