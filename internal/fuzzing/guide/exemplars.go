package guide

import (
	"context"
	"math/bits"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/base/random"
	"github.com/gramfuzz/gramfuzz/internal/base/seen"
)

// exemplars is the loop that keeps one exemplar for each distinguishable state (MacIver). The
// states are those of the automaton that the test's answers define over the prefixes of inputs.
// An exemplar is a shortest prefix that leads to its state. An experiment is a string appended
// to two prefixes. If it makes the test show different labels, the prefixes are in different
// states (Myhill and Nerode), so the members of the corpus are proved to be different. Prefixes
// that no experiment has told apart count as equal until one does.
type exemplars struct {
	*base
	corpus  []*exemplar
	root    *branch
	texts   *seen.Texts // strings already looked at
	known   []string    // experiments of the tree's branches, without duplicates
	answers map[string]answer

	forgetAt    int // number of tests at which texts is emptied
	forgetAfter int // number of tests from then to the next time
}

// exemplar is the best known string of a state: the shortest, then the lexicographically least.
type exemplar struct {
	prefix
	leaf *branch

	// merged is the number of strings found to be equivalent. The more there are, the fewer
	// experiments are made on the next one.
	merged int
}

// tries returns how many experiments of a kind are made on the next string.
func (e *exemplar) tries(most int) int {
	return max(1, most>>(bits.Len(uint(e.merged))/2))
}

// answer is the result of a run: a hash of the set of its labels.
type answer uint64

// branch is a node of the discrimination tree: an experiment with a child for each
// answer, or a leaf.
type branch struct {
	experiment string
	children   map[answer]*branch // nil at a leaf
	state      int                // leaf: index in the corpus
	parent     *branch
}

// knownTries is the greatest number of known experiments tried to tell two strings apart, each
// behind a byte that is known to follow. drawnTries is the greatest number of drawn extensions
// of either string.
const (
	knownTries = 24
	drawnTries = 8
)

// firstForgetAfter is the number of tests without a new state after which merged strings are
// looked at again. It doubles each time.
const firstForgetAfter = 2000

// maxAnswers bounds the number of remembered answers.
const maxAnswers = 1 << 17

// maxPrefixes bounds the prefixes of one input that are looked at; of a longer input, the
// longest ones are taken.
const maxPrefixes = 256

func newExemplars(b *base) Loop {
	b.all = true
	l := &exemplars{base: b, texts: seen.NewTexts(), root: &branch{}, answers: map[string]answer{}, forgetAfter: firstForgetAfter / 2}
	l.corpus = []*exemplar{{prefix: prefix{text: []byte{}}, leaf: l.root}}
	return l
}

// Step draws a state, extends its exemplar to an input, and incorporates every prefix of that
// input. It repeats this until the budget of tests is used up.
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

// draw makes an input that extends an exemplar; each exemplar is equally likely.
func (l *exemplars) draw(ctx context.Context) (*Input, error) {
	for range tries {
		in, err := l.src.extend(ctx, l.rng, l.corpus[l.rng.IntN(len(l.corpus))].prefix)
		if in != nil || err != nil {
			return in, err
		}
	}
	return l.src.Random(ctx, l.rng)
}

// learn runs an input and incorporates its prefixes, shortest first.
func (l *exemplars) learn(ctx context.Context, in *Input) error {
	in.Own()
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

// incorporate finds the state of an unseen string. It is a new state if an experiment
// distinguishes it from the exemplar with the same answers.
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

// less orders strings by length, then lexicographically.
func less(a, b []byte) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return string(a) < string(b)
}

// state walks down the tree. A string with an answer not seen before is a new state.
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

// forget allows every string to be looked at again. A new state brings an experiment that may
// distinguish merged strings. Without this, one unlucky look could lose a state that only one
// string leads to.
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

// split divides a leaf by an experiment that distinguishes p from its exemplar.
func (l *exemplars) split(ctx context.Context, leaf *branch, p prefix, e string) error {
	old := l.corpus[leaf.state]
	was, err := l.answer(ctx, old.text, e)
	if err != nil {
		return err
	}
	is, err := l.answer(ctx, p.text, e)
	if err != nil || is == was {
		return err // the test's answers are not stable
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

// tellApart looks for an experiment that distinguishes a string from an exemplar; nil where it
// finds none.
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
	var bytes []string // first bytes of extensions
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
	// Each pair is tried once, so a small number of pairs is tried completely.
	pairs := l.rng.Perm(len(bytes) * len(l.known))
	for _, i := range pairs[:min(t.tries(knownTries), len(pairs))] {
		e := bytes[i%len(bytes)] + l.known[i/len(bytes)]
		if differ, err := try(e); differ || err != nil {
			return &e, err
		}
	}
	return nil, nil
}

// answer returns the test's answer for a string followed by an experiment.
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

// answerOf hashes a set of labels, ignoring order and repetitions.
func answerOf(labels []Label) answer {
	set := slices.Clone(labels)
	slices.Sort(set)
	h := uint64(0)
	for _, l := range slices.Compact(set) {
		h = random.Next(h ^ uint64(l))
	}
	return answer(h)
}

func (l *exemplars) Add(ctx context.Context, in *Input) error { return l.learn(ctx, completed(in)) }

func (l *exemplars) Stats() Stats { return l.stats(len(l.corpus)) }

// Examples returns the exemplars. They are prefixes of inputs; some are no complete input.
func (l *exemplars) Examples() []*Input {
	ins := make([]*Input, len(l.corpus))
	for i, e := range l.corpus {
		ins[i] = &Input{Text: e.text, Choices: e.choices, From: "exemplar"}
	}
	return ins
}
