package parse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
)

// Options are those of [New]. The zero value is valid.
type Options struct {
	// Measure says whether derivations inside tokens are distinguished. With Structure, the
	// zero value, a token has one tree, the canonical one.
	Measure grammar.Measure

	// Settled lets precedences (@prec) resolve the conflicts of the tables, as parser
	// generators do. A text then has fewer trees, and a text without any is refused, as one
	// that is a sentence only by characters. Choices are taken apart into productions, so
	// that some grammars are too large that are not without Settled.
	Settled bool

	// MaxMemory bounds the memory for one text, in bytes and approximately; 0 is
	// DefaultMaxMemory. Parsing that needs more fails with [ErrMemory].
	MaxMemory int64
}

// DefaultMaxMemory is the memory bound where Options.MaxMemory is 0.
const DefaultMaxMemory = core.DefaultBudget

// Bounds of the grammars that tables are built for.
const (
	maxProductions = 4 << 20
	maxStates      = 300_000
	maxInPlace     = 32 // elements of a sequence inlined into one production
	maxTops        = 64 // stacks examined for an error message
)

// ErrCyclic is the error of a grammar in which some text has infinitely many trees.
var ErrCyclic = errors.New("the grammar derives some texts in infinitely many ways")

// errTooLarge is the error of a grammar whose tables would not fit in memory.
var errTooLarge = errors.New("the grammar is too large for parsing tables")

// ErrMemory says that a text could not be parsed within Options.MaxMemory.
var ErrMemory = core.ErrMemory

// ask returns [ErrMemory] where bytes exceed the memory bound.
func (p *Parser) ask(bytes int64) error {
	return core.Budget(p.o.MaxMemory).Ask("the trees of the text", float64(bytes))
}

// Parser parses texts of one grammar. It must not be used by several goroutines at once; its
// clones share the tables, see [Parser.Clone].
type Parser struct {
	*shared
	o      Options
	states []int32 // capacity for stacks, kept between texts
	places []int32
	labels []int32
	plain  bool    // trees are ordered by choices only
	single *Parser // by characters
	tokens map[*grammar.Rule]*Parser
}

// shared is the common part of a parser and its clones.
type shared struct {
	g     *grammar.Grammar
	facts *grammar.Facts
	lexer *lex.Lexer // nil: read by characters
	t     *table
	quick *table // the table without the conflicts that precedences settle, for one tree; nil: t is as good

	binary *binaryGrammar // of a binary grammar; nil: by tables
	prefs  preferences    // nil: trees are ordered by choices only
	settle bool           // the preferences resolve the conflicts of the table
	greedy bool           // trees with longer repetitions go first

	byChars *shared // tokens: the same grammar read by characters, built when first needed
	layout  bool    // tokens: there is layout

	mu    sync.Mutex
	inner map[*grammar.Rule]*shared // the parsers of tokens, built when first needed

	reading sync.Once
	chars   []*chars // by rule: for tokens whose derivation is determined by the next character
}

// New returns a parser for a frozen grammar. It takes time and memory for building LALR(1)
// tables. It fails with [ErrCyclic], where the tables are too large, and with the errors of
// the lexer.
func New(ctx context.Context, g *grammar.Grammar, o Options) (*Parser, error) {
	s := &shared{g: g, facts: g.Facts(nil, grammar.Exact), prefs: preferencesOf(g), greedy: g.Notation == "antlr4", inner: map[*grammar.Rule]*shared{}}
	s.settle = o.Settled && s.prefs != nil
	if g.Binary {
		var err error
		if s.binary, err = newBinary(g, s.facts); err != nil {
			return nil, err
		}
		return &Parser{shared: s, o: o}, nil
	}
	if lex.HasTokens(g) {
		var err error
		if s.lexer, err = lex.New(g); err != nil {
			return nil, err
		}
	}
	if err := s.compile(ctx, nil, core.Budget(o.MaxMemory)); err != nil {
		return nil, err
	}
	if s.lexer != nil {
		s.byChars, s.layout = &shared{g: g, facts: s.facts}, hasLayout(s.lexer)
	}
	return &Parser{shared: s, o: o, tokens: map[*grammar.Rule]*Parser{}}, nil
}

