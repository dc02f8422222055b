package words

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	for _, test := range []struct {
		name  string
		names []string
		want  string
	}{
		{"nmber", []string{"name", "number", "member"}, "number"},
		{"numbre", []string{"name", "number"}, "number"},
		{"zzz", []string{"number"}, ""},
		{"", []string{"number"}, ""},
		{"number", nil, ""},
		{strings.Repeat("a", 100), []string{strings.Repeat("a", 99)}, ""},
	} {
		if got := Nearest(test.name, test.names); got != test.want {
			t.Errorf("%q among %q: %q, want %q", test.name, test.names, got, test.want)
		}
	}
}

func TestHint(t *testing.T) {
	names := []string{"walk", "uniform"}
	for name, want := range map[string]string{"wlak": `did you mean "walk"?`, "best": "there are walk, uniform"} {
		if got := DidYouMean(name, names); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 3, 0},
		{"kitten", "sitting", 7, 3},
		{"flaw", "lawn", 4, 2},
		{"abc", "abc", 0, 0},
		{"a", "abcdef", 2, 3},
	} {
		if got := Distance(test.a, test.b, test.limit); got != test.want {
			t.Errorf("%q to %q: %d, want %d", test.a, test.b, got, test.want)
		}
		if got := Distance(test.b, test.a, test.limit); got != test.want {
			t.Errorf("%q to %q: %d, want %d", test.b, test.a, got, test.want)
		}
	}
}
