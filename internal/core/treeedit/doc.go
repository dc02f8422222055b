// Package treeedit finds and replaces parts of derivation trees: the elements of a repetition, and
// subtrees of real texts that are put into sentences.
//
//	starts := treeedit.Starts(tree, i) // node i is a repetition
//	first := tree.Choices()[starts[0].Choice:starts[1].Choice]
//	store := treeedit.NewStore(trees)
//	choices := store.Replace(rng, tree) // the choices of tree, with one subtree of trees
package treeedit
