package main

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/parse"
)

const enumAbout = `
Print the sentences within a bound in the order of their ranks, each derivation
once; with --over texts each distinct text once, in the order of the first
derivation of each. With measure structure (the default) a token has its least text;
--measure exact enumerates the texts of tokens too.`

func runEnum(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "enum -g GRAMMAR (--depth D | --size N) [flags]", enumAbout)
	from := f.String("from", "0", "the first `RANK`")
	n := f.Uint64P("number", "n", 0, "the number of sentences; all the rest when not given")
	t := f.addRankTable()
	t.addOutput()
	shard := f.String("shard", "", "part `I/K`, I from 0: the ranks that are I modulo K; the K parts are disjoint")
	f.addQuiet()
	if err := f.parse(args, 0); err != nil {
		return err
	}
	rank, ok := parseRank(*from)
	if !ok {
		return f.wrong("--from %s is not a rank; write a decimal number", *from)
	}
	part, parts := 0, 1
	if f.Changed("shard") {
		var err error
		if part, parts, err = parseShard(*shard); err != nil {
			return f.wrong("%v", err)
		}
		if t.over.over == "texts" && f.Changed("from") {
			return f.wrong("--from N is a number among all texts; leave --shard out")
		}
	}
	if err := t.build(ctx, count.Bound{}); err != nil {
		return err
	}
	if rank.Cmp(t.table.Total()) >= 0 {
		return &count.RankError{Rank: rank, Total: t.table.Total()}
	}
	out, err := create(std, "")
	if err != nil {
		return err
	}
	most := uint64(math.MaxUint64)
	if f.Changed("number") {
		most = *n
	}
	line, made := f.progressBeside("listing", true), uint64(0)
	defer line.End()
	print := func(sentence []byte) error {
		made++
		line.Done(made, *n)
		if _, err := out.Write(sentence); err != nil {
			return files.WriteError("", err)
		}
		return nil
	}
	if t.texts != nil {
		if err := t.tellCost(ctx); err != nil {
			return err
		}
		err = t.enumTexts(print, t.texts.Shard(ctx, part, parts), rank, most)
	} else {
		err = t.enumTrees(ctx, print, rank, part, parts, most)
	}
	if err != nil {
		return err
	}
	return out.Finish()
}

// enumTrees prints the derivations from a rank on, of one shard.
func (t *rankTable) enumTrees(ctx context.Context, print func([]byte) error, rank *big.Int, part, parts int, n uint64) error {
	apart := big.NewInt(int64(parts))
	skip := new(big.Int).Sub(big.NewInt(int64(part)), rank)
	rank.Add(rank, skip.Mod(skip, apart))
	var buf []byte
	var err error
	for i := uint64(0); i < n && rank.Cmp(t.table.Total()) < 0; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if buf, err = t.append(buf[:0], rank); err != nil {
			return err
		}
		if err := print(buf); err != nil {
			return err
		}
		rank.Add(rank, apart)
	}
	return nil
}

// enumTexts prints n texts, from a number on.
func (t *rankTable) enumTexts(print func([]byte) error, all iter.Seq2[*derive.Tree, error], from *big.Int, n uint64) error {
	var buf []byte
	number := new(big.Int)
	for tree, err := range all {
		if err != nil || n == 0 {
			return err
		}
		if number.Cmp(from) >= 0 {
			if buf, err = t.appendText(buf[:0], tree); err != nil {
				return err
			}
			if err := print(buf); err != nil {
				return err
			}
			n--
		}
		number.Add(number, big.NewInt(1))
	}
	return nil
}

// appendText appends the canonical tree of a text.
func (t *rankTable) appendText(dst []byte, tree *derive.Tree) ([]byte, error) {
	rank, err := t.table.Rank(tree)
	if err != nil {
		return dst, err
	}
	return t.appendTree(dst, tree, rank), nil
}

// estimateTries is the number of trees from which the cost of a text is estimated.
const estimateTries = 500

// tellCost reports the cost of a text if it is high.
func (t *rankTable) tellCost(ctx context.Context) error {
	kept, err := t.texts.Estimate(ctx, estimateTries)
	switch {
	case errors.Is(err, parse.ErrUndecided): // the listing itself need not ask
	case err != nil:
		return err
	case kept == 0:
		t.f.note("of %d trees none is the first one of its text; this may take long, or end with no answer", estimateTries)
	case kept < 0.5:
		t.f.note("a text takes about %.0f trees: the grammar is ambiguous", math.Ceil(1/kept))
	}
	return nil
}
