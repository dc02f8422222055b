package agree

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/gramtest"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/reduce"
	"github.com/gramfuzz/gramfuzz/stream"
)

// reduced: reduction by each algorithm ends, with a text that still has the property, is no longer
// than it was, and is a sentence that obeys where it began with one.
func reduced(ctx context.Context, s *subject) {
	plan := &stream.Plan{Strategy: "walk", Seed: s.number, MaxBytes: -1}
	st, err := plan.Open(ctx, s.g, stream.Options{})
	if err != nil {
		s.refuse(err)
		return
	}
	tree, err := st.Source().Tree(ctx, s.number)
	if err != nil {
		s.refuse(err)
		return
	}
	tree, text := tree.Clone(), tree.Text()
	if text == "" || len(text) > 200 {
		return
	}
	rule := s.deepest(tree)
	properties := map[string]func(text []byte) bool{
		"its middle": func(b []byte) bool { return bytes.Contains(b, []byte{text[len(text)/2]}) },
		"longer":     func(b []byte) bool { return len(b) > len(text)/3 },
		"rules": func(b []byte) bool {
			t, err := s.read(ctx, string(b))
			return err == nil && uses(t, rule) >= max(1, uses(tree, rule)/2)
		},
	}
	if _, err := s.read(ctx, text); err != nil {
		delete(properties, "rules")
	}
	for _, algorithm := range reduce.Algorithms() {
		for name, has := range properties {
			s.reduces(ctx, algorithm, name, tree, has)
		}
	}
}

// deepest returns the rule of the last reference of a tree.
func (s *subject) deepest(t *derive.Tree) (r *grammar.Rule) {
	for i := range t.Nodes() {
		if e := t.Nodes()[i].Expr; e.Op == grammar.Ref {
			r = e.Rule
		}
	}
	return r
}

func uses(t *derive.Tree, r *grammar.Rule) (n int) {
	for i := range t.Nodes() {
		if e := t.Nodes()[i].Expr; e.Op == grammar.Ref && e.Rule == r {
			n++
		}
	}
	return n
}

func (s *subject) reduces(ctx context.Context, algorithm, name string, tree *derive.Tree, has func([]byte) bool) {
	s.asked[s.law]++
	p := func(_ context.Context, text []byte) (bool, error) { return has(text), nil }
	r, err := reduce.Run(ctx, reduce.Input{Tree: tree}, p, reduce.Options{Algorithm: algorithm, MaxCalls: 150})
	text := tree.Text()
	switch {
	case err != nil:
		s.refuse(err)
		return
	case len(r.Text) > len(text) || !has(r.Text):
		s.fail("%s, %s: %q became %q", algorithm, name, text, r.Text)
	}
	if s.leftBinary() || strings.Contains("words spaces lines tokens bytes structure islands", algorithm) {
		return // these go below the grammar
	}
	if _, err := s.read(ctx, text); err != nil {
		return
	}
	if _, err := s.read(ctx, string(r.Text)); decided(err) {
		s.fail("%s, %s: %q became %q, which is no sentence: %v", algorithm, name, text, r.Text, err)
	}
	if s.names != nil && r.Tree != nil {
		if err := brute.Obeys(r.Tree, nil); err != nil {
			s.fail("%s, %s: %q became %q: %v", algorithm, name, text, r.Text, err)
		}
	}
}

// reporter keeps the report of a check that fails.
type reporter struct {
	testing.TB
	out string
}

type stopped struct{}

func (r *reporter) Helper()                      {}
func (r *reporter) Logf(s string, args ...any)   {}
func (r *reporter) Log(args ...any)              {}
func (r *reporter) Error(args ...any)            { r.out += fmt.Sprintln(args...) }
func (r *reporter) Errorf(s string, args ...any) { r.out += fmt.Sprintf(s, args...) }
func (r *reporter) Fatalf(s string, args ...any) { r.Errorf(s, args...); panic(stopped{}) }
func (r *reporter) Fatal(args ...any)            { r.Error(args...); panic(stopped{}) }
func (r *reporter) Name() string                 { return "agree" }
func (r *reporter) Cleanup(func())               {}
func (r *reporter) Failed() bool                 { return r.out != "" }

// property returns the report of a check.
func property(check func(tb testing.TB)) string {
	r := &reporter{}
	func() {
		defer func() {
			if v := recover(); v != nil && v != (stopped{}) {
				panic(v)
			}
		}()
		check(r)
	}()
	return r.out
}

// propertied: gramtest hands out sentences unless they are damaged, while it draws, guides and
// shrinks.
func propertied(ctx context.Context, s *subject) {
	for _, o := range []gramtest.Option{gramtest.Valid(), gramtest.Guide("labels"), gramtest.Damage(0.3)} {
		wrong, calls := "", 0
		out := property(func(tb testing.TB) {
			gramtest.Check(tb, s.g, func(t *gramtest.T, sentence *gramtest.Sentence) {
				calls++
				text := sentence.String()
				if !sentence.Damaged() && !s.leftBinary() && wrong == "" {
					if _, err := s.read(ctx, text); decided(err) {
						wrong = fmt.Sprintf("%q is handed out: %v", text, err)
					}
				}
				sentence.Label(fmt.Sprint(len(text)))
				if len(text) > 6 {
					t.Errorf("longer than six bytes")
				}
			}, o, gramtest.Seed(s.number), gramtest.Count(60), gramtest.Shrink(100), gramtest.Dir(""))
		})
		s.asked[s.law]++
		if wrong != "" {
			s.fail("%s", wrong)
		}
		if calls == 0 && out != "" {
			s.refuse(fmt.Errorf("%s", out))
		}
	}
}

// campaigned: a campaign against a function in the process ends, with a finding that is a text
// with the property.
func campaigned(ctx context.Context, s *subject) {
	dir, err := os.MkdirTemp("", "agree")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	drive := campaign.Func(func(_ context.Context, text []byte) (*campaign.Ran, error) {
		r := &campaign.Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{}}
		if len(text) > 4 {
			r.Outcome = target.Outcome{Class: target.Crash, Detail: "long"}
		}
		return r, nil
	})
	s.asked[s.law]++
	c, err := campaign.New(ctx, s.g, campaign.Options{Dir: dir, Drive: drive, Seed: s.number, Runs: 100, Grammar: derive.GrammarRef{Name: "g"}})
	if err != nil {
		s.refuse(err)
		return
	}
	sum, err := c.Run(ctx)
	if err != nil {
		s.refuse(err)
		return
	}
	for _, f := range sum.Findings {
		if len(f.Record.Text) <= 4 {
			s.fail("a finding is %q, which does not fail", f.Record.Text)
		}
	}
}
