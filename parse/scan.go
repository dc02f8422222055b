package parse

import (
	"context"
	"errors"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
)

// newTokenAlphabet gives each kind of token a symbol, and determines the kinds that each
// terminal accepts. Single-character tokens are distinguished by the classes in syntax rules.
func newTokenAlphabet(terms []terminal, lx *lex.Lexer) *alphabet {
	kinds := lx.Kinds()
	a := newAlphabet(terms, len(kinds))
	for i := range terms {
		t := &terms[i]
		if t.kind >= 0 {
			t.syms = []int32{symFirst + int32(t.kind)}
		}
		if t.expr.Op != grammar.Class {
			continue
		}
		for k, kind := range kinds {
			r, size := utf8.DecodeRuneInString(kind.Text)
			if lx.IsChar(k) && kind.Text != "" && size == len(kind.Text) && t.set.Has(r) {
				t.syms = append(t.syms, symFirst+int32(k))
			}
		}
	}
	return a
}

// scan cuts the text into tokens and the layout between them.
func (p *Parser) scan(ctx context.Context, name string, in *input, f *Forest) error {
	in.lexed = true
	kinds := p.lexer.Kinds()
	s := p.lexer.Scan(in.text)
	in.tokens = make([]token, 0, len(in.text)/4)
	for n := 1; ; n++ {
		if n&0xfff == 0 {
			if err := p.check(ctx, in.memory()); err != nil {
				return err
			}
		}
		t, ok, err := s.Next()
		if err != nil {
			le := new(lex.Error)
			if errors.As(err, &le) {
				return p.lexError(ctx, name, in, le)
			}
			return err
		}
		if !ok {
			break
		}
		if t.Hidden {
			continue
		}
		sym := symFirst + int32(t.Kind)
		if k := &kinds[t.Kind]; k.Rule == nil && k.Text == "" {
			r, _ := utf8.DecodeRuneInString(in.text[t.Start:])
			sym = in.alpha.of(r)
		}
		in.tokens = append(withRoom(in.tokens), token{sym, int32(t.Start), int32(t.End)})
	}
	f.tokens, f.lexed = in.tokens, true
	return nil
}
