package context_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

const plainAssign = `program = assign ";" | assign ";" program ;
assign = var "=" expr ;
expr = expr "+" expr | use | "0" ;
use = var ;
var = [a-c] ;`

// failing attaches one hook to plainAssign and returns the error of a derivation.
func failing(t *testing.T, h gctx.Hook) error {
	t.Helper()
	g := parse(t, "plain", plainAssign)
	m, err := gctx.Attach(g, nil, derive.Options{}, h)
	if err != nil {
		return err
	}
	_, err = m.Run(ctx, derive.Replay([]int{0, 1, 1, 2}))
	return err
}

// TestHookErrors checks that the error names a failing hook, with its place and the text
// derived.
func TestHookErrors(t *testing.T) {
	sad := errors.New("sad")
	tests := []struct {
		name string
		hook gctx.Hook
		want string
	}{
		{"error", gctx.Hook{Name: "h", Rule: "use", Pre: func(*gctx.Call) (string, bool, error) { return "", false, sad }},
			`plain.ebnf:3:24: hook h, pre: sad; derived so far: "b="`},
		{"panic", gctx.Hook{Name: "h", Rule: "var", In: "assign", Post: func(_ *gctx.Call, text string) error { panic("at " + text) }},
			`plain.ebnf:2:10: hook h, post: panic: at b; derived so far: "b"`},
		{"loop", gctx.Hook{Name: "h", In: "use", Pre: func(c *gctx.Call) (string, bool, error) {
			for {
				if _, err := c.Choose(2); err != nil {
					return "", false, err
				}
			}
		}}, `plain.ebnf:4:7: hook h, pre: it drew more than 100000 times; derived so far: "b="`},
		{"nothing to draw", gctx.Hook{Name: "h", In: "use", Pre: func(c *gctx.Call) (string, bool, error) {
			_, err := c.Choose(0)
			return "", true, err
		}}, `plain.ebnf:4:7: hook h, pre: there is nothing to draw from: 0 values, 0 the default; derived so far: "b="`},
		{"drew in vain", gctx.Hook{Name: "h", In: "use", Pre: func(c *gctx.Call) (string, bool, error) {
			_, err := c.Choose(2)
			return "", false, err
		}}, `plain.ebnf:4:7: hook h, pre: it drew values but did not put a text in the element's place; derived so far: "b="`},
		{"drew afterwards", gctx.Hook{Name: "h", In: "use", Post: func(c *gctx.Call, _ string) error {
			_, err := c.Choose(2)
			return err
		}}, `plain.ebnf:4:7: hook h, post: only Pre may draw; derived so far: "b=c"`},
		{"nowhere", gctx.Hook{Name: "h", Rule: "vra"},
			`hook h attaches to nothing in grammar plain.ebnf; check its rule, position and annotation`},
	}
	for _, test := range tests {
		err := failing(t, test.hook)
		if err == nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		if diff := cmp.Diff(test.want, strings.Replace(err.Error(), "grammar plain;", "grammar plain.ebnf;", 1)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.name, diff)
		}
	}
	if err := failing(t, gctx.Hook{Name: "h", At: grammar.Pos{Line: 3, Col: 24}, Pre: func(*gctx.Call) (string, bool, error) { return "", false, sad }}); !errors.Is(err, sad) {
		t.Errorf("by position: %v", err)
	}
}

// TestHookUndo checks that changes by a hook are undone before the next derivation and at a
// rollback.
func TestHookUndo(t *testing.T) {
	g := parse(t, "plain", plainAssign)
	seen := 0
	marks := []int{}
	count := gctx.Hook{Name: "count", Rule: "var", Post: func(c *gctx.Call, _ string) error {
		seen++
		c.OnUndo(func() { seen-- })
		return nil
	}}
	scope := gctx.Hook{Name: "scope", Rule: "assign",
		Pre: func(c *gctx.Call) (string, bool, error) {
			marks = append(marks, c.Mark())
			return "", false, nil
		},
		Post: func(c *gctx.Call, _ string) error {
			c.Rollback(marks[len(marks)-1])
			marks = marks[:len(marks)-1]
			if seen != 0 {
				return fmt.Errorf("%d names are left", seen)
			}
			return nil
		}}
	m, err := gctx.Attach(g, nil, derive.Options{}, count, scope)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Run(ctx, derive.Replay([]int{1, 0, 1, 1, 0, 2, 2})); err != nil {
		t.Error(err)
	}
	if m, err = gctx.Attach(g, nil, derive.Options{}, count); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := m.Run(ctx, derive.Replay([]int{0, 0, 1, 1})); err != nil || seen != 2 {
			t.Errorf("%d names seen, %v", seen, err)
		}
	}
}

// TestUserDefaults checks that a user's default is used for a Default, in the grammar and in a
// hook.
func TestUserDefaults(t *testing.T) {
	g := parse(t, "defaults", `start = (term ";")+ ;
term = "(" term ")" | "x" | "yy" @default ;`)
	m, err := gctx.NewMachine(g, derive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := m.Run(ctx, derive.Replay([]int{-1, 1, 0, -1, 1, 1}))
	if err != nil || tree.Text() != "yy;(yy);x;" {
		t.Errorf("%q, %v", tree.Text(), err)
	}
	p := parse(t, "plain", plainAssign)
	m, err = gctx.Attach(p, nil, derive.Options{}, gctx.Hook{Name: "use", Rule: "use", Pre: func(c *gctx.Call) (string, bool, error) {
		v, err := c.ChooseOr(3, 2)
		return fmt.Sprint("v", v), true, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	for choices, want := range map[[4]int]string{{0, 1, 1, 1}: "b=v1;", {0, 1, 1, -1}: "b=v2;", {0, 1, 1, 5}: "b=v2;"} {
		tree, err := m.Run(ctx, derive.Replay(choices[:]))
		if err != nil || tree.Text() != want {
			t.Errorf("%v: %q, %v, want %q", choices, tree.Text(), err, want)
		}
	}
}
