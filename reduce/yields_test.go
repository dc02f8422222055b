package reduce

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGivenUp checks that only unlikely edits are given up, and only after failures in the same pass.
func TestGivenUp(t *testing.T) {
	s := newSearch(t.Context(), nil, Options{})
	s.givesUp = true
	s.countAs(perses.name)
	for k := range usual {
		for range 1000 {
			if s.givenUp(editKind(k)) {
				break
			}
			s.learn(editKind(k), true, false, 0)
		}
	}
	var got []string
	for k := range usual {
		if s.givenUp(editKind(k)) {
			got = append(got, editKinds[k])
		}
	}
	if diff := cmp.Diff([]string{"hoist", "joint", "all alike"}, got); diff != "" {
		t.Errorf("kinds given up after failures (-want +got):\n%s", diff)
	}
	s.countAs(structure.name)
	if s.givenUp(hoistEdit) {
		t.Error("hoists are given up in a pass that tried none")
	}
}
