package gramtest

import (
	"bytes"
	"context"
	"errors"
	"time"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/mutate"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/reduce"
	"github.com/gramfuzz/gramfuzz/stream"
)

// input is a sentence to be shrunk and recorded: a tree and its text, which may be damaged.
type input struct {
	index   uint64
	tree    *derive.Tree // nil: the grammar has changed since it was recorded
	choices []int        // of the tree, until a failing input of a guide gets it
	text    []byte
	damaged bool
}

// input returns sentence i.
func (r *runner) input(ctx context.Context, i uint64) (*input, error) {
	text, err := r.src.Append(ctx, nil, i)
	if err != nil {
		return nil, err
	}
	tree, err := r.src.Tree(ctx, i)
	if err != nil {
		return nil, err
	}
	place, err := stream.PlaceOf(ctx, r.src, i)
	return &input{index: i, tree: tree, text: text, damaged: place.Damaged}, err
}

// ended is the final result for a failure.
type ended struct {
	in      *input
	failure *failure
	from    int // bytes before shrinking
	calls   int
	note    string // reason why it was not shrunk, or not completely
	old     string // fail file that it was read from, "" for a new failure
}

// asker runs the property on one text and returns its failure, nil if there was none.
type asker func(ctx context.Context, text []byte, damaged bool) (*failure, error)

// shrunk returns the result of shrinking a failing sentence.
func (r *runner) shrunk(ctx context.Context, in *input, f *failure) *ended {
	e := &ended{in: in, failure: f, from: len(in.text)}
	if r.c.shrink <= 0 {
		return e
	}
	s := &shrinker{r: r, e: e, ask: r.ask, left: r.c.shrink}
	if f.fatal() {
		c, err := r.newChild()
		if err != nil {
			e.note = "it was not shrunk: " + err.Error()
			return e
		}
		defer c.close()
		s.ask, s.left = c.ask, min(s.left, mostDeaths)
	}
	s.run(ctx)
	return e
}

// mostDeaths bounds the calls of a property in child processes, each of which may end a process
// or hang until its timeout.
const mostDeaths = 500

// shrinkTime bounds the time to shrink one failure.
const shrinkTime = time.Minute

type shrinker struct {
	r       *runner
	e       *ended
	ask     asker
	left    int
	certify int // calls for the search beyond edits in each step
	hangs   int
}

// errHangs ends shrinking when candidates hang in this process: each leaves a goroutine behind.
var errHangs = errors.New("candidates hang")

// run shrinks in two steps: first within the grammar, with the damage kept in place; then below
// the grammar, if damage is allowed at all.
func (s *shrinker) run(ctx context.Context) {
	s.r.fallback = s.e.in.tree
	first, err := s.ask(ctx, s.e.in.text, s.e.in.damaged)
	switch {
	case err != nil:
		s.e.note = "it was not shrunk: " + err.Error()
		return
	case first == nil && s.e.failure.kind != kindHang:
		s.e.note = "it did not fail when it was run again: the property does not depend on the sentence alone"
		return
	case first == nil:
		s.e.note = "it did not hang when it was run again: the machine may have been busy"
		return
	}
	s.e.failure = first // as the asker sees it: after a death there is no frame
	if !first.fatal() {
		s.certify = s.left / 4
	}
	if err := s.within(ctx); err != nil {
		s.e.note = "shrinking ended early: " + err.Error()
		return
	}
	if s.r.c.draw.Damage > 0 || s.e.in.damaged {
		if err := s.below(ctx); err != nil {
			s.e.note = "shrinking ended early: " + err.Error()
		}
	}
}

// fails runs a candidate and returns its failure if it is the same, else nil.
func (s *shrinker) fails(ctx context.Context, text []byte, damaged bool) (*failure, error) {
	f, err := s.ask(ctx, text, damaged)
	if err != nil || !s.e.failure.same(f) {
		if f != nil && f.kind == kindHang && s.e.failure.kind != kindHang {
			s.hangs++
			if s.hangs > 2 {
				return nil, errHangs
			}
		}
		return nil, err
	}
	return f, nil
}

// options returns the options of both steps.
func (s *shrinker) options() reduce.Options {
	return reduce.Options{MaxCalls: max(1, s.left), Time: shrinkTime, Derive: s.r.deriveOptions(), Certify: s.certify}
}

// deriveOptions returns the options to derive sentences again. A lexer that cannot be built has been
// reported by drawing.
func (r *runner) deriveOptions() (o derive.Options) {
	o.Layout, _ = derive.NewLayout(r.g, derive.Tight)
	if r.c.draw.Hooks != nil {
		o.Hooks = r.c.draw.Hooks()
	}
	return o
}

// within shrinks the tree. The damage is one edit of its text. A change of the sentence before
// the edit keeps the edit's distance from the end; a change after it keeps its distance from
// the beginning. Each candidate is tried with both.
func (s *shrinker) within(ctx context.Context) error {
	in := s.e.in
	if in.tree == nil {
		return nil
	}
	base := in.tree.AppendText(nil)
	edits := mutate.Edits(base, in.text)
	if len(edits) > 0 {
		// The failure may not need the damage.
		f, err := s.fails(ctx, base, false)
		if err != nil {
			return err
		}
		if f != nil {
			s.e.failure, in.text, in.damaged, edits = f, base, false, nil
		}
	}
	return s.reduceTree(ctx, base, edits)
}

