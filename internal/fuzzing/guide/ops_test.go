package guide

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
)

// TestOperators: operators on trees, expansion and shrinking give sentences whose choices
// replay to the same sentences. Every operator changes something somewhere, and every shrink is
// smaller.
func TestOperators(t *testing.T) {
	for _, name := range []string{"json", "expr", "assign", "go", "select"} {
		g := grammars.Must(name)
		src, err := NewSentences(g, SentenceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		check := func(op string, in *Input) {
			t.Helper()
			if in.Tree == nil || string(in.Text) != in.Tree.Text() {
				t.Fatalf("%s, %s: %q is not the text of its tree", name, op, in.Text)
			}
			again, err := src.machine.Run(t.Context(), derive.Strict(in.Choices))
			if err != nil || again.Text() != string(in.Text) {
				t.Fatalf("%s, %s: the choices of %q do not replay: %v", name, op, in.Text, err)
			}
		}
		changed := map[string]bool{}
		for range 60 {
			in, err := src.Random(t.Context(), rng)
			if err != nil {
				t.Fatal(err)
			}
			other, err := src.Random(t.Context(), rng)
			if err != nil {
				t.Fatal(err)
			}
			eachVariant(t, src, rng, in, other, 20, func(what string, out *Input) {
				check(what, out)
				changed[what] = changed[what] || !bytes.Equal(out.Text, in.Text)
				if what == "shrink" && !simpler(out, in) {
					t.Fatalf("%s: %q is not smaller than %q", name, out.Text, in.Text)
				}
			})
			for k, p := range src.prefixes(in) {
				if string(p.text) != string(in.Text[:k]) {
					t.Fatalf("%s: prefix %d of %q is %q", name, k, in.Text, p.text)
				}
			}
		}
		for _, op := range src.operators() {
			lists := op.name == "recombine" || op.name == "shuffle" // some grammars have no lists
			if !changed[op.name] && !(lists && (name == "expr" || name == "assign")) {
				t.Errorf("%s: operator %s changed nothing", name, op.name)
			}
		}
	}
}

// eachVariant calls visit with an input made of in by each operator, and with at most n each
// that expand and shrink it.
func eachVariant(t *testing.T, src *Sentences, rng *rand.Rand, in, other *Input, n int, visit func(what string, out *Input)) {
	t.Helper()
	for _, op := range src.operators() {
		out, err := op.make(t.Context(), rng, in, other)
		if err != nil {
			t.Fatal(err)
		}
		if out != nil {
			visit(op.name, out)
		}
	}
	for what, list := range map[string]candidates{"expand": src.expand(rng, in), "shrink": src.shrink(in)} {
		for range n {
			out, err := list(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if out == nil {
				break
			}
			visit(what, out)
		}
	}
}

// TestAlike: two operands become alike in one small step from operands that are alike, and by the
// operator from any; one within another does not.
func TestAlike(t *testing.T) {
	src := sentences(t, `s = e " in " e ; e = "a" | "b" | "[" e "]" ;`, SentenceOptions{})
	in, err := src.Trivial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	made := map[string]bool{}
	for list := src.expand(rng, in); ; {
		out, err := list(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if out == nil {
			break
		}
		if out.From == "step" {
			made[string(out.Text)] = true
		}
	}
	want := map[string]bool{"a in a": true, "a in b": true, "b in a": true, "b in b": true, "[a] in a": true, "a in [a]": true, "[a] in [a]": true}
	if d := cmp.Diff(want, made); d != "" {
		t.Errorf("steps from %q (-want +got):\n%s", in.Text, d)
	}
	if in, err = src.Replay(t.Context(), []int{2, 2, 0, 1}, "test"); err != nil || string(in.Text) != "[[a]] in b" {
		t.Fatalf("%q, %v", in.Text, err)
	}
	in.Own()
	for range 2000 {
		out, err := src.alikeOp(t.Context(), rng, in, someNode(rng, in.Tree))
		if err != nil {
			t.Fatal(err)
		}
		if out == nil {
			continue
		}
		left, right, _ := strings.Cut(string(out.Text), " in ")
		if inner := strings.Trim(left, "[]"); left != right && inner != strings.Trim(right, "[]") {
			t.Fatalf("%q: nothing in it is alike", out.Text)
		}
		made[string(out.Text)] = true
	}
	for _, want := range []string{"b in b", "[[b]] in b", "[[a]] in [[a]]"} {
		if !made[want] {
			t.Errorf("%q was not made", want)
		}
	}
}

// TestDoubling: rules that double each other 60 times, and choose nothing, are visited once.
func TestDoubling(t *testing.T) {
	text := "s = r0* ;\n"
	for i := range 60 {
		text += fmt.Sprintf("r%d = r%d r%d ;\n", i, i+1, i+1)
	}
	src := sentences(t, text+`r60 = "x" ;`, SentenceOptions{MaxBytes: 10})
	in, err := src.Trivial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if steps := smallSteps(rand.New(rand.NewPCG(1, 2)), in.Tree, nodesOf(in.Tree)); len(steps) != 1 {
		t.Errorf("%d small steps from an empty list, want 1", len(steps))
	}
}
