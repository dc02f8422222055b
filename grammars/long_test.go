package grammars_test

import "os"

// long returns some, or more with GRAMFUZZ_LONG=1, or all with GRAMFUZZ_LONG=all. Tests that start
// programs of others give the same number for some and more: their whole tables are for hands.
func long(some, more, all int) int {
	switch os.Getenv("GRAMFUZZ_LONG") {
	case "":
		return some
	case "all":
		return all
	}
	return more
}
