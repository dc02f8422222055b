package main

import (
	"github.com/gramfuzz/gramfuzz/internal/base/files"
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

// check returns an error if the share is out of range.
func (d *damageFlags) check(f *flags) error {
	if d.share < 0 || d.share > 1 {
		return f.wrong("--damage %v is not a share; give a number from 0 to 1", d.share)
	}
	return nil
}

// words reads the dictionary, if one is given.
func (d *damageFlags) words() ([]string, error) {
	if d.dict == "" {
		return nil, nil
	}
	src, err := files.Read(d.dict, maxInput)
	if err != nil {
		return nil, err
	}
	words, err := mutate.ParseDictionary(d.dict, src)
	if words == nil {
		words = []string{}
	}
	return words, err
}
