package parse

import "math/big"

// countEmpties counts the derivations of every empty nonterminal. They stand in
// no text, so that they are counted once for a table.
func (t *table) countEmpties() {
	counts := make([]*big.Int, len(t.empties))
	type visit struct {
		id   int32
		open bool
	}
	for root := range t.empties {
		stack := []visit{{int32(root), false}}
		for len(stack) > 0 {
			v := &stack[len(stack)-1]
			if counts[v.id] != nil {
				stack = stack[:len(stack)-1]
				continue
			}
			id, was := v.id, v.open
			v.open = true
			sum := new(big.Int)
			for _, p := range t.empties[id] {
				ways := big.NewInt(1)
				for _, s := range t.prods[p].steps {
					switch {
					case s.op != opEmpty:
					case was:
						ways.Mul(ways, counts[s.arg])
					case counts[s.arg] == nil:
						stack = append(stack, visit{s.arg, false})
					}
				}
				sum.Add(sum, ways)
			}
			if was {
				if sum.Cmp(one) == 0 {
					sum = one // the parsers compare the pointer
				} else {
					t.manyEmpties = true
				}
				counts[id] = sum
				stack = stack[:len(stack)-1]
			}
		}
	}
	t.emptyCounts = counts
}

func (p *Parser) emptyCount(id int32) *big.Int { return p.t.emptyCounts[id] }

func (p *Parser) ambiguousEmpties() bool { return p.t.manyEmpties }
