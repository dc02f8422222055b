// Package hidden is internal.
package hidden

import "example.com/mod/calc"

// Parse is calc's.
func Parse(text []byte) error {
	_, err := calc.Parse(string(text))
	return err
}
