// Package canonical recognises the first tree of each text, its canonical one.
//
//	p, err := canonical.Parser(ctx, g, memory)
//	s := canonical.Search{Parser: p, Within: within}
//	ok, err := s.Accept(ctx, tree) // tree is the first one of its text
package canonical

import (
	"cmp"
	"context"
	"fmt"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/parse"
)

// share is the inverse of the fraction of the memory that the trees of one text may take. A
// parser needs seconds to fill it.
const share = 8

// Parser returns a parser for the search of first trees, with part of the memory that tables may
// take; 0 is the default of package count.
func Parser(ctx context.Context, g *grammar.Grammar, memory int64) (*parse.Parser, error) {
	return parse.New(ctx, g, parse.Options{MaxMemory: cmp.Or(memory, count.DefaultMaxMemory) / share})
}

// MaxWork bounds the parts of forests that are visited for one text, some seconds of work: if
// texts have very many trees, a few texts cost that much.
const MaxWork = 3_000_000

// Search finds first trees. It is for one goroutine.
type Search struct {
	Parser *parse.Parser
	Within parse.Within
	Tries  int // the limit of trees in a row that are not first; 0: none

	tries, work int // since the last first tree
}

// Accept reports whether a tree is the first one of its text. It fails with [TooAmbiguous] after
// too many other trees, and the next call begins another search.
func (s *Search) Accept(ctx context.Context, t *derive.Tree) (bool, error) {
	if s.Tries > 0 && s.tries == s.Tries || s.work > MaxWork {
		err := TooAmbiguous(s.tries)
		s.tries, s.work = 0, 0
		return false, err
	}
	ok, work, err := s.Parser.IsFirst(ctx, t, s.Within)
	s.tries, s.work = s.tries+1, s.work+work
	if ok {
		s.tries, s.work = 0, 0
	}
	return ok, err
}

// TooAmbiguous is the error that none of the tried trees is the first one of its text: a text has
// too many trees.
func TooAmbiguous(tried int) error {
	return fmt.Errorf("of %d trees none is the canonical one of its text: the grammar is too ambiguous within this bound; "+
		"take a smaller bound, allow more --tries, or draw over trees", tried)
}
