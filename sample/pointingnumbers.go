package sample

import (
	"context"
	"fmt"
	"math/big"
	"sync"

	"github.com/gramfuzz/gramfuzz/internal/core"
)

// option is one of the options of a draw. Its weight is a product: of the number of
// derivations of a first node, of the number of contexts of a second one, either of which may
// be [core.None], and of a power of the scale.
type option struct {
	first             core.NodeID
	step              int
	around            core.NodeID
	context, consumed int
}

// pointedNumbers are the numbers inside and outside. By size they are floating-point numbers,
// backed by exact ones that are made when first needed; by depth they are exact.
type pointedNumbers struct {
	f  *core.Floats
	fo *core.FloatsOutside

	once  sync.Once
	table *core.Table
	out   *core.Outside
	err   error
}

func (n *pointedNumbers) has(id core.NodeID, step int) bool {
	if n.f == nil {
		return n.table.Count(id, step).Sign() > 0
	}
	return n.f.Has(id, step)
}

// steps returns the least and the greatest step up to most at which a node may have a derivation.
func (n *pointedNumbers) steps(id core.NodeID, most int) (first, last int) {
	if n.f == nil {
		return 0, most
	}
	first, last = n.f.Sizes(id)
	return first, min(last, most)
}

func (n *pointedNumbers) hasContext(id core.NodeID, at int) bool {
	if n.f == nil {
		return n.out.Count(id, at).Sign() > 0
	}
	return n.fo.At(id, at) != 0
}

// approximate returns the scaled weight of an option and a bound on its relative error; 1
// means that nothing is known.
func (n *pointedNumbers) approximate(o *option) (w, e float64) {
	if n.f == nil {
		return 0, 1
	}
	w = 1
	if o.first != core.None {
		w, e = n.f.At(o.first, o.step), n.f.Error(o.first, o.step, 0)
	}
	if o.around != core.None {
		w *= n.fo.At(o.around, o.context)
		e += n.fo.Error(o.around, o.context, 0)
	}
	for range o.consumed {
		w *= n.f.Scale
	}
	return w, min(1, 2*e+float64(o.consumed+4)*0x1p-53)
}

// exact returns the weight of an option.
func (n *pointedNumbers) exact(o *option) (*big.Int, error) {
	n.once.Do(func() {
		if n.table != nil {
			return
		}
		n.table, n.err = core.NewTable(context.Background(), n.f.Program, 0, n.f.Max, nil)
		if n.err == nil {
			n.out, n.err = core.NewOutside(context.Background(), n.table)
		}
	})
	if n.err != nil {
		return nil, fmt.Errorf("settling a draw: %w", n.err)
	}
	w := big.NewInt(1)
	if o.first != core.None {
		w.Mul(w, n.table.Count(o.first, o.step))
	}
	if o.around != core.None {
		w.Mul(w, n.out.Count(o.around, o.context))
	}
	return w, nil
}
