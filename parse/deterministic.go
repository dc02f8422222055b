package parse

import "context"

// stuck is a state in which no action fits the next unit of the input: its place and the
// states of the parser.
type stuck struct {
	place int32
	tops  []top
}

// top is a stack of states with the places where the symbols between them begin.
type top struct {
	states []int32
	places []int32 // places[i] is the beginning of the symbol before states[i]
}

// deterministic parses by a table without conflicts, with one stack, reading every unit once.
// It returns the root of the packed nodes.
func (p *Parser) deterministic(ctx context.Context, t *table, in *input, f *packed) (int32, *stuck, error) {
	states, places := append(p.states[:0], 0), append(p.places[:0], 0)
	labels := append(p.labels[:0], 0) // by state on the stack: the packed node or ^place that led there
	defer func() { p.states, p.places, p.labels = states, places, labels }()
	width := t.alpha.size
	place := int32(0)
	sym, after := in.at(0)
	for steps := 0; ; steps++ {
		if steps&0xffff == 0xffff {
			if err := p.check(ctx, in.memory()+f.memory()+int64(cap(states))*12); err != nil {
				return 0, nil, err
			}
		}
		act := t.actions[int(states[len(states)-1])*width+int(sym)]
		if act > 0 {
			states, places, labels = append(states, act), append(places, place), append(labels, ^place)
			place = after
			sym, after = in.at(place)
			continue
		}
		if act == 0 {
			return 0, &stuck{place, []top{{states, places}}}, nil
		}
		pr := &t.prods[^act]
		n := len(states) - len(pr.rhs)
		id := f.add(^act, labels[n:])
		if pr.lhs == 0 {
			return id, nil, nil
		}
		from := places[n]
		states, places, labels = states[:n], places[:n], labels[:n]
		states = append(states, t.next(states[n-1], pr.lhs))
		places, labels = append(places, from), append(labels, id)
	}
}
