package guide

import "context"

// walker walks the automaton that loop exemplars knows: at each state it goes on
// by a byte with a probability in proportion to the number of states reachable
// that way in which an input may end, and ends with that of one. So the way in
// which a grammar groups its alternatives has no influence, and what is behind a
// rare path is reached as often as what is behind a common one.
type walker struct {
	l     *exemplars
	known int // states when the automaton was made
	next  [][]step
	reach []int // by state: in how many states an input may end from there
}

// step is an edge of the automaton.
type step struct {
	by byte
	to int
}

func newWalker(l *exemplars) *walker { return &walker{l: l} }

// maxWalk bounds the length of a walk.
const maxWalk = 1024

// draw walks from the first state until an input may end.
func (w *walker) draw(ctx context.Context) (*Input, error) {
	if err := w.update(ctx); err != nil {
		return nil, err
	}
	text := []byte{}
	at := w.l.corpus[0].leaf.state
	for len(text) < maxWalk {
		steps := w.next[at]
		ends := 0
		if w.l.corpus[at].ends {
			ends = 1
		}
		if len(steps) == 0 || ends+w.sum(steps) == 0 {
			break
		}
		k := pick(w.l.rng, len(steps)+1, func(i int) float64 {
			if i == len(steps) {
				return float64(ends)
			}
			return float64(w.reach[steps[i].to])
		})
		if k == len(steps) {
			break
		}
		text = append(text, steps[k].by)
		at = steps[k].to
	}
	return &Input{Text: text, From: "walk"}, nil
}

func (w *walker) sum(steps []step) int {
	n := 0
	for _, s := range steps {
		n += w.reach[s.to]
	}
	return n
}

// update makes the automaton anew after states were found.
func (w *walker) update(ctx context.Context) error {
	if w.known == len(w.l.corpus) {
		return nil
	}
	w.known = len(w.l.corpus)
	w.next = make([][]step, w.known)
	for i := range w.known {
		var err error
		if w.next[i], err = w.stepsFrom(ctx, i); err != nil {
			return err
		}
	}
	for len(w.next) < len(w.l.corpus) { // found while walking the tree
		w.next = append(w.next, nil)
	}
	w.count()
	return nil
}

// maxMisses is after how many extensions without a new first byte a state is
// taken to have no more.
const maxMisses = 64

// stepsFrom returns the edges of a state: by the bytes that extensions of its
// exemplar begin with.
func (w *walker) stepsFrom(ctx context.Context, i int) ([]step, error) {
	var steps []step
	var done [256]bool
	from := w.l.corpus[i].prefix
	for misses := 0; misses < maxMisses; misses++ {
		in, err := w.l.src.extend(ctx, w.l.rng, from)
		if err != nil {
			return nil, err
		}
		if in == nil || done[in.Text[len(from.text)]] {
			continue
		}
		n := len(from.text) + 1
		done[in.Text[n-1]] = true
		leaf, err := w.l.state(ctx, w.l.src.prefixes(in)[n])
		if err != nil {
			return nil, err
		}
		steps = append(steps, step{in.Text[n-1], leaf.state})
		misses = 0
	}
	return steps, nil
}

// count finds how many states are reachable in which an input may end.
func (w *walker) count() {
	w.reach = make([]int, len(w.next))
	for i := range w.next {
		seen := make([]bool, len(w.next))
		seen[i] = true
		stack := []int{i}
		for len(stack) > 0 {
			k := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if w.l.corpus[k].ends {
				w.reach[i]++
			}
			for _, s := range w.next[k] {
				if !seen[s.to] {
					seen[s.to] = true
					stack = append(stack, s.to)
				}
			}
		}
	}
}
