package campaign

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide"
)

// Replayed is the result of running one text of a corpus.
type Replayed struct {
	Name    string `json:"name"`
	Bytes   int    `json:"bytes"`
	Edges   int    `json:"edges"` // edges reached
	New     int    `json:"new"`   // edges reached by no earlier text
	Outcome string `json:"outcome"`
	Failed  bool   `json:"failed"`

	text  []byte
	shown []guide.Label // edges and names, without counts
}

// Line formats the run for people: edges, new ones, the end, the name.
func (r *Replayed) Line() string {
	return fmt.Sprintf("%d\t%d\t%s\t%s\n", r.Edges, r.New, words.Quote(r.Outcome), words.Quote(r.Name))
}

// JSON returns the run as one line of JSON.
func (r *Replayed) JSON() string {
	line, err := json.Marshal(r)
	if err != nil {
		panic(err) // plain fields
	}
	return string(line) + "\n"
}

// Corpus is a set of texts that were run.
type Corpus struct {
	Texts  []*Replayed
	Edges  int // edges of all texts together
	Failed int // texts that failed
}

// Replay runs each text once, in their order, and returns the result of each. Where the program
// reports no edges, only ends and output of runs count.
func (o *Options) Replay(ctx context.Context, texts []Seed, tell func(*Replayed) error) (c *Corpus, err error) {
	d, err := o.Drive(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	c = &Corpus{}
	var seen guide.LabelSet
	for _, s := range texts {
		r, err := d.Run(ctx, s.Text)
		if err != nil {
			return nil, err
		}
		outcome, failed := o.Failing.of(r)
		now := &Replayed{Name: s.Name, Bytes: len(s.Text), Outcome: outcome.String(), Failed: failed, text: s.Text}
		now.shown = o.appendPrinted([]guide.Label{endLabel(&r.Outcome)}, r)
		slices.Sort(now.shown)
		now.shown = slices.Compact(now.shown)
		for i, n := range r.reached() {
			if n == 0 {
				continue
			}
			now.Edges++
			now.shown = append(now.shown, guide.Edge(i, 1))
			if _, first := seen.Add(guide.Edge(i, 1)); first {
				now.New++
			}
		}
		c.Edges += now.New
		if failed {
			c.Failed++
		}
		c.Texts = append(c.Texts, now)
		if err := tell(now); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Least returns few of the texts that together have all labels of all texts: edges, ways to end,
// matches of [Options.Labels]. None of them can be left out, but a smaller set may exist. Among
// texts with as many new labels, it takes the shorter one, then the earlier one.
func (c *Corpus) Least() [][]byte {
	shows := map[guide.Label]int{} // the number of chosen texts that have a label
	left := make([]missing, len(c.Texts))
	for i, r := range c.Texts {
		left[i] = missing{r, slices.Clone(r.shown)}
	}
	var chosen []*Replayed
	for len(left) > 0 {
		best := slices.MaxFunc(left, func(a, b missing) int {
			return cmp.Or(cmp.Compare(len(a.labels), len(b.labels)), cmp.Compare(b.Bytes, a.Bytes))
		})
		chosen = append(chosen, best.Replayed)
		for _, l := range best.shown {
			shows[l]++
		}
		for i := range left {
			left[i].labels = slices.DeleteFunc(left[i].labels, func(l guide.Label) bool { return shows[l] > 0 })
		}
		left = slices.DeleteFunc(left, func(m missing) bool { return len(m.labels) == 0 })
	}
	var texts [][]byte
	for _, r := range chosen {
		if slices.ContainsFunc(r.shown, func(l guide.Label) bool { return shows[l] == 1 }) {
			texts = append(texts, r.text)
			continue
		}
		for _, l := range r.shown {
			shows[l]--
		}
	}
	return texts
}

// missing is a text with those of its labels that no chosen text has.
type missing struct {
	*Replayed
	labels []guide.Label
}
