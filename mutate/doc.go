// Package mutate damages sentences below their grammar, because many parsers fail
// on inputs that are almost sentences, and reads the dictionaries of other fuzzers.
//
//	words, err := mutate.ParseDictionary("sql.dict", file) // as given to afl-fuzz -x
//	d, err := mutate.New(mutate.Options{Share: 0.25, Words: words})
//	text, changed := d.Append(nil, sentence, seed, i)
//	edits := mutate.Edits(sentence, text) // for the record: the sentence and its changes
//
// What happens to sentence i is a function of (seed, i) and the text alone. The
// unit is the word, as a lexer of most languages would have it: a run of
// letters, digits and underscores, or any other one character. It is found in
// the text and not in the tree, so that damage costs no tree.
//
// The kinds of damage are eighteen, each equally likely: a word is dropped,
// doubled or swapped with another; the text is cut after a word, before one, or
// anywhere, or loses its beginning; one byte is dropped, or one to three; a byte is
// inserted or put in a byte's place; a byte of the sentence, or of a literal, takes
// the place of another; one to eight bytes of the sentence are repeated elsewhere;
// an entry of the dictionary, or a literal of the grammar, is inserted or put in a
// word's place; a run of digits becomes a number at the edge of a type. So 2 in 18
// changes are words of the dictionary, 2 literals and 1 a number.
// A sentence gets one change, with probability 1/2 another, and so on up to 4.
//
// That damaged inputs belong beside valid ones is old lore; cutting a sentence
// short is what finds most ends of input that a parser did not expect.
package mutate
