package coverage

import (
	"context"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammars"
)

func TestAlternatives(t *testing.T) {
	for _, name := range grammars.Names() {
		c, err := New(grammars.Must(name), Options{})
		if err != nil {
			t.Fatal(err)
		}
		trees, err := c.Alternatives(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if part := c.Report().Alternatives; part.Reached != part.Total {
			t.Errorf("%s: %d of %d alternatives are taken", name, part.Reached, part.Total)
		}
		again, err := c.Alternatives(context.Background())
		if err != nil || len(again) != 0 {
			t.Errorf("%s: %d more sentences (%v) where all is taken", name, len(again), err)
		}
		if len(trees) == 0 && c.Report().Alternatives.Total > 0 {
			t.Errorf("%s: no sentences", name)
		}
	}
}
