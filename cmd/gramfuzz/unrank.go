package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/base/files"
)

const unrankAbout = `
Print the sentences that have the given ranks within a bound. Without ranks they
are read from standard input, one on a line. With --over texts a rank is the
number of a distinct text, as enum lists them.`

func runUnrank(ctx context.Context, args []string, std streams) error {
	f := newFlags(std, "unrank -g GRAMMAR (--depth D | --size N) [flags] [RANK...]", unrankAbout)
	t := f.addRankTable()
	t.addOutput()
	f.addQuiet()
	if err := f.parse(args, -1); err != nil {
		return err
	}
	if err := t.build(ctx, count.Bound{}); err != nil {
		return err
	}
	var ranks io.Reader = strings.NewReader(strings.Join(f.Args(), "\n"))
	if f.NArg() == 0 {
		in, err := std.input("the ranks")
		if err != nil {
			return err
		}
		ranks = in
	}
	out, err := create(std, "")
	if err != nil {
		return err
	}
	line := f.progressBeside("looking", true)
	defer line.End()
	lines := bufio.NewScanner(ranks)
	lines.Buffer(nil, maxRankDigits)
	var buf []byte
	for lines.Scan() {
		if err := ctx.Err(); err != nil {
			return err
		}
		word := strings.TrimSpace(lines.Text())
		if word == "" {
			continue
		}
		rank, ok := parseRank(word)
		if !ok {
			return fmt.Errorf("%.40q is not a rank; write a decimal number", word)
		}
		if t.texts != nil {
			var tree *derive.Tree
			if tree, err = t.texts.Unrank(ctx, rank); err == nil {
				buf, err = t.appendText(buf[:0], tree)
			}
		} else {
			buf, err = t.append(buf[:0], rank)
		}
		if err != nil {
			return err
		}
		if _, err := out.Write(buf); err != nil {
			return files.WriteError("", err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading ranks: %w", files.Plain(err))
	}
	return out.Finish()
}

// maxRankDigits bounds the length of a rank; no table has longer ones.
const maxRankDigits = 1 << 24
