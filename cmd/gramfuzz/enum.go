package main

import (
	"context"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
)

const enumAbout = `
Print the sentences within a bound in the order of their ranks, each derivation
once. With measure structure (the default) a token stands with its least text;
--measure exact enumerates the texts of tokens too.`

func runEnum(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "enum -g GRAMMAR (--depth D | --size N) [flags]", enumAbout)
	from := f.String("from", "0", "the `RANK` to begin with")
	n := f.Uint64P("number", "n", 0, "how many sentences; all that are left when not given")
	t := f.addTabled()
	t.addOutput()
	f.addQuiet()
	if err := f.parse(args, 0); err != nil {
		return err
	}
	rank, ok := parseRank(*from)
	if !ok {
		return f.wrong("--from %s is no rank; write a decimal number", *from)
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
	one := big.NewInt(1)
	var buf []byte
	for i := uint64(0); (i < *n || !f.Changed("number")) && rank.Cmp(t.table.Total()) < 0; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if buf, err = t.append(buf[:0], rank); err != nil {
			return err
		}
		if _, err := out.Write(buf); err != nil {
			return writeError("", err)
		}
		rank.Add(rank, one)
	}
	return out.finish()
}
