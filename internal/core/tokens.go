package core

import (
	"context"
	"fmt"
	"math/big"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// TokenSlack is the greatest length of a token's text above its least, in bytes, where tokens are
// leaves (measure structure).
const TokenSlack = 12

// Texts counts the inner derivations of a token by length. Where tokens are leaves, a token's
// text is drawn from them: first its length, each occurring length being equally likely, then one
// derivation of that length. The lengths are those from the least to the least + [TokenSlack]
// bytes that occur.
type Texts struct {
	Program *Program
	Table   *Table
	Lengths []int // ascending; never empty
}

// findTexts makes the tables of all tokens that are leaves, and settles the
// sizes of these leaves where size is counted in bytes.
func (p *Program) findTexts() error {
	if len(p.tokens) == 0 {
		return nil
	}
	facts := p.Grammar.Facts(p.Facts.Mask, grammar.Exact)
	tables := map[string]*Table{}
	for _, r := range p.Grammar.Rules {
		if _, ok := p.tokens[r]; !ok {
			continue
		}
		t, err := newTexts(p, r, facts, tables)
		if err != nil {
			return err
		}
		p.tokens[r] = t
	}
	if p.Unit != grammar.Bytes || p.ByDepth() {
		return nil
	}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if !n.IsToken() {
			continue
		}
		n.Ways = nil
		for _, length := range p.tokens[n.Expr.Rule].LengthsOf(n.Want) {
			n.Ways = append(n.Ways, Ways{length, 1})
		}
	}
	return nil
}

// newTexts makes the table of a token, or shares that of a token whose program has the same
// shape: most keywords of a grammar equal others of their length.
func newTexts(of *Program, r *grammar.Rule, facts *grammar.Facts, tables map[string]*Table) (*Texts, error) {
	least := facts.Size(r.Body, grammar.Bytes, grammar.Any)
	p, err := compile(of.Grammar, r.Body, nil, facts, grammar.Bytes, 0, of.Budget)
	if err != nil {
		return nil, fmt.Errorf("token %s: %w", r.Name, err)
	}
	var table *Table
	shape := p.shape()
	if like := tables[shape]; like != nil {
		table = &Table{program: p, min: like.min, max: like.max, counts: like.counts, total: like.total}
	} else {
		if table, err = NewTable(context.Background(), p, least, least+TokenSlack, nil); err != nil {
			return nil, fmt.Errorf("token %s: %w", r.Name, err)
		}
		tables[shape] = table
	}
	t := &Texts{Program: p, Table: table}
	for n := least; n <= least+TokenSlack; n++ {
		if table.At(n).Sign() > 0 {
			t.Lengths = append(t.Lengths, n)
		}
	}
	return t, nil
}

// Token returns the texts of a token that is a leaf of the program, nil otherwise.
func (p *Program) Token(r *grammar.Rule) *Texts { return p.tokens[r] }

// LengthsOf returns the possible lengths of a leaf's text, empty or not.
func (t *Texts) LengthsOf(w grammar.Want) []int {
	if w == grammar.NonEmpty && t.Lengths[0] == 0 {
		return t.Lengths[1:]
	}
	return t.Lengths
}

// Count returns the number of inner derivations of the given length.
func (t *Texts) Count(length int) *big.Int { return t.Table.At(length) }

// Choices returns the choices of the inner derivation with the given rank among those of the
// given length. It overwrites rank.
func (t *Texts) Choices(length int, rank *big.Int) []int {
	return t.Table.Unrank(t.Program.Root, length, rank)
}

func (t *Texts) meanLength() float64 {
	total := 0
	for _, n := range t.Lengths {
		total += n
	}
	return float64(total) / float64(len(t.Lengths))
}
