// Package watched is what the test's programs count the edges of: the example of
// four nested conditions.
package watched

// Bad reports whether a text begins with "bad!".
func Bad(text []byte) bool {
	if len(text) > 0 && text[0] == 'b' {
		if len(text) > 1 && text[1] == 'a' {
			if len(text) > 2 && text[2] == 'd' {
				if len(text) > 3 && text[3] == '!' {
					return true
				}
			}
		}
	}
	return false
}
