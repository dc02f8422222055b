package schedule

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

// behind has "needle" and "thread" behind three choices of ten each.
const behind = `s = x ";" x ;
x = "a"|"b"|"c"|"d"|"e"|"f"|"g"|"h"|"i"| y ; y = "j"|"k"|"l"|"m"|"n"|"o"|"p"|"q"|"r"| z ;
z = "needle"|"thread"|"0"|"1"|"2"|"3"|"4"|"5"|"6"|"7" ;`

// TestAim: walks reach what lies behind many choices, and two such things at once.
func TestAim(t *testing.T) {
	g, _, err := load.Source("behind.ebnf", []byte(behind), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const n = 20_000
	count := func(l Lane) (one, two int) {
		src := mustNew(t, g, Options{Seed: 1, Lanes: []Lane{l}}).Source()
		for i := range uint64(n) {
			text, err := src.Append(t.Context(), nil, i)
			if err != nil {
				t.Fatal(err)
			}
			needle, thread := strings.Contains(string(text), "needle"), strings.Contains(string(text), "thread")
			if needle {
				one++
			}
			if needle && thread {
				two++
			}
		}
		return one, two
	}
	fair, _ := count(Lane{Strategy: sample.Walk})
	one, two := count(Lane{Tilted: true})
	if one < 5*fair || one < n/100 || two < 5 {
		t.Errorf("%d needles, %d with thread; %d of fair walks", one, two, fair)
	}
}

// TestAimIsBare: three particular things meet in a sentence that has nothing else.
func TestAimIsBare(t *testing.T) {
	g, _, err := load.Source("levels.ebnf", []byte(levels), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`^\[[xyz]=[xyz]\]$`, `^[xyz]\[[xyz]=[xyz]\]$`} {
		re := regexp.MustCompile(want)
		times := func(l Lane) (n int) {
			src := mustNew(t, g, Options{Seed: 1, Lanes: []Lane{l}}).Source()
			for i := range uint64(20_000) {
				text, err := src.Append(t.Context(), nil, i)
				if err != nil {
					t.Fatal(err)
				}
				if re.Match(text) {
					n++
				}
			}
			return n
		}
		fair, aimed := times(Lane{Strategy: sample.Walk}), times(Lane{Tilted: true})
		t.Logf("%s: %d times, of fair walks %d", want, aimed, fair)
		if aimed < 4 || aimed < 5*fair {
			t.Errorf("%s: %d of tilted walks, %d of fair ones", want, aimed, fair)
		}
	}
}
