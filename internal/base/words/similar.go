package words

import (
	"fmt"
	"strings"
)

// maxCompared bounds the length of names that are compared.
const maxCompared = 64

// Nearest returns the most similar of names, "" where none is near.
func Nearest(name string, names []string) string {
	best, least := "", len(name)/3+1
	for _, n := range names {
		if d := Distance(name, n, least); d <= least && (best == "" || d < least) {
			best, least = n, d
		}
	}
	return best
}

// DidYouMean says which of names was perhaps intended, or lists them.
func DidYouMean(name string, names []string) string {
	if near := Nearest(name, names); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "there are " + strings.Join(names, ", ")
}

// Distance returns the number of edits (Levenshtein) between a and b, or limit+1 where it is
// certain to exceed limit. Names longer than 64 bytes are not compared.
func Distance(a, b string, limit int) int {
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
