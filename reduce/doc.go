// Package reduce shrinks an input that makes a program fail, as long as it still
// fails.
//
//	fails := func(ctx context.Context, text []byte) (bool, error) {
//		return !works(text), nil
//	}
//	r, err := reduce.Run(ctx, reduce.Input{Tree: tree}, fails, reduce.Options{})
//	fmt.Printf("%s after %d calls", r.Text, r.Stats.Calls)
//
// A pass lists edits of the best sentence so far. Run tries them one after the
// other, each on top of the accepted ones; a candidate that is smaller and has the
// property becomes the best. "Smaller" is one total order, [Compare]. Since every
// accepted step goes down in it, a run ends, and passes may alternate in any
// mixture until none finds anything.
//
// The passes perses, structure and islands estimate how many bytes each edit will save, and try the
// largest estimate first. Each failed deletion lowers the estimates of edits that overlap with it. The
// idea is that of ProbDD (Wang and others, ESEC/FSE 2021).
//
// Passes on choices and trees make sentences of the grammar only. An edited choice
// sequence is replayed by [derive.Replay], which is total, with the hooks that
// made the original; so names stay defined before their uses. Passes on text need
// no grammar.
//
// A run with several workers asks ahead along the likeliest path, but takes
// answers in the order of a run with one. The result, and what MaxCalls counts,
// are the same for any number of workers.
//
// With [Options].Certify auto goes beyond the edits of its result. It tries the
// smallest sentences of the grammar, as far as counting says that they are few, and
// texts with lesser characters. Then the result depends little on the input.
//
// # Algorithms
//
// [Options].Algorithm is one of these names, or several separated by commas:
//
//	auto        the best order of passes measured; the default
//	ddmin       delete chunks of the choice sequence
//	nop         replace chunks of the choice sequence by a default
//	hypothesis  delete, lower, redistribute, sort spans of choices
//	hdd         least derivations, level by level of the tree
//	perses      descendants, list elements, least derivations
//	probdd      parts of the tree or text, guided by probabilities
//	exhaustive  all smaller derivations of a place, where they are few
//	structure   brackets, blocks, lists, uses of a word; on text
//	islands     perses on the parts of a text that are sentences
//	words       shorter identifiers, numbers, strings; on text
//	spaces      less white space
//	lines       ddmin on lines
//	tokens      ddmin on words, numbers, strings, other characters
//	bytes       ddmin on bytes
package reduce
