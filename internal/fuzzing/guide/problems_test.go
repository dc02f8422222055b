package guide

import (
	"context"
	"fmt"
	"hash/crc32"
	"os"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/testing/cputime"
)

// maze is a labyrinth to be walked from S to E by the moves w, a, s and d; a move into a wall
// has no effect.
var maze = []string{
	"###########",
	"#S#     # #",
	"# # ### # #",
	"# #   #   #",
	"# ### ### #",
	"#   #   # #",
	"### ### # #",
	"#         #",
	"# ### ### #",
	"# #     #E#",
	"###########",
}

// mazeTest shows the places on the way of a text of moves.
func mazeTest(_ context.Context, in *Input) ([]Label, error) {
	x, y := 1, 1
	labels := []Label{Named("start")}
	for _, c := range in.Text {
		dx, dy := 0, 0
		switch c {
		case 'w':
			dy = -1
		case 's':
			dy = 1
		case 'a':
			dx = -1
		case 'd':
			dx = 1
		}
		if maze[y+dy][x+dx] == '#' {
			continue
		}
		x, y = x+dx, y+dy
		labels = append(labels, Named(fmt.Sprint(x, y)))
		if maze[y][x] == 'E' {
			return labels, errFound
		}
	}
	return labels, nil
}

// sum8 accepts three letters followed by their sum as a letter; crc accepts letters followed by
// their CRC-32 in hexadecimal. A correct length is the only progress shown.
func sum8(_ context.Context, in *Input) ([]Label, error) {
	if t := in.Text; len(t) == 4 {
		if t[3] == 'a'+(t[0]+t[1]+t[2])%26 {
			return nil, errFound
		}
		return []Label{Named("length")}, nil
	}
	return []Label{Named("start")}, nil
}

func crc(_ context.Context, in *Input) ([]Label, error) {
	if t := in.Text; len(t) == 11 {
		if fmt.Sprintf("%08x", crc32.ChecksumIEEE(t[:3])) == string(t[3:]) {
			return nil, errFound
		}
		return []Label{Named("length")}, nil
	}
	return []Label{Named("start")}, nil
}

// TestProblems prints the number of tests and the CPU time, almost all of it the loop's own, in
// which each loop solves each problem, for bench/guide/RESULTS.md. Some problems suit guidance
// and some do not. Without GRAMFUZZ_LONG=all it runs only the solved ones, with fewer seeds.
func TestProblems(t *testing.T) {
	const most = 40_000
	runs, long := 1, os.Getenv("GRAMFUZZ_LONG") == "all"
	switch os.Getenv("GRAMFUZZ_LONG") {
	case "":
	case "all":
		runs = 5
	default:
		runs = 3
	}
	problems := []struct {
		name, grammar string
		test          Test
		solved        map[string]bool // loops whose median run solves it
	}{
		{"a prefix of 32", `s = [a-z0-9]* ;`, chain("the0quick1brown2fox3jumps4over5t"), map[string]bool{"labels": true, "cover": true}},
		{"a maze", `s = [wasd]* ;`, mazeTest, map[string]bool{"labels": true, "cover": true}},
		{"a sum of 8 bits", `s = [a-z]* ;`, sum8, map[string]bool{"none": true, "labels": true, "cover": true, "exemplars": true}},
		{"a CRC-32", `s = [a-z0-9]* ;`, crc, map[string]bool{}},
	}
	for _, p := range problems {
		for _, name := range Names() {
			if !long && !p.solved[name] {
				continue // unsolved after 40,000 tests
			}
			ns, began := make([]int, runs), cputime.Used()
			for i := range ns {
				ns[i] = testsUntil(t, name, sentences(t, p.grammar, SentenceOptions{}), p.test, Options{Seed: uint64(i)}, most)
			}
			median, worst := spread(ns)
			mean := (cputime.Used() - began) / time.Duration(runs)
			t.Logf("%s, %s: median %d, worst %d tests; %v on average", p.name, name, median, worst, mean.Round(time.Millisecond))
			if p.solved[name] && median > most {
				t.Errorf("%s is not solved by %s within %d tests", p.name, name, most)
			}
			if len(p.solved) == 0 && ns[0] <= most {
				t.Errorf("%s is solved by %s: is the problem what it says?", p.name, name)
			}
		}
	}
}
