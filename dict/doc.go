// Package dict holds texts that programs are known to stumble over, and reads
// the dictionaries of other fuzzers.
//
//	words := append(dict.Numbers(), dict.Strings()...)
//	more, err := dict.Parse("sql.dict", file)  // as given to afl-fuzz -x
//
// A dictionary is a list of texts, nothing more. Package damage puts them into
// sentences.
package dict
