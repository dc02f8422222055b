// Package watched is what the test's programs count the edges of.
package watched

// Look has two branches and a loop.
func Look(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] == 'a' {
			n++
		} else if s[i] == 'b' {
			n += look(s[i:])
		}
	}
	return n
}

//go:noinline
func look(s string) int {
	if len(s) > 3 && s[:4] == "bbbb" {
		return 1000
	}
	return 2
}
