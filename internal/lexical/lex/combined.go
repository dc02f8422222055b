package lex

// combined is the product automaton of a whole mode. Each state has the candidate that
// wins in it, or -1.
type combined struct {
	d          *dfa
	winner     []int
	candidates []*candidate

	from *reverse  // of d; built on first use
	wins [][]int32 // by candidate: the states in which it wins; built on first use
	at   []int32   // scratch, by state: its number among the states of one candidate, else dead
}

// left returns the automaton of the texts that candidate i wins: its own, without the
// texts of earlier candidates. The cost is linear in the states that lead to such texts.
func (rd *combined) left(i int) *dfa {
	if rd.from == nil {
		rd.from = rd.d.reversed()
		rd.wins = make([][]int32, len(rd.candidates))
		rd.at = make([]int32, rd.d.len())
		for s, w := range rd.winner {
			rd.at[s] = dead
			if w >= 0 {
				rd.wins[w] = append(rd.wins[w], int32(s))
			}
		}
	}
	var states []int32
	visit := func(s int32) {
		if rd.at[s] == dead {
			rd.at[s] = int32(len(states))
			states = append(states, s)
		}
	}
	for _, s := range rd.wins[i] {
		visit(s)
	}
	for k := 0; k < len(states); k++ {
		for _, p := range rd.from.of(states[k]) {
			visit(p)
		}
	}
	out := rd.d.least(states, rd.at, func(s int32) bool { return rd.winner[s] == i })
	for _, s := range states {
		rd.at[s] = dead
	}
	return out
}
