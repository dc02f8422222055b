package notation

import "github.com/gramfuzz/gramfuzz/grammar"

// LikeOptional warns about a class that looks like an optional part. [ "a" ] is one character here,
// but an optional part in other notations. Such a class has a quote or a blank twice among singles,
// its single characters in the order written. do is the advice on writing an optional part. Without
// a warning LikeOptional returns nil.
func LikeOptional(pos grammar.Pos, singles []rune, do string) grammar.Diagnostics {
	seen := make(map[rune]bool)
	for _, r := range singles {
		if seen[r] {
			return grammar.Diagnostics{{Severity: grammar.Warning, Pos: pos, Code: "class-like-group",
				Message: "[…] is one character of those inside, quotes and blanks too",
				Hint:    "write " + do + " if an optional part is meant, else each character once"}}
		}
		if r == '"' || r == '\'' || r == ' ' {
			seen[r] = true
		}
	}
	return nil
}
