package main

import (
	"context"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/readfile"
	"github.com/gramfuzz/gramfuzz/internal/record"
	"github.com/gramfuzz/gramfuzz/mutate"
)

// damageFlags are the flags of changes below the grammar.
type damageFlags struct {
	share float64
	dict  string
}

// add adds the flags, with the default share.
func (d *damageFlags) add(f *flags, share float64) {
	f.Float64Var(&d.share, "damage", share, "change this share `P` (0 to 1) of the sentences a little: words dropped, doubled, swapped, cut, foreign bytes")
	f.StringVar(&d.dict, "dict", "", "with --damage: take words from `FILE`, a dictionary as afl-fuzz -x reads it")
}

// damager returns the damager of the flags, nil if they ask for none.
func (d *damageFlags) damager(f *flags, g *grammar.Grammar) (*mutate.Damager, error) {
	if d.dict != "" && d.share == 0 {
		return nil, f.wrong("--dict goes with --damage; give a share, such as --damage 0.25")
	}
	words, err := d.words()
	if err != nil {
		return nil, err
	}
	made, err := mutate.New(mutate.Options{Share: d.share, Words: words, Grammar: g})
	if err != nil {
		return nil, f.wrong("--damage: %v", err)
	}
	if d.share == 0 {
		return nil, nil
	}
	return made, nil
}

// words reads the dictionary, if one is given.
func (d *damageFlags) words() ([]string, error) {
	if d.dict == "" {
		return nil, nil
	}
	src, err := readfile.Bounded(d.dict, maxInput)
	if err != nil {
		return nil, err
	}
	return mutate.ParseDictionary(d.dict, src)
}

// damaged returns a drawer's Append followed by the damage.
func (j *genJob) damaged(src drawer) func(context.Context, []byte, uint64) ([]byte, error) {
	var text []byte
	return func(ctx context.Context, dst []byte, i uint64) (_ []byte, err error) {
		if text, err = src.Append(ctx, text[:0], i); err != nil {
			return dst, err
		}
		dst, _ = j.damager.Append(dst, text, j.record.Seed, i)
		return dst, nil
	}
}

// damageRecord changes the text of the record of sentence i and records how.
func (j *genJob) damageRecord(rec *derive.Record, i uint64) {
	rec.Edits = nil
	if j.damager == nil {
		return
	}
	text, _ := j.damager.Append(nil, rec.Text, j.record.Seed, i)
	record.SetText(rec, text)
}
