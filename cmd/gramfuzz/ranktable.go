package main

import (
	"context"
	"fmt"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/internal/records/canonical"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/texts"
)

// textsFlag chooses between derivations and distinct texts.
type textsFlag struct {
	f     *flags
	over  string
	tries int
}

func (f *flags) addOver() *textsFlag {
	o := &textsFlag{f: f}
	f.StringVar(&o.over, "over", "trees", "trees: each derivation is one; texts: each distinct text, in the order of the first tree of each")
	f.addTries(&o.tries)
	return o
}

// addTries adds the flag for the budget of drawing over texts.
func (f *flags) addTries(tries *int) {
	f.IntVar(tries, "tries", 0, fmt.Sprintf("with --over texts: look at no more than `N` trees for one text (default %d where they are drawn, %d where they are taken in order, some seconds of work where they are counted)",
		texts.DefaultTries, texts.DefaultWalk))
}

// texts reports whether the flags select texts, and sets the measure for them.
func (o *textsFlag) texts(b *boundFlags) (bool, error) {
	f := o.f
	switch {
	case o.over == "trees" && f.Changed("tries"):
		return false, f.wrong("--tries goes with --over texts")
	case o.over == "trees":
		return false, nil
	case o.over != "texts":
		return false, f.wrong("--over %s is unknown; give trees or texts", o.over)
	case f.Changed("measure") && b.measure != grammar.Exact.String():
		return false, f.wrong("--over texts counts texts, those of tokens too; leave --measure out")
	case f.Changed("tries") && o.tries < 1:
		return false, f.wrong("--tries %d is out of range; the least is 1", o.tries)
	}
	b.measure = grammar.Exact.String()
	return true, nil
}

// rankTable is the common part of the commands about ranks: a grammar, and the exact table of a
// bound.
type rankTable struct {
	f     *flags
	gf    *grammarFlags
	bf    *boundFlags
	json  bool
	zero  bool
	g     *grammar.Grammar
	table *count.Table

	over  *textsFlag
	texts *texts.Table // nil: over trees

	layoutName string
	layout     *derive.Layout // the layout of printed derivations
}

// addRankTable adds the flags for the grammar and the bound.
func (f *flags) addRankTable() *rankTable {
	t := &rankTable{f: f}
	t.gf = f.addGrammar()
	t.bf = f.addBound()
	t.over = f.addOver()
	return t
}

// addOutput adds the flags of printing sentences.
func (t *rankTable) addOutput() {
	t.f.StringVar(&t.layoutName, "layout", "tight", "between tokens: tight (only where they would join) or spaced (everywhere)")
	t.f.BoolVar(&t.json, "json", false, "print records (JSON, one on a line) instead of texts")
	t.f.BoolVarP(&t.zero, "null", "0", false, "end each sentence with a NUL byte instead of a line break")
}

// build loads the grammar and makes the table. b is the default bound.
func (t *rankTable) build(ctx context.Context, b count.Bound) error {
	given, err := t.bf.bound()
	if err != nil {
		return err
	}
	if given != (count.Bound{}) {
		b = given
	}
	if b == (count.Bound{}) {
		return t.f.wrong("no bound; give --depth D or --size N: a rank is a number among the sentences within it")
	}
	overTexts, err := t.over.texts(t.bf)
	if err != nil {
		return err
	}
	o, err := t.bf.options()
	if err != nil {
		return err
	}
	if t.g == nil {
		if t.g, err = t.gf.load(); err != nil {
			return err
		}
	}
	if fit, err := t.bf.of(t.g); err == nil && given != (count.Bound{}) {
		b = fit
	}
	if err := t.layOut(); err != nil {
		return err
	}
	line := t.f.progress("counting")
	defer line.End()
	o.Progress = line.Share
	if t.table, err = count.New(ctx, t.g, b, o); err != nil {
		return err
	}
	if overTexts {
		p, err := canonical.Parser(ctx, t.g, o.MaxMemory)
		if err != nil {
			return err
		}
		t.texts = texts.NewTable(p, t.table, t.layout)
		t.texts.MaxTries = t.over.tries
	}
	return nil
}

// append appends the derivation with a rank to dst, in the format of the flags.
func (t *rankTable) append(dst []byte, rank *big.Int) ([]byte, error) {
	tree, err := t.table.Unrank(rank)
	if err != nil {
		return dst, err
	}
	if tree, err = t.layout.Tree(tree, nil); err != nil {
		return dst, err
	}
	return t.appendTree(dst, tree, rank), nil
}

// appendTree appends a derivation to dst, in the format of the flags.
func (t *rankTable) appendTree(dst []byte, tree *derive.Tree, rank *big.Int) []byte {
	switch {
	case t.json:
		return append(t.record(tree, rank).Append(dst), '\n')
	case t.zero:
		return append(tree.AppendText(dst), 0)
	}
	return append(tree.AppendText(dst), '\n')
}

func (t *rankTable) record(tree *derive.Tree, rank *big.Int) *derive.Record {
	r := record.New(version(), refOf(t.gf.ref(), t.g), t.table.Bound(), t.table.Facts().Measure)
	r.Rank = rank.String()
	record.SetTree(&r, tree, t.table.Facts())
	if t.gf.alphabet != "ascii" {
		r.Alphabet = t.gf.alphabet
	}
	if lex.UsesLexer(t.g) {
		r.Layout = t.layoutName
	}
	if t.table.Names() != nil {
		if names, err := t.bf.namesOptions(); err == nil {
			r.Names = names.String()
		}
	}
	return &r
}

// parseRank reads a rank.
func parseRank(s string) (*big.Int, bool) {
	r, ok := new(big.Int).SetString(s, 10)
	return r, ok && r.Sign() >= 0
}

// layOut sets the layout of printed derivations. All are printed, also those that no lexer reads.
func (t *rankTable) layOut() error {
	p, err := record.ParseLayout(t.layoutName)
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
