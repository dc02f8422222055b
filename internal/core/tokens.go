package core

import (
	"context"
	"fmt"
	"math/big"
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// TokenSlack is the greatest length of a token's text above its least, in bytes, where tokens are
// leaves (measure structure).
const TokenSlack = 12

// Texts counts the inner derivations of a token by length. Where tokens are leaves, a token's
// text is drawn from them: first its length, each occurring length being equally likely, then one
// derivation of that length. The lengths are those from the least to the least + [TokenSlack]
// bytes that occur.
//
// The table is made when first needed, since few of a grammar's tokens are in the first sentences.
type Texts struct {
	rule    *grammar.Rule
	least   int
	small   bool // the table's memory is far below the budget, and nothing else can go wrong
	in      *tokenTables
	once    sync.Once
	table   *Table
	lengths []int // ascending; never empty
}

// tokenTables are the tables of the tokens that are leaves of a program. Tokens whose programs
// have the same shape share their numbers: most keywords of a grammar equal others of their
// length.
type tokenTables struct {
	of      *Program
	facts   *grammar.Facts
	mu      sync.Mutex
	byShape map[string]*Table
}

// findTexts prepares the tables of all tokens that are leaves, and settles the
// sizes of these leaves where size is counted in bytes.
func (p *Program) findTexts() error {
	if len(p.tokens) == 0 {
		return nil
	}
	in := &tokenTables{of: p, facts: p.insideFacts(), byShape: map[string]*Table{}}
	for r := range p.tokens {
		p.tokens[r] = &Texts{rule: r, least: in.facts.Size(r.Body, grammar.Bytes, grammar.Any), in: in}
	}
	bytes := p.Unit == grammar.Bytes && !p.ByDepth()
	for _, r := range p.Grammar.Rules {
		t := p.tokens[r]
		if t == nil {
			continue
		}
		t.small = t.isSmall()
		if bytes || !t.small {
			if err := t.make(); err != nil {
				return err
			}
		}
	}
	if !bytes {
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

// insideFacts returns the facts of the insides of tokens: sizes in bytes, without names. Where
// there are no names, the sizes of the program's facts are the same.
func (p *Program) insideFacts() *grammar.Facts {
	if p.Automaton != nil {
		return p.Grammar.Facts(p.Facts.Mask, grammar.Exact)
	}
	inside := *p.Facts
	inside.Measure = grammar.Exact
	return &inside
}

// isSmall reports whether the table will be made without an error: no rule of the token is
// recursive, and an upper bound of its memory is far below the budget.
func (t *Texts) isSmall() bool {
	nodes, most := 0.0, float64(t.in.of.Budget.Bytes())/2
	rows := float64(t.least + TokenSlack + 1)
	perNode := nodeBytes + rows*(8+bigOverhead+4*rows) // a number of n bytes of text has less than 4·n bytes
	seen := map[*grammar.Rule]bool{t.rule: true}
	todo := []*grammar.Expr{t.rule.Body}
	for len(todo) > 0 && nodes*perNode < most {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		parts := 1 + len(e.Children)
		if e.Op == grammar.Rep {
			parts += max(e.Min, e.Max)
		}
		const wants, nodesOfPart = 3, 3
		nodes += wants * nodesOfPart * float64(parts)
		todo = append(todo, e.Children...)
		if r := e.Rule; r != nil && !seen[r] { // nil also for rules that are not defined
			if r.Recursive {
				return false
			}
			seen[r] = true
			todo = append(todo, r.Body)
		}
	}
	return !t.rule.Recursive && nodes*perNode < most
}

// make makes the table unless it is made.
func (t *Texts) make() (err error) {
	t.once.Do(func() { err = t.in.fill(t) })
	return err
}

func (in *tokenTables) fill(t *Texts) error {
	p, err := compile(in.of.Grammar, t.rule.Body, nil, in.facts, grammar.Bytes, 0, in.of.Budget)
	if err != nil {
		return fmt.Errorf("token %s: %w", t.rule.Name, err)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	shape := p.shape()
	if like := in.byShape[shape]; like != nil {
		t.table = &Table{program: p, min: like.min, max: like.max, class: like.class, counts: like.counts, total: like.total}
	} else {
		fill := NewTable
		if t.small {
			fill = newTable
		}
		if t.table, err = fill(context.Background(), p, t.least, t.least+TokenSlack, nil); err != nil {
			return fmt.Errorf("token %s: %w", t.rule.Name, err)
		}
		in.byShape[shape] = t.table
	}
	for n := t.least; n <= t.least+TokenSlack; n++ {
		if t.table.At(n).Sign() > 0 {
			t.lengths = append(t.lengths, n)
		}
	}
	return nil
}

// Table returns the numbers of derivations of the token.
func (t *Texts) Table() *Table {
	if err := t.make(); err != nil {
		panic(err) // findTexts makes all tables but the small ones
	}
	return t.table
}

// Lengths returns the possible lengths of the token's text in ascending order; there is at least
// one. The caller must not change them.
func (t *Texts) Lengths() []int {
	t.Table()
	return t.lengths
}

// Token returns the texts of a token that is a leaf of the program, nil otherwise.
func (p *Program) Token(r *grammar.Rule) *Texts { return p.tokens[r] }

// LengthsOf returns the possible lengths of a leaf's text, empty or not.
func (t *Texts) LengthsOf(w grammar.Want) []int {
	if all := t.Lengths(); w != grammar.NonEmpty || all[0] > 0 {
		return all
	}
	return t.lengths[1:]
}

// Count returns the number of inner derivations of the given length.
func (t *Texts) Count(length int) *big.Int { return t.Table().At(length) }

// Choices returns the choices of the inner derivation with the given rank among those of the
// given length. It overwrites rank.
func (t *Texts) Choices(length int, rank *big.Int) []int {
	table := t.Table()
	return table.Unrank(table.program.Root, length, rank)
}

func (t *Texts) meanLength() float64 {
	total := 0
	for _, n := range t.Lengths() {
		total += n
	}
	return float64(total) / float64(len(t.lengths))
}

// longest returns an upper bound of the lengths without a table.
func (t *Texts) longest() float64 { return float64(t.least + TokenSlack) }
