package reduce

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestChoose checks the order of edits. Large edits come first. An edit that overlaps with a failed one
// comes later. An edit of a kind that seldom holds comes later, too.
func TestChoose(t *testing.T) {
	del := func(kind editKind, from, to int) edit {
		e := newEdit(cut{from: from, to: to})
		e.kind = kind
		return e
	}
	es := []edit{
		del(listEdit, 0, 40),
		del(listEdit, 0, 31),     // most of the one before
		del(listEdit, 500, 530),  // nearly as large, elsewhere
		del(jointEdit, 840, 855), // of a kind that seldom holds
		del(listEdit, 850, 865),
		del(hoistEdit, 0, 100), // given up
	}
	rates := usual
	rates[hoistEdit] = 0
	expected := []float64{math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)}
	var got [][2]int
	for _, e := range newNeeds(1000).choose(es, expected, &rates, 0) {
		got = append(got, [2]int{e.cuts[0].from, e.cuts[0].to})
	}
	if diff := cmp.Diff([][2]int{{0, 40}, {500, 530}, {850, 865}, {0, 31}, {840, 855}}, got); diff != "" {
		t.Errorf("order of edits (-want +got):\n%s", diff)
	}
	if rest := newNeeds(1000).choose(es, []float64{1, 1, 1, 1, 1, 1}, &rates, 5); len(rest) != 0 {
		t.Errorf("%d edits save 5 bytes, but the bounds say 1", len(rest))
	}
}

// TestNeeds compares the estimates after random answers with Bayes' rule byte by byte, and the sums
// with additions.
func TestNeeds(t *testing.T) {
	const size = 60
	n := newNeeds(size)
	of := make([]float64, size)
	left := make([]bool, size)
	for i := range of {
		of[i], left[i] = expectedParts/float64(size), true
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		e := edit{}
		for range 1 + random.IntN(3) {
			from := random.IntN(size - 1)
			e.cuts = append(e.cuts, cut{from: from, to: from + 1 + random.IntN(min(8, size-from-1)), with: "xyz"[:random.IntN(3)]})
		}
		slices.SortFunc(e.cuts, outerFirst)
		in := map[int]bool{}
		saves := 0
		for _, c := range e.cuts {
			for i := c.from; i < c.to; i++ {
				in[i] = true
			}
			saves -= len(c.with)
		}
		parts := 0.0
		for i := range size {
			if in[i] {
				parts += of[i]
				if left[i] {
					saves++
				}
			}
		}
		gotParts, gotSaves := n.cut(&e)
		if math.Abs(gotParts-parts) > 1e-9*(1+parts) || gotSaves != saves {
			t.Fatalf("%v: %g parts and %d bytes, want %g and %d", e.cuts, gotParts, gotSaves, parts, saves)
		}
		if random.IntN(20) == 0 {
			n.gone(&e)
			for i := range in {
				of[i], left[i] = 0, false
			}
			continue
		}
		n.failed(&e)
		for i := range in {
			if parts > 0 {
				of[i] = min(of[i]/(1-math.Exp(-parts)), mostNeeded)
			}
		}
	}
}
