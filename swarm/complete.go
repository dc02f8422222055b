package swarm

// draws is the source of randomness of a configuration.
type draws interface {
	// coin comes up heads num times in den.
	coin(num, den uint64) bool
	// below draws one of n numbers, each equally likely.
	below(n int) int
}

// set is a configuration under construction.
type set struct {
	s    *Swarm
	in   []bool
	made []int // by node: producers that are in and do not need the node itself
	used []int // by node: consumers that are in and have another product
}

func (s *Swarm) none() *set {
	return &set{s: s, in: make([]bool, len(s.features)), made: make([]int, len(s.nodes)), used: make([]int, len(s.nodes))}
}

// draw makes a configuration of random draws.
func (s *Swarm) draw(d draws) *set {
	t := s.none()
	t.used[s.start] = 1
	for i, f := range s.features {
		if s.o.Mode == Off && !f.coin.never() || d.coin(f.coin.Num, f.coin.Den) {
			t.add(i)
		}
	}
	if s.o.Mode != Down && s.o.Mode != Both {
		return t
	}
	for {
		t.close(d)
		live := t.live()
		if live[s.start] {
			return t
		}
		i, ok := t.rescue(live, d)
		if !ok {
			return t // New refuses grammars that lead here
		}
		t.add(i)
	}
}

func (t *set) add(i int) {
	f := t.s.features[i]
	t.in[i] = true
	if !f.self {
		t.made[f.produces]++
	}
	for _, u := range f.consumes {
		if u.node != f.produces {
			t.used[u.node]++
		}
	}
}

// close repeats the two steps of completion until nothing changes. Every
// repetition but the last adds a feature, and each costs time linear in the
// features and the nodes they consume.
func (t *set) close(d draws) {
	for changed := true; changed; {
		changed = t.s.o.Mode == Both && t.parents(d)
		changed = t.children(d) || changed
	}
}

// parents adds a consumer for each product that has none in.
func (t *set) parents(d draws) (changed bool) {
	for i, f := range t.s.features {
		n := &t.s.nodes[f.produces]
		if t.in[i] && t.used[f.produces] == 0 && len(n.consumers) > 0 {
			t.add(n.consumers[d.below(len(n.consumers))])
			changed = true
		}
	}
	return changed
}

// children adds a producer for each consumed node that has none in.
func (t *set) children(d draws) bool {
	changed := t.produce(t.s.start, d)
	for i, f := range t.s.features {
		if !t.in[i] {
			continue
		}
		for _, u := range f.consumes {
			changed = t.produce(u.node, d) || changed
		}
	}
	return changed
}

// produce adds a producer of a node if none is in.
func (t *set) produce(node int, d draws) bool {
	can := t.s.nodes[node].producers
	if t.made[node] > 0 || len(can) == 0 {
		return false
	}
	t.add(can[d.below(len(can))])
	return true
}

// live finds the nodes that are productive with the features that are in.
func (t *set) live() []bool {
	live := make([]bool, len(t.s.nodes))
	for changed := true; changed; {
		changed = false
		for i := len(t.s.features) - 1; i >= 0; i-- { // a rule is mostly written above the rules it needs
			f := t.s.features[i]
			if t.in[i] && !live[f.produces] && f.fed(live) {
				live[f.produces], changed = true, true
			}
		}
	}
	return live
}

// fed reports whether every node that the feature needs is live.
func (f *Feature) fed(live []bool) bool {
	for _, u := range f.consumes {
		if u.needed && !live[u.node] {
			return false
		}
	}
	return true
}

// rescue draws a feature that makes another node live, among the nodes that the start needs or
// could need.
func (t *set) rescue(live []bool, d draws) (int, bool) {
	wanted := make([]bool, len(t.s.nodes))
	wanted[t.s.start] = true
	for changed := true; changed; {
		changed = false
		for _, f := range t.s.features {
			if !wanted[f.produces] || f.coin.never() {
				continue
			}
			for _, u := range f.consumes {
				if u.needed && !live[u.node] && !wanted[u.node] {
					wanted[u.node], changed = true, true
				}
			}
		}
	}
	var can []int
	for i, f := range t.s.features {
		if !t.in[i] && !f.coin.never() && wanted[f.produces] && f.fed(live) {
			can = append(can, i)
		}
	}
	if len(can) == 0 {
		return 0, false
	}
	return can[d.below(len(can))], true
}

// takesPart finds the features that occur in some derivation of the start rule.
func (t *set) takesPart() []bool {
	live := t.live()
	part := make([]bool, len(t.in))
	reached := make([]bool, len(t.s.nodes))
	if !live[t.s.start] {
		return part
	}
	reached[t.s.start] = true
	for changed := true; changed; {
		changed = false
		for i, f := range t.s.features {
			if !t.in[i] || part[i] || !reached[f.produces] || !f.fed(live) {
				continue
			}
			part[i], changed = true, true
			for _, u := range f.consumes {
				if live[u.node] {
					reached[u.node] = true
				}
			}
		}
	}
	return part
}
