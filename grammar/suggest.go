package grammar

import (
	"fmt"
	"strings"
)

const (
	// maxSuggestions bounds for how many names a similar one is searched.
	maxSuggestions = 50
	// maxCompared bounds the length of names that are compared.
	maxCompared = 64
)

// suggest says which rule was perhaps meant by name, as a hint; "" when none
// is near.
func (g *Grammar) suggest(name string) string {
	if a, b, ok := strings.Cut(name, "-"); ok && g.names[a] != nil && g.names[b] != nil {
		return fmt.Sprintf("for the difference of the two write %s - %s, with spaces", a, b)
	}
	best, least := "", len(name)/3+1
	for _, r := range g.Rules {
		switch d := distance(name, r.Name, least); {
		case r.Inline:
		case strings.EqualFold(name, r.Name):
			return fmt.Sprintf("did you mean %q?", r.Name)
		case d <= least && (best == "" || d < least):
			best, least = r.Name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// Nearest returns the one of names that was perhaps meant by name, "" where none
// is near.
func Nearest(name string, names []string) string {
	best, least := "", len(name)/3+1
	for _, n := range names {
		if d := distance(name, n, least); d <= least && (best == "" || d < least) {
			best, least = n, d
		}
	}
	return best
}

// distance is the number of edits (Levenshtein) between a and b, or limit+1
// where it is certain to be more than limit.
func distance(a, b string, limit int) int {
	if len(a) > maxCompared || len(b) > maxCompared || len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			above := row[j+1]
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(above+1, row[j]+1, diagonal+cost)
			diagonal = above
		}
	}
	return row[len(b)]
}
