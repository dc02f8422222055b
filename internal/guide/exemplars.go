package guide

import (
	"context"
	"math/bits"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/seen"
	"github.com/gramfuzz/gramfuzz/internal/splitmix"
)

// exemplars is the loop that keeps one exemplar for each distinguishable state
// (MacIver). States are those of the automaton that the test's answers make of the
// prefixes of inputs; an exemplar is a shortest prefix that leads to its state. Two
// prefixes are in different states if some experiment, a string put behind both, makes
// the test show different labels (Myhill and Nerode). So the members of the corpus are
// proved to be different. Prefixes that no experiment has told apart are taken for the
// same, until one does.
type exemplars struct {
	*base
	corpus  []*exemplar
	root    *branch
	texts   *seen.Texts // the strings that were looked at
	known   []string    // the experiments of the tree's branches, without repetition
	answers map[string]answer

	forgetAt    int // the number of tests at which texts is emptied
	forgetAfter int // the tests from then until the next time
}

// exemplar is the best string known of a state: shorter, then lesser.
type exemplar struct {
	prefix
	leaf *branch

	// merged is the number of strings that were found to be no different. The more they
	// are, the fewer experiments are made on the next one.
	merged int
}

// tries returns how many experiments of a kind are made on the next string.
func (e *exemplar) tries(most int) int {
	return max(1, most>>(bits.Len(uint(e.merged))/2))
}

// answer is what a run showed, as a hash of the set of its labels.
type answer uint64

// branch is a node of the discrimination tree: an experiment with a child for each
// answer, or a leaf.
type branch struct {
	experiment string
	children   map[answer]*branch // nil at a leaf
	state      int                // leaf: index in the corpus
	parent     *branch
}

// How two strings are told apart: by so many experiments at most that others are
// told apart by, behind a byte that is known to follow, and by so many
// extensions of either, drawn.
const (
	knownTries = 24
	drawnTries = 8
)

// firstForgetAfter is the number of tests without a new state after which the strings
// taken for the same are looked at again; the next time it is twice as many.
const firstForgetAfter = 2000

// maxAnswers bounds the answers that are remembered.
const maxAnswers = 1 << 17

// maxPrefixes bounds the prefixes of one input that are looked at; of a longer
// one those that are longest.
const maxPrefixes = 256

func newExemplars(b *base) Loop {
	l := &exemplars{base: b, texts: seen.NewTexts(), root: &branch{}, answers: map[string]answer{}, forgetAfter: firstForgetAfter / 2}
	l.corpus = []*exemplar{{prefix: prefix{text: []byte{}}, leaf: l.root}}
	return l
}

// Step draws a state, extends its exemplar to an input, and incorporates every
// prefix of that, until so many tests are made.
func (l *exemplars) Step(ctx context.Context) error {
	for end := l.tests + l.o.Budget; l.tests < end; {
		if l.tests >= l.forgetAt {
			l.forget(2 * l.forgetAfter)
		}
		in, err := l.draw(ctx)
		if err != nil {
			return err
		}
		if err := l.learn(ctx, in); err != nil {
			return err
		}
	}
	return nil
}

// draw makes an input that extends an exemplar, each equally likely.
func (l *exemplars) draw(ctx context.Context) (*Input, error) {
	for range tries {
		in, err := l.src.extend(ctx, l.rng, l.corpus[l.rng.IntN(len(l.corpus))].prefix)
		if in != nil || err != nil {
			return in, err
		}
	}
	return l.src.Random(ctx, l.rng)
}

