package lex

import (
	"math/rand/v2"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// randomDFA returns an automaton with n states; some may be unreachable or dead.
func randomDFA(rnd *rand.Rand, al *alphabet, n int) *dfa {
	d := &dfa{al: al}
	for range n {
		d.addState(rnd.IntN(4) == 0)
	}
	for i := range d.next {
		if rnd.IntN(3) > 0 {
			d.next[i] = int32(rnd.IntN(n))
		}
	}
	return d
}

// shuffled returns d with all states but the start renumbered at random.
func shuffled(rnd *rand.Rand, d *dfa) *dfa {
	to := append([]int{0}, rnd.Perm(d.len()-1)...)
	for i := range to[1:] {
		to[i+1]++
	}
	out := &dfa{al: d.al}
	for range d.len() {
		out.addState(false)
	}
	for s := range d.len() {
		out.accept[to[s]] = d.accept[s]
		for c, t := range d.row(int32(s)) {
			if t != dead {
				out.row(int32(to[s]))[c] = int32(to[t])
			}
		}
	}
	return out
}

// futures tells states apart by the textbook method: pairs are marked until nothing
// changes. Row d.len() is the state that rejects everything.
func futures(d *dfa) [][]bool {
	n := d.len()
	accept := func(s int) bool { return s < n && d.accept[s] }
	next := func(s, c int) int {
		if s == n || d.row(int32(s))[c] == dead {
			return n
		}
		return int(d.row(int32(s))[c])
	}
	differ := make([][]bool, n+1)
	for a := range differ {
		differ[a] = make([]bool, n+1)
		for b := range differ[a] {
			differ[a][b] = accept(a) != accept(b)
		}
	}
	for changed := true; changed; {
		changed = false
		for a := range differ {
			for b := range differ[a] {
				for c := 0; c < d.al.size() && !differ[a][b]; c++ {
					if differ[next(a, c)][next(b, c)] {
						differ[a][b], changed = true, true
					}
				}
			}
		}
	}
	return differ
}

func TestMinimize(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for i := range 2000 {
		al := newAlphabet([]*grammar.Expr{class("abc"[:1+rnd.IntN(3)]), lit("abc"[:1+rnd.IntN(3)])})
		d := randomDFA(rnd, al, 1+rnd.IntN(12))
		least := d.minimize()
		if again := shuffled(rnd, d).minimize(); !again.equal(least) {
			t.Fatalf("case %d: the same texts give other automata:\n%v\n%v", i, least, again)
		}
		// Each text leads to states that agree on acceptance, and every state is reached.
		type pair struct{ a, b int32 }
		seen := map[pair]bool{{0, 0}: true}
		work := []pair{{0, 0}}
		used := make([]bool, least.len())
		for len(work) > 0 {
			p := work[len(work)-1]
			work = work[:len(work)-1]
			if p.b != dead {
				used[p.b] = true
			}
			if (p.a != dead && d.accept[p.a]) != (p.b != dead && least.accept[p.b]) {
				t.Fatalf("case %d: another language", i)
			}
			for c := range al.size() {
				q := pair{dead, dead}
				if p.a != dead {
					q.a = d.row(p.a)[c]
				}
				if p.b != dead {
					q.b = least.row(p.b)[c]
				}
				if !seen[q] {
					seen[q] = true
					work = append(work, q)
				}
			}
		}
		differ := futures(least)
		for a := range least.len() {
			if !used[a] {
				t.Fatalf("case %d: state %d is never reached", i, a)
			}
			for b := range least.len() + 1 {
				if a != b && !differ[a][b] && !(a == 0 && least.empty()) {
					t.Fatalf("case %d: states %d and %d have the same future", i, a, b)
				}
			}
		}
	}
}

// The texts that a candidate wins in the product automaton are its texts minus those of
// the earlier candidates. A straight automaton is determinized like any other.
func TestCombinedAgainstDifferences(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for i := range 300 {
		g := gram()
		for _, name := range []string{"A", "B", "C", "D", "E"} {
			body := randomExpr(rnd, 3, false)
			if rnd.IntN(3) == 0 {
				body = seq(lit("a"), class("ab"), lit("bé"[:1+2*rnd.IntN(2)]))
			}
			g.Rules = append(g.Rules, rule(grammar.Token, name, body))
		}
		r := newResolver(bound(g))
		candidates := r.candidates("")
		rd, err := r.combine(candidates)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range candidates {
			n := r.nfa()
			start, err := n.rule(v.rule, 0)
			if err != nil {
				t.Fatal(err)
			}
			plain, err := n.plain(start)
			if err != nil {
				t.Fatal(err)
			}
			if !plain.equal(v.d.minimize()) {
				t.Fatalf("case %d: the automaton of %s is wrong", i, v)
			}
			want, err := r.without(candidates, v)
			if err != nil {
				t.Fatal(err)
			}
			if got := rd.left(k); !got.equal(want) {
				t.Fatalf("case %d: of %s is left\n%v\nwant\n%v", i, v, got, want)
			}
		}
	}
}
