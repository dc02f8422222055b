package grammar

import (
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
)

// maxSuggestions bounds the names for which a similar one is searched.
const maxSuggestions = 50

// suggest returns a hint with the rule that name probably meant; "" if no rule is similar.
func (g *Grammar) suggest(name string) string {
	if a, b, ok := strings.Cut(name, "-"); ok && g.names[a] != nil && g.names[b] != nil {
		return fmt.Sprintf("for the difference of the two write %s - %s, with spaces", a, b)
	}
	best, least := "", len(name)/3+1
	for _, r := range g.Rules {
		switch d := words.Distance(name, r.Name, least); {
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
