package show_test

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
	"github.com/gramfuzz/gramfuzz/internal/lexical/show"
)

func TestClass(t *testing.T) {
	for want, e := range map[string]*grammar.Expr{
		`[a-z_]`:                {Ranges: []grammar.Range{{Lo: 'a', Hi: 'z'}, {Lo: '_', Hi: '_'}}},
		`[^\-\]\^\\"\u202e]`:    {Negated: true, Ranges: []grammar.Range{{Lo: '-', Hi: '-'}, {Lo: ']', Hi: ']'}, {Lo: '^', Hi: '^'}, {Lo: '\\', Hi: '\\'}, {Lo: '"', Hi: '"'}, {Lo: 0x202e, Hi: 0x202e}}},
		`[\x00-\x7f\x80-\xff]`:  {Ranges: []grammar.Range{{Lo: 0, Hi: 0x7f}, {Lo: rawbyte.Of(0x80), Hi: rawbyte.Of(0xff)}}},
		`[aaaaaaaaaaaa…3 more]`: {Ranges: make([]grammar.Range, 15)},
		`[end of text]`:         {Ranges: []grammar.Range{{Lo: grammar.EndOfText, Hi: grammar.EndOfText}}},
	} {
		for i := range e.Ranges {
			if e.Ranges[i] == (grammar.Range{}) {
				e.Ranges[i] = grammar.Range{Lo: 'a', Hi: 'a'}
			}
		}
		if got := show.Class(e); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestTimes(t *testing.T) {
	for want, e := range map[string]*grammar.Expr{
		"?": {Max: 1}, "*": {Max: -1}, "+": {Min: 1, Max: -1}, "{2,}": {Min: 2, Max: -1}, "{3}": {Min: 3, Max: 3}, "{1,3}": {Min: 1, Max: 3}, "*?": {Max: -1, Lazy: true},
	} {
		if got := show.Times(e); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
