package guide

import (
	"context"
	"fmt"

	"github.com/gramfuzz/gramfuzz/derive"
)

// Input is one thing to run. Once a [Test] has seen it, it is not changed, but for Cost.
type Input struct {
	Text []byte

	// Tree is the derivation of Text, nil where there is none: texts that were
	// changed byte by byte, and those from elsewhere that nobody parsed. Without
	// [SentenceOptions].Texts loops learn labels from these, but do not go on from them.
	Tree *derive.Tree

	// Base is the derivation of the sentence that a text without a tree was changed
	// from; nil where there is none.
	Base *derive.Tree

	// Choices are the choice sequence: the tree's, nil where there is none.
	Choices []int

	From string // the operator that made it: "random", "regrow", "seed", …

	// Cost is what making and running it took, in any unit that all inputs of a loop share. A
	// [Test] sets it where it knows; 0: not known, and the size is taken for it.
	Cost float64
}

// FromTree returns the input that a tree is, for [Loop.Add].
func FromTree(t *derive.Tree, from string) *Input {
	return &Input{Text: t.AppendText(nil), Tree: t, Choices: t.Choices(), From: from}
}

// Test runs an input and returns what it showed, in any order; repetitions do
// no harm. An input that fails is no error: how it failed is a label. An error
// ends the loop. The loop keeps no reference to the slice, so a Test may use
// it again.
type Test func(ctx context.Context, in *Input) ([]Label, error)

// Loop is a feedback loop: it makes inputs, runs them, and goes on from what
// they showed. A Loop belongs to one goroutine. Several loops, on several
// goroutines or machines, share what they find by giving each other their
// Examples through Add.
type Loop interface {
	// Step runs a bounded number of tests, at most some thousands, and returns
	// the first error of the test, the source or the context.
	Step(ctx context.Context) error

	// Add runs an input from elsewhere, a seed or another loop's example, and
	// learns from it. Where Text is nil, it is the tree's.
	Add(ctx context.Context, in *Input) error

	Stats() Stats

	// Examples returns the inputs that the loop goes on from, in an order of the
	// loop's own; some without their trees and choices. The caller may keep and
	// change the slice, not the inputs.
	Examples() []*Input
}

// Stats say what a loop has done so far.
type Stats struct {
	Tests     int // how many times the test was called
	Labels    int // different labels seen
	Examples  int // inputs that the loop goes on from
	LastNew   int // the number of the test that showed a new label last, from 1; 0: none did
	Operators []OperatorStats
}

// OperatorStats say what an operator earned.
type OperatorStats struct {
	Name     string
	Tests    int // inputs that it made and that were run
	Labels   int // labels that those showed first
	Examples int // those of them that were kept
}

// Options steer a loop. The zero value is valid.
type Options struct {
	Seed uint64 // the loop's random decisions

	// Budget is how many tests a Step makes at most; 0 is 256. A loop may end a
	// step earlier.
	Budget int

	// Fresh is called, during Step and Add, for each input that showed labels not
	// seen before, with these; nil: not.
	Fresh func(in *Input, labels []Label)
}

const defaultBudget = 256

// Names returns the names of the loops, as New takes them.
func Names() []string { return []string{"none", "labels", "cover", "exemplars"} }

// New returns the loop of that name:
//
//   - none draws inputs by themselves and learns nothing; what guidance is
//     measured against
//   - labels keeps the smallest example for each label, shrinks what shows a new
//     one and expands what it has: "Fuzzing examples from the ground up" (MacIver)
//   - cover keeps a pool of what showed new labels and changes it, by operators
//     that are drawn by what they earn: coverage-guided property testing
//   - exemplars keeps one exemplar for each state that an experiment tells apart,
//     and extends these (MacIver)
func New(name string, src *Sentences, test Test, o Options) (Loop, error) {
	if o.Budget == 0 {
		o.Budget = defaultBudget
	}
	loops := map[string]func(*base) Loop{"none": newNone, "labels": newLabels, "cover": newCover, "exemplars": newExemplars}
	if loop := loops[name]; loop != nil {
		return loop(newBase(src, test, o)), nil
	}
	return nil, fmt.Errorf("there is no guide %q; there are %v", name, Names())
}
