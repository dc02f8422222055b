package guide

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
)

// automaton is a deterministic automaton over a and b, state 0 first.
type automaton struct {
	next   [][2]int
	accept []bool
}

// build makes an automaton from states named by strings, those reachable from first.
func build(first string, next func(s string, by byte) string, accept func(s string) bool) *automaton {
	a := &automaton{}
	ids := map[string]int{}
	var names []string
	id := func(s string) int {
		if _, ok := ids[s]; !ok {
			ids[s] = len(names)
			names = append(names, s)
		}
		return ids[s]
	}
	id(first)
	for i := 0; i < len(names); i++ {
		a.next = append(a.next, [2]int{id(next(names[i], 'a')), id(next(names[i], 'b'))})
		a.accept = append(a.accept, accept(names[i]))
	}
	return a
}

// minimal returns the class of each state in the minimal automaton, and the number of classes
// (Moore 1956).
func (a *automaton) minimal() ([]int, int) {
	class := make([]int, len(a.next))
	for i, yes := range a.accept {
		if yes {
			class[i] = 1
		}
	}
	for n := 0; ; {
		ids := map[[3]int]int{}
		finer := make([]int, len(class))
		for i := range class {
			key := [3]int{class[i], class[a.next[i][0]], class[a.next[i][1]]}
			if _, ok := ids[key]; !ok {
				ids[key] = len(ids)
			}
			finer[i] = ids[key]
		}
		class = finer
		if len(ids) == n {
			return class, n
		}
		n = len(ids)
	}
}

func (a *automaton) run(text []byte) int {
	at := 0
	for _, c := range text {
		at = a.next[at][c-'a']
	}
	return at
}

// test shows one of two labels.
func (a *automaton) test(_ context.Context, in *Input) ([]Label, error) {
	if a.accept[a.run(in.Text)] {
		return []Label{Named("in")}, nil
	}
	return []Label{Named("out")}, nil
}

// modulo counts a's modulo m and b's modulo n; it accepts where both are 0.
func modulo(m, n int) *automaton {
	return build("0 0", func(s string, by byte) string {
		var i, j int
		fmt.Sscan(s, &i, &j)
		if by == 'a' {
			return fmt.Sprint((i+1)%m, (j)%n)
		}
		return fmt.Sprint(i, (j+1)%n)
	}, func(s string) bool { return s == "0 0" })
}

// divisible accepts the binary numbers divisible by k, with a as 0 and b as 1.
func divisible(k int) *automaton {
	return build("0", func(s string, by byte) string {
		var i int
		fmt.Sscan(s, &i)
		return fmt.Sprint((2*i + int(by-'a')) % k)
	}, func(s string) bool { return s == "0" })
}

// fromEnd accepts strings with an a at the k-th place from the end.
func fromEnd(k int) *automaton {
	return build(strings.Repeat("b", k), func(s string, by byte) string { return s[1:] + string(by) },
		func(s string) bool { return s[0] == 'a' })
}

// word accepts the prefixes of a word, or, if exactly is set, only the word.
func word(w string, exactly bool) *automaton {
	return build("", func(s string, by byte) string {
		if s == "x" || !strings.HasPrefix(w, s+string(by)) {
			return "x"
		}
		return s + string(by)
	}, func(s string) bool { return s == w || s != "x" && !exactly })
}

// contains accepts strings that contain a word.
func contains(w string) *automaton {
	return build("", func(s string, by byte) string {
		if s == w {
			return s
		}
		for s += string(by); !strings.HasPrefix(w, s); s = s[1:] {
		}
		return s
	}, func(s string) bool { return s == w })
}

var languages = []struct {
	name   string
	a      *automaton
	states int // of the minimal automaton
}{
	{"even", modulo(2, 1), 2},
	{"as modulo 3", modulo(3, 1), 3},
	{"as modulo 7", modulo(7, 1), 7},
	{"both modulo 2", modulo(2, 2), 4},
	{"modulo 3 and 4", modulo(3, 4), 12},
	{"modulo 5 and 6", modulo(5, 6), 30},
	{"modulo 5 and 8", modulo(5, 8), 40},
	{"binary, by 3", divisible(3), 3},
	{"binary, by 5", divisible(5), 5},
	{"binary, by 11", divisible(11), 11},
	{"binary, by 17", divisible(17), 17},
	{"second from the end", fromEnd(2), 4},
	{"third from the end", fromEnd(3), 8},
	{"fifth from the end", fromEnd(5), 32},
	{"the word abba", word("abba", true), 6},
	{"prefixes of a word of 10", word("abaabbabab", false), 12},
	{"prefixes of a word of 20", word("abaabbababbbaabaabab", false), 22},
	{"contains aab", contains("aab"), 4},
	{"contains ababab", contains("ababab"), 7},
	{"contains abbaabab", contains("abbaabab"), 9},
}

// TestStates: every state of 20 regular languages is found exactly once. It runs 3 seeds, or 15
// with GRAMFUZZ_LONG.
func TestStates(t *testing.T) {
	if len(languages) != 20 {
		t.Fatalf("%d languages", len(languages))
	}
	runs := 3
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		runs = 15
	}
	for _, lang := range languages {
		t.Run(lang.name, func(t *testing.T) {
			class, n := lang.a.minimal()
			if n != lang.states {
				t.Fatalf("the minimal automaton has %d states, not %d", n, lang.states)
			}
			ns := make([]int, runs)
			for seed := range uint64(runs) {
				loop, err := New("exemplars", sentences(t, `s = [ab]* ;`, SentenceOptions{}), lang.a.test, Options{Seed: seed})
				if err != nil {
					t.Fatal(err)
				}
				found := map[int]string{}
				for loop.Stats().Tests < 200_000 && len(found) < n {
					if err := loop.Step(t.Context()); err != nil {
						t.Fatal(err)
					}
					clear(found)
					for _, in := range loop.Examples() {
						state := class[lang.a.run(in.Text)]
						if other, ok := found[state]; ok {
							t.Fatalf("seed %d: %q and %q are in the same state", seed, other, in.Text)
						}
						found[state] = string(in.Text)
					}
				}
				if len(found) < n {
					t.Errorf("seed %d: %d of %d states found", seed, len(found), n)
				}
				ns[seed] = loop.Stats().Tests
			}
			median, worst := spread(ns)
			t.Logf("%d states after %d tests (median), %d (worst)", n, median, worst)
		})
	}
}
