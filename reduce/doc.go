// Package reduce makes a failing sentence small: it asks a function about
// smaller and smaller candidates and keeps those that it says yes to.
//
//	r, err := reduce.Run(ctx, reduce.Input{Tree: tree}, predicate, reduce.Options{})
//	r.Text, r.Stats.Calls
//
// There is one spine. A pass lists edits of the best sentence so far; a sweep
// asks about them one after the other, each on top of those that held; whatever
// holds and is smaller becomes the best. "Smaller" is one total order,
// [Compare]: the shorter text, then the lesser bytes, then the shorter choice
// sequence, then the lesser choices. Since every accepted step goes down in it,
// a run ends, and passes may be repeated to a fixed point in any mixture.
//
// Passes on choices and trees make sentences of the grammar only: an edited
// choice sequence is replayed through [derive.Replay], which is total, with the
// same hooks that made the original, so names are used only where they are
// defined. Passes on text need no grammar.
//
// A run with several workers asks ahead along the likeliest path, but takes
// answers in the order of a run with one: the result, and what MaxCalls counts,
// are the same for any number of workers.
package reduce