// learn runs an input and incorporates its prefixes, the shortest first.
func (l *exemplars) learn(ctx context.Context, in *Input) error {
	if _, err := l.ask(ctx, in, true); err != nil {
		return err
	}
	ps := l.src.prefixes(in)
	if n := len(ps) - maxPrefixes; n > 0 {
		ps = ps[n:]
	}
	for _, p := range ps {
		if err := l.incorporate(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// incorporate finds the state of a string that was not seen before: a new one if an
// experiment tells it from the exemplar that answers as it does.
func (l *exemplars) incorporate(ctx context.Context, p prefix) error {
	if !l.texts.Add(p.text) {
		return nil
	}
	states := len(l.corpus)
	leaf, err := l.state(ctx, p)
	if err != nil || len(l.corpus) > states {
		return err
	}
	old := l.corpus[leaf.state]
	if string(old.text) == string(p.text) {
		return nil
	}
	e, err := l.tellApart(ctx, p, old)
	switch {
	case err != nil:
		return err
	case e != nil:
		return l.split(ctx, leaf, p, *e)
	}
	old.merged++
	if less(p.text, old.text) {
		old.prefix = p
	}
	return nil
}

// less is the order of exemplars.
func less(a, b []byte) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return string(a) < string(b)
}

// state walks down the tree. Where a string answers as none did before, it is a
// new state.
func (l *exemplars) state(ctx context.Context, p prefix) (*branch, error) {
	b := l.root
	for b.children != nil {
		a, err := l.answer(ctx, p.text, b.experiment)
		if err != nil {
			return nil, err
		}
		child := b.children[a]
		if child == nil {
			child = &branch{parent: b}
			b.children[a] = child
			l.discover(child, p)
		}
		b = child
	}
	return b, nil
}

// forget lets every string be looked at again. A new state brings an experiment that
// may tell apart strings that were taken for the same. A state to which one string
// alone leads would otherwise be lost by one unlucky look.
func (l *exemplars) forget(rest int) {
	l.texts.Clear()
	for _, e := range l.corpus {
		e.merged = 0
	}
	l.forgetAfter, l.forgetAt = rest, l.tests+rest
}

// discover adds a state to the corpus.
func (l *exemplars) discover(leaf *branch, p prefix) {
	leaf.state = len(l.corpus)
	l.forget(firstForgetAfter)
	l.corpus = append(l.corpus, &exemplar{prefix: p, leaf: leaf})
}

// split divides a leaf by an experiment that tells p from the exemplar there.
func (l *exemplars) split(ctx context.Context, leaf *branch, p prefix, e string) error {
	old := l.corpus[leaf.state]
	was, err := l.answer(ctx, old.text, e)
	if err != nil {
		return err
	}
	is, err := l.answer(ctx, p.text, e)
	if err != nil || is == was {
		return err // a test that answers now so and now otherwise
	}
	old.leaf = &branch{state: leaf.state, parent: leaf}
	child := &branch{parent: leaf}
	l.discover(child, p)
	leaf.experiment, leaf.children = e, map[answer]*branch{was: old.leaf, is: child}
	if !slices.Contains(l.known, e) {
		l.known = append(l.known, e)
	}
	return nil
}

// tellApart looks for an experiment that tells a string from an exemplar; nil
// where it finds none.
func (l *exemplars) tellApart(ctx context.Context, p prefix, t *exemplar) (*string, error) {
	try := func(e string) (bool, error) {
		a, err := l.answer(ctx, p.text, e)
		if err != nil {
			return false, err
		}
		b, err := l.answer(ctx, t.text, e)
		return a != b, err
	}
	if differ, err := try(""); differ || err != nil {
		return new(string), err
	}
	var bytes []string // that follow: first bytes of extensions
	for i := range t.tries(drawnTries) {
		from := p
		if i%2 == 1 {
			from = t.prefix
		}
		in, err := l.src.extend(ctx, l.rng, from)
		if err != nil {
			return nil, err
		}
		if in == nil {
			continue
		}
		e := string(in.Text[len(from.text):])
		if differ, err := try(e); differ || err != nil {
			return &e, err
		}
		if !slices.Contains(bytes, e[:1]) {
			bytes = append(bytes, e[:1])
		}
	}
	// Each once: where there are few, none is left out by chance.
	pairs := l.rng.Perm(len(bytes) * len(l.known))
	for _, i := range pairs[:min(t.tries(knownTries), len(pairs))] {
		e := bytes[i%len(bytes)] + l.known[i/len(bytes)]
		if differ, err := try(e); differ || err != nil {
			return &e, err
		}
	}
	return nil, nil
}

// answer returns what the test shows for a string with an experiment behind it.
func (l *exemplars) answer(ctx context.Context, text []byte, e string) (answer, error) {
	return l.ask(ctx, &Input{Text: append(text[:len(text):len(text)], e...), From: "experiment"}, false)
}

// ask runs an input, unless the answer is remembered.
func (l *exemplars) ask(ctx context.Context, in *Input, always bool) (answer, error) {
	key := string(in.Text)
	if a, ok := l.answers[key]; ok && !always {
		return a, nil
	}
	labels, err := l.run(ctx, in)
	if err != nil {
		return 0, err
	}
	a := answerOf(labels)
	if len(l.answers) >= maxAnswers {
		clear(l.answers)
	}
	l.answers[strings.Clone(key)] = a
	return a, nil
}

// answerOf hashes a set of labels, whatever their order and repetitions.
func answerOf(labels []Label) answer {
	set := slices.Clone(labels)
	slices.Sort(set)
	h := uint64(0)
	for _, l := range slices.Compact(set) {
		h = splitmix.Next(h ^ uint64(l))
	}
	return answer(h)
}

func (l *exemplars) Add(ctx context.Context, in *Input) error { return l.learn(ctx, completed(in)) }

func (l *exemplars) Stats() Stats { return l.stats(len(l.corpus)) }

// Examples returns the exemplars: prefixes of inputs, not all of them whole.
func (l *exemplars) Examples() []*Input {
	ins := make([]*Input, len(l.corpus))
	for i, e := range l.corpus {
		ins[i] = &Input{Text: e.text, Choices: e.choices, From: "exemplar"}
	}
	return ins
}