func hasLayout(lx *lex.Lexer) bool {
	return lx.HasLines() || slices.ContainsFunc(lx.Kinds(), func(k lex.Kind) bool { return k.Hidden })
}

// Clone returns a parser for another goroutine, which takes at most maxMemory bytes for one
// text; 0 means the bound of p.
func (p *Parser) Clone(maxMemory int64) *Parser {
	o := p.o
	o.MaxMemory = cmp.Or(maxMemory, o.MaxMemory)
	return &Parser{shared: p.shared, o: o, tokens: map[*grammar.Rule]*Parser{}}
}

// Grammar returns the grammar whose texts are parsed.
func (p *Parser) Grammar() *grammar.Grammar { return p.g }

// Deterministic reports whether the grammar's table has no conflicts. Every text is then
// parsed in linear time and has one tree, except that the empty text may have several
// derivations.
func (p *Parser) Deterministic() bool { return p.t != nil && p.t.det } // a binary grammar has no table

// compile builds the tables: from long productions, or, where these conflict, from short ones
// for the generalised parser.
func (s *shared) compile(ctx context.Context, rule *grammar.Rule, budget core.Budget) error {
	mosts := []int{noMaxChildren, 2}
	if s.settle {
		mosts = mosts[:1]
	}
	for _, most := range mosts {
		var marks *flat
		if s.settle || most == noMaxChildren && s.prefs.settleAlone(s.g) {
			marks = newFlat(s.g, s.prefs, s.settle)
		}
		var kindOf func(*grammar.Expr) int
		if s.lexer != nil {
			kindOf = s.lexer.KindOf
		}
		l, err := lower(s.g, s.facts, rule, kindOf, most, marks)
		if err != nil {
			return err
		}
		var alpha *alphabet
		if s.lexer != nil {
			alpha = newTokenAlphabet(l.terms, s.lexer)
		} else {
			alpha = newAlphabet(l.terms, 0)
		}
		a, err := newAutomaton(ctx, l, alpha, budget)
		if err != nil {
			return err
		}
		if s.t, err = newTable(ctx, a); err != nil {
			return err
		}
		if s.t.det {
			break
		}
		if s.settle {
			s.t, _ = settled(s.t, false)
		} else if marks != nil {
			if t, some := settled(s.t, true); some {
				s.quick = t
			}
		}
	}
	return nil
}

// check returns an error when parsing has to stop. Long loops call it periodically.
func (p *Parser) check(ctx context.Context, memory int64) error {
	return cmp.Or(p.ask(memory), ctx.Err())
}

// run parses units by a table into f and returns the root.
func (p *Parser) run(ctx context.Context, t *table, in *input, f *packed) (int32, *stuck, error) {
	if t.det {
		return p.deterministic(ctx, t, in, f)
	}
	return p.generalised(ctx, t, in, f)
}

// Parse parses text; messages call it name. It fails with an *[Error] where text is not a
// sentence, with [ErrMemory] and with the context's error.
//
// Time and memory are linear where the grammar is [Parser.Deterministic], or is but for conflicts
// that precedences settle, as long as trees are neither counted nor listed. They are cubic in
// the text at worst. In texts of binary grammars, lengths and counts bound their parts. These take
// linear time where the bounds and the bytes ahead leave one way to continue; the number of
// steps is bounded.
//
// In a grammar with tokens but without layout, the lexer may read two neighbours as other
// tokens, since there is no separator. A text without trees by tokens is then read again by
// characters, unless precedences settle conflicts. So, without Settled, every text that the
// grammar derives is a sentence.
func (p *Parser) Parse(ctx context.Context, name, text string) (*Forest, error) {
	if p.binary != nil {
		return p.parseBinary(ctx, name, text)
	}
	f, err := p.parse(ctx, name, text)
	if err == nil || p.byChars == nil || p.layout || p.settle {
		return f, err
	}
	bad := new(Error)
	if !errors.As(err, &bad) {
		return nil, err
	}
	cp, cerr := p.characters(ctx)
	if cerr != nil {
		return nil, cerr
	}
	worse := new(Error)
	f, cerr = cp.parse(ctx, name, text)
	if errors.As(cerr, &worse) && bad.Offset >= worse.Offset {
		return nil, bad
	}
	return f, cerr
}

