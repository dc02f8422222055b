package stream_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/load"
)

// behind has "needle" and "thread" behind three choices of ten each.
const behind = `s = x ";" x ;
x = "a"|"b"|"c"|"d"|"e"|"f"|"g"|"h"|"i"| y ; y = "j"|"k"|"l"|"m"|"n"|"o"|"p"|"q"|"r"| z ;
z = "needle"|"thread"|"0"|"1"|"2"|"3"|"4"|"5"|"6"|"7" ;`

// TestTargets checks that walks reach alternatives behind many choices, and two of them at once.
func TestTargets(t *testing.T) {
	g, _, err := load.Source("behind.ebnf", []byte(behind), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const n = 20_000
	needle := func(text string) bool { return strings.Contains(text, "needle") }
	both := func(text string) bool { return needle(text) && strings.Contains(text, "thread") }
	fair := times(t, g, walk, n, needle)
	one, two := times(t, g, weights, n, needle), times(t, g, weights, n, both)
	if one < 5*fair || one < n/100 || two < 5 {
		t.Errorf("%d needles, %d with thread; %d of fair walks", one, two, fair)
	}
}

// TestMinimalWalks checks that three given parts meet in a sentence that has nothing else.
func TestMinimalWalks(t *testing.T) {
	g, _, err := load.Source("levels.ebnf", []byte(levels), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`^\[[xyz]=[xyz]\]$`, `^[xyz]\[[xyz]=[xyz]\]$`} {
		is := regexp.MustCompile(want).MatchString
		fair := times(t, g, walk, 20_000, is)
		weighted := times(t, g, weights, 20_000, is)
		t.Logf("%s: %d times, of fair walks %d", want, weighted, fair)
		if weighted < 4 || weighted < 5*fair {
			t.Errorf("%s: %d of walks with random weights, %d of fair ones", want, weighted, fair)
		}
	}
}
