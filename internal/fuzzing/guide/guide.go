package guide

import (
	"context"
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

// Input is one input to run. Others do not change it after a [Test] has seen it; a Test may set its
// Cost.
type Input struct {
	Text []byte

	// Tree is the derivation of Text. It is nil for texts that were changed byte by byte and
	// for unparsed texts from elsewhere. Without [SentenceOptions].Texts, loops learn labels
	// from inputs without a tree but derive no others from them.
	Tree *derive.Tree

	// Choices are the choice sequence of Tree; nil where there is none.
	Choices []int

	// Base is the choice sequence of the sentence from which a text without a tree was made; nil
	// where there is none.
	Base []int

	// Draft says that the next input overwrites Tree and Choices. [Input.Own] copies them.
	Draft bool

	// All says that the loop needs all labels that the input shows. Otherwise a Test may leave out
	// those that it returned before.
	All bool

	From string // the operator that made it: "random", "regrow", "seed", …

	// Cost is the cost of making and running the input, in any unit shared by all inputs of a
	// loop. A [Test] may set it; 0 is unknown, and the loop then estimates it by size.
	Cost float64
}

// FromTree returns the input for a tree, for use with [Loop.Add].
func FromTree(t *derive.Tree, from string) *Input {
	return &Input{Text: t.AppendText(nil), Tree: t, Choices: t.Choices(), From: from}
}

// Own copies a draft's tree, so that it is not overwritten.
func (in *Input) Own() {
	if in.Draft {
		in.Tree, in.Draft = in.Tree.Clone(), false
		in.Choices = in.Tree.Choices()
	}
}

// Origin returns the choices of the sentence that an input is or was made from; nil where there is
// none. They are not overwritten.
func (in *Input) Origin() []int {
	switch {
	case in.Tree == nil:
		return in.Base
	case in.Draft:
		return slices.Clone(in.Choices)
	}
	return in.Choices
}

// Test runs an input and returns the labels that it showed, in any order; repetitions do no
// harm, and [Input].All says which may be missing. A failing input is not an error: the way it failed is a label. An error ends the loop.
// The loop keeps no reference to the slice, so a Test may reuse it.
type Test func(ctx context.Context, in *Input) ([]Label, error)

// Loop is a feedback loop: it makes inputs, runs them, and derives further inputs from the
// results. A Loop belongs to one goroutine. Several loops, on several goroutines or machines,
// share their finds by passing their Examples to each other's Add.
type Loop interface {
	// Step runs a bounded number of tests, at most some thousands, and returns
	// the first error of the test, the source or the context.
	Step(ctx context.Context) error

	// Add runs an input from elsewhere, a seed or another loop's example, and learns from it. A
	// nil Text is taken from the tree.
	Add(ctx context.Context, in *Input) error

	Stats() Stats

	// Examples returns the inputs from which the loop derives others, in an unspecified order;
	// some lack their trees and choices. The caller may keep and change the slice, but not the
	// inputs.
	Examples() []*Input
}

// Stats are the statistics of a loop.
type Stats struct {
	Tests     int // calls of the test
	Labels    int // distinct labels seen
	Examples  int // inputs that the loop goes on from
	LastNew   int // number of the last test with a new label, from 1; 0 if there is none
	Operators []OperatorStats
}

// OperatorStats are the statistics of one operator.
type OperatorStats struct {
	Name     string
	Tests    int // inputs that it made and that were run
	Labels   int // new labels shown by these inputs
	Examples int // inputs among them that were kept
}

// Options steer a loop. The zero value is valid.
type Options struct {
	Seed uint64 // of the loop's random decisions

	// Budget is the greatest number of tests in one Step; 0 is 256. A Step may make fewer.
	Budget int

	// Compare runs an input again and returns the comparisons of unequal values that the program
	// made. Loop cover then changes values so that they are as the program compares them. It may
	// be nil, and needs [SentenceOptions].Parse.
	Compare func(ctx context.Context, in *Input) ([]gocov.Comparison, error)

	// Fresh is called during Step and Add for each input with new labels, and is given these
	// labels. It may be nil.
	Fresh func(in *Input, labels []Label)
}

const defaultBudget = 256

// Names returns the names of the loops that New accepts.
func Names() []string { return []string{"none", "labels", "cover", "exemplars"} }

// New returns the loop with the given name:
//
//   - none draws every input from scratch and learns nothing; it is the baseline
//     for the others
//   - labels keeps the smallest example for each label, shrinks inputs with new
//     labels and expands its examples: "Fuzzing examples from the ground up" (MacIver)
//   - cover keeps a pool of inputs that showed new labels and changes them by
//     operators, drawn by their earnings: coverage-guided property testing
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
