// Package pace filters a stream of sentences for a test: it leaves out repeats and
// sentences that are likely to be slow. See [Source], and [Slow] for sentences that are in no
// stream.
package pace