// characters returns the parser that reads the same grammar by characters, without layout.
func (p *Parser) characters(ctx context.Context) (*Parser, error) {
	if p.single != nil {
		return p.single, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byChars.t == nil {
		if err := p.byChars.compile(ctx, nil, core.Budget(p.o.MaxMemory)); err != nil {
			return nil, err
		}
	}
	p.single = &Parser{shared: p.byChars, o: p.o}
	return p.single, nil
}

func (p *Parser) parse(ctx context.Context, name, text string) (*Forest, error) {
	in := &input{alpha: p.t.alpha, text: text, bytes: p.t.bytes}
	if err := p.ask(in.memory()); err != nil || int64(len(text)) > math.MaxInt32-1 {
		return nil, cmp.Or(err, fmt.Errorf("%w: a text has at most 2 GiB", ErrMemory))
	}
	f := &Forest{p: p, t: p.t, text: text, root: -1}
	if p.lexer != nil {
		if err := p.scan(ctx, name, in, f); err != nil {
			return nil, err
		}
	}
	if sym, _ := in.at(0); sym == symEnd && p.t.rootEmpty >= 0 {
		return f, nil
	}
	if in.lexed {
		if err := p.ask(in.memory() + int64(len(in.tokens))*(2*sizeOf[node]()+3*4)); err != nil {
			return nil, err
		}
		f.nodes, f.children = make([]node, 0, 2*len(in.tokens)), make([]int32, 0, 3*len(in.tokens))
	}
	if p.quick != nil && !p.plain {
		quick := in.by(p.quick.alpha)
		root, st, err := p.run(ctx, p.quick, quick, &f.packed)
		if err != nil {
			return nil, err
		}
		if st == nil {
			f.root, f.t = root, p.quick
			return f, nil
		}
		f.packed.reset()
	}
	root, st, err := p.run(ctx, p.t, in, &f.packed)
	if st != nil {
		return nil, p.explain(name, in, st)
	}
	if err != nil {
		return nil, err
	}
	f.root = root
	return f, nil
}

// whole returns the forest of all trees of the text.
func (f *Forest) whole(ctx context.Context) (*Forest, error) {
	if f.t == f.p.t || f.binary != nil {
		return f, nil
	}
	if f.all != nil {
		return f.all, nil
	}
	w := &Forest{p: f.p, t: f.p.t, text: f.text, tokens: f.tokens, lexed: f.lexed}
	in := &input{alpha: f.p.t.alpha, text: f.text, bytes: f.p.t.bytes, tokens: f.tokens, lexed: f.lexed}
	var err error
	w.root, _, err = f.p.run(ctx, w.t, in, &w.packed)
	f.all = w
	return w, err
}

// token returns the parser of the inside of a token.
func (p *Parser) token(ctx context.Context, rule *grammar.Rule) (*Parser, error) {
	if tp := p.tokens[rule]; tp != nil {
		return tp, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.inner[rule]
	if s == nil {
		s = &shared{g: p.g, facts: p.facts}
		if err := s.compile(ctx, rule, core.Budget(p.o.MaxMemory)); err != nil {
			return nil, fmt.Errorf("token %s: %w", rule.Name, err)
		}
		p.inner[rule] = s
	}
	tp := &Parser{shared: s, o: p.o}
	p.tokens[rule] = tp
	return tp, nil
}

// direct returns the reader of a rule's tokens without tables, or nil for none.
func (s *shared) direct(rule *grammar.Rule) *chars {
	s.reading.Do(func() {
		s.chars = make([]*chars, len(s.g.Rules))
		for i := range s.t.terms {
			if e := s.t.terms[i].expr; e.Op == grammar.Ref {
				s.chars[e.Rule.ID] = newChars(e.Rule)
			}
		}
	})
	return s.chars[rule.ID]
}
