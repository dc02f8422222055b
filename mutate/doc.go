// Package mutate, which may change, damages sentences below their grammar and reads the dictionaries of
// other fuzzers. Many parsers fail on texts that are almost sentences.
//
//	words, err := mutate.ParseDictionary("sql.dict", file) // as given to afl-fuzz -x
//	d, err := mutate.New(mutate.Options{Share: 0.25, Words: words, Grammar: g})
//	text, changed := d.Append(nil, sentence, seed, i)
//	edits := mutate.Edits(sentence, text) // for the record of the sentence
//	text, err = mutate.Apply(sentence, edits)
//
// The damage of sentence i is a function of (seed, i) and the text alone. Its unit is
// the word, as a lexer of most languages would have it: a run of letters, digits and
// underscores, or any other one character. Words are found in the text, so damage
// needs no derivation tree.
//
// There are eighteen kinds of damage, each equally likely:
//
//   - a word is dropped, doubled or swapped with another
//   - the text is cut after a word, before one, or anywhere, or loses its beginning
//   - one byte is dropped, or one to three are
//   - a byte is inserted or replaces another
//   - a byte of the sentence, or of a literal of the grammar, replaces another
//   - one to eight bytes of the sentence are repeated elsewhere
//   - an entry of the dictionary, or a literal of the grammar, is inserted or replaces
//     a word
//   - a run of digits becomes a number at the limit of a type
//
// A sentence gets one change, with probability 1/2 another, and so on up to 4.
package mutate
