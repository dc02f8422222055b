package agree

import (
	"context"
	"errors"
	"math/big"
	"slices"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/parse"
)

// read returns the tree of a text that obeys. The error is nil, a *parse.Error, a *gctx.NameError,
// or another one, after which nothing is known of the text.
func (s *subject) read(ctx context.Context, text string) (*derive.Tree, error) {
	if s.parser == nil {
		p, err := parse.New(ctx, s.g, parse.Options{})
		if err != nil {
			return nil, err
		}
		s.parser = p
	}
	f, err := s.parser.Parse(ctx, "-", text)
	if err != nil {
		return nil, err
	}
	return f.Obeying(ctx, s.names)
}

// decided reports whether an error says that a text is no sentence.
func decided(err error) bool {
	return errors.As(err, new(*parse.Error)) || errors.As(err, new(*gctx.NameError))
}

// leftBinary reports whether docs/fields.md excludes the grammar from being parsed.
func (s *subject) leftBinary() bool { return s.g.Binary && recursive(s.g, 0) }

// parsed: the text of every derivation is read, and its tree has that text; short texts are read
// exactly where brute force lists them, and what is read obeys.
func parsed(ctx context.Context, s *subject) {
	if s.leftBinary() {
		return
	}
	layout, err := derive.NewLayout(s.g, derive.Tight)
	if err != nil {
		s.refuse(err)
		return
	}
	table, err := count.New(ctx, s.g, count.Sizes(0, 6, grammar.Bytes), count.Options{Measure: grammar.Exact})
	if err != nil {
		table, err = count.New(ctx, s.g, count.Bound{Depth: 4, Repeat: 2}, count.Options{Measure: grammar.Exact})
	}
	if err != nil {
		s.refuse(err)
		return
	}
	step := new(big.Int).Div(table.Total(), big.NewInt(40))
	step.Add(step, big.NewInt(1))
	var texts []string
	for rank := new(big.Int); rank.Cmp(table.Total()) < 0; rank.Add(rank, step) {
		tree, err := table.Unrank(rank)
		if err != nil {
			s.fail("unrank %v: %v", rank, err)
		}
		s.asked[s.law]++
		if tree, err = layout.Tree(tree, nil); err != nil {
			s.refuse(err)
			continue
		}
		text := tree.Text()
		texts = append(texts, text)
		back, err := s.read(ctx, text)
		switch {
		case err != nil && !decided(err):
			s.refuse(err)
		case err != nil:
			s.fail("%q is derived, but refused: %v", text, err)
		case back.Text() != text:
			s.fail("%q is read as %q", text, back.Text())
		}
	}
	s.short(ctx, texts)
}

// short compares parse with brute force on texts that may be none, by the characters of texts
// that are.
func (s *subject) short(ctx context.Context, texts []string) {
	if s.lexical || s.g.Binary {
		return // more texts are read than are derived
	}
	want := s.brute(ctx, grammar.Bytes)
	if want == nil || want.limit < 2 {
		return
	}
	var letters []rune
	for _, text := range texts {
		letters = append(letters, []rune(text)...)
	}
	slices.Sort(letters)
	letters = slices.Compact(letters)
	letters = letters[:min(len(letters), 6)]
	var try func(text string, left int)
	try = func(text string, left int) {
		_, err := s.read(ctx, text)
		s.asked[s.law]++
		switch {
		case err != nil && !decided(err):
			s.refuse(err)
		case err == nil != want.texts[text]:
			s.fail("%q: brute force has it: %v, parse: %v", text, want.texts[text], err)
		}
		if left > 0 {
			for _, c := range letters {
				try(text+string(c), left-1)
			}
		}
	}
	try("", min(want.limit, 3))
}

// fixed: repairing the text of a derivation gives that text; repairing a damaged one gives a
// sentence, or a refusal.
func fixed(ctx context.Context, s *subject) {
	if !s.g.Binary || s.leftBinary() {
		return
	}
	table, err := count.New(ctx, s.g, count.Sizes(0, 12, grammar.Bytes), count.Options{Measure: grammar.Exact})
	if err != nil {
		s.refuse(err)
		return
	}
	step := new(big.Int).Div(table.Total(), big.NewInt(12))
	step.Add(step, big.NewInt(1))
	for rank := new(big.Int); rank.Cmp(table.Total()) < 0; rank.Add(rank, step) {
		tree, err := table.Unrank(rank)
		if err != nil {
			s.fail("unrank %v: %v", rank, err)
		}
		text := tree.Text()
		if _, err := s.read(ctx, text); err != nil {
			s.refuse(err)
			continue
		}
		s.asked[s.law]++
		again, err := s.parser.Repair(ctx, "-", text)
		if err != nil || again.Text() != text {
			if err != nil {
				s.fail("fix of %q is refused: %v", text, err)
			}
			s.fail("fix of %q gives %q", text, again.Text())
		}
		for i := range text {
			damaged := []byte(text)
			damaged[i]++
			again, err := s.parser.Repair(ctx, "-", string(damaged))
			if err != nil {
				continue
			}
			if _, err := s.read(ctx, again.Text()); decided(err) && !errors.As(err, new(*gctx.NameError)) {
				s.fail("fix of the damaged %q makes %q: %v", damaged, again.Text(), err)
			}
		}
	}
}