// reduceTree reduces the tree, whose text is base. The tried texts are those of candidate trees
// with at most one edit.
func (s *shrinker) reduceTree(ctx context.Context, base []byte, edits []derive.Edit) error {
	var last *failure
	var failing []byte // the text of last
	in := s.e.in
	length, damaged := len(base), in.damaged
	predicate := func(ctx context.Context, text []byte) (bool, error) {
		for _, t := range variants(text, length, edits) {
			f, err := s.fails(ctx, t, damaged)
			if f != nil || err != nil {
				last, failing = f, t
				return f != nil, err
			}
		}
		return false, nil
	}
	o := s.options()
	o.Best = func(text []byte, tree *derive.Tree) error {
		if tree != nil {
			in.tree, s.r.fallback = tree, tree
		}
		s.e.failure, in.text = last, failing
		if len(edits) > 0 {
			length, edits = len(text), mutate.Edits(text, failing)
		}
		return nil
	}
	res, err := reduce.Run(ctx, reduce.Input{Tree: in.tree}, predicate, o)
	if res != nil {
		s.left -= res.Stats.Calls
		s.e.calls += res.Stats.Calls
	}
	if errors.Is(err, reduce.ErrNotInteresting) {
		return nil // the replayed tree has another text; the failing text is reduced later
	}
	return err
}

// variants returns the texts with the edit of a text of the given length moved to another text:
// at the same distance from the beginning, and from the end.
func variants(text []byte, length int, edits []derive.Edit) [][]byte {
	if len(edits) == 0 {
		return [][]byte{text}
	}
	var out [][]byte
	for _, at := range []int{edits[0].At, len(text) - (length - edits[0].At)} {
		e := edits[0]
		e.At = at
		if t, err := mutate.Apply(text, []derive.Edit{e}); err == nil && (len(out) == 0 || string(out[0]) != string(t)) {
			out = append(out, t)
		}
	}
	return out
}

// below shrinks the text without the grammar and accepts the result if it is smaller.
func (s *shrinker) below(ctx context.Context) error {
	var last, best *failure
	o := s.options()
	o.Best = func([]byte, *derive.Tree) error {
		best = last
		return nil
	}
	res, err := reduce.Run(ctx, reduce.Input{Text: s.e.in.text}, func(ctx context.Context, text []byte) (bool, error) {
		f, err := s.fails(ctx, text, true)
		if f != nil {
			last = f
		}
		return f != nil, err
	}, o)
	if errors.Is(err, reduce.ErrNotInteresting) {
		return nil // the property asks whether the text is damaged
	}
	if res != nil {
		s.e.calls += res.Stats.Calls
	}
	if res == nil || reduce.Compare(res.Text, nil, s.e.in.text, nil) >= 0 {
		return err
	}
	s.e.failure, s.e.in.text, s.e.in.damaged = best, res.Text, true
	if err != nil {
		return err
	}
	return s.again(ctx)
}

// again accepts a text that was shrunk byte by byte as a sentence, if it is one and still
// fails.
func (s *shrinker) again(ctx context.Context) error {
	tree, err := s.r.parseOnly(ctx, s.e.in.text)
	if err != nil {
		return ctx.Err()
	}
	f, err := s.fails(ctx, s.e.in.text, false)
	s.e.calls++
	if f != nil {
		s.e.failure, s.e.in.tree, s.e.in.damaged = f, tree, false
	}
	return err
}

// ask runs the property in this process.
func (r *runner) ask(ctx context.Context, text []byte, damaged bool) (*failure, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := &T{name: r.tb.Name()}
	s := &Sentence{text: append([]byte(nil), text...), damaged: damaged, t: t, tree: func() (*derive.Tree, error) { return r.parse(ctx, text) }}
	var f, exited *failure
	done := make(chan struct{})
	go func() {
		defer close(done)
		f = call(r.prop, t, s, &exited)
	}()
	var late <-chan time.Time
	if r.c.timeout > 0 {
		timer := time.NewTimer(r.c.timeout)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-done:
		if exited != nil {
			return exited, nil
		}
		return f, nil
	case <-late:
		return &failure{kind: kindHang, text: text, message: "the property takes longer than " + r.c.timeout.String()}, nil
	}
}

// parse returns the tree of a candidate; if the text is no sentence, that of the last sentence.
func (r *runner) parse(ctx context.Context, text []byte) (*derive.Tree, error) {
	if r.fallback != nil && bytes.Equal(r.fallback.AppendText(nil), text) {
		return r.fallback, nil
	}
	t, err := r.parseOnly(ctx, text)
	if err != nil && r.fallback != nil {
		return r.fallback, nil
	}
	return t, err
}

func (r *runner) parseOnly(ctx context.Context, text []byte) (*derive.Tree, error) {
	p, err := parse.New(ctx, r.g, parse.Options{})
	if err != nil {
		return nil, err
	}
	f, err := p.Parse(ctx, r.g.Name, string(text))
	if err != nil {
		return nil, err
	}
	names, err := gctx.New(r.g, gctx.Options{})
	if err != nil {
		return nil, err
	}
	return f.Obeying(ctx, names)
}
