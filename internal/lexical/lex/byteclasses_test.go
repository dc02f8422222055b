package lex

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// TestByteClasses checks that bytes share a class if and only if no state tells them apart.
func TestByteClasses(t *testing.T) {
	g, _ := resolve(t, gram(
		rule(grammar.Syntax, "s", star(alt(ref("ID"), ref("NUM"), lit("if"), lit("+")))),
		rule(grammar.Token, "ID", plus(class("a-z_"))),
		rule(grammar.Token, "NUM", seq(plus(class("0-9")), opt(seq(lit("."), plus(class("0-9")))))),
		rule(grammar.Skip, "WS", plus(class(" \t"))),
	))
	l, _ := New(g)
	c := newByteClasses(l.modes)
	for class, bytes := range map[string]string{"digits": "0123456789", "letters but i and f": "abcdeghz_", "layout": " \t", "others": "?!\x00ABZ"} {
		for i := range len(bytes) {
			if c.of[bytes[i]] != c.of[bytes[0]] {
				t.Errorf("%s: %q is not of the class of %q", class, bytes[i], bytes[0])
			}
		}
	}
	if n := len("0a fi.+?") + 128; c.n != n {
		t.Errorf("%d classes, want %d", c.n, n)
	}
	for class := range c.n {
		if int(c.of[c.first[class]]) != class {
			t.Errorf("the first byte of class %d is of class %d", class, c.of[c.first[class]])
		}
	}
}
