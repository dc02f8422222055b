// Package pace says which sentences of a stream to leave out in a test: [Slow] those
// that are likely to be slow, [Repeats] those that were run before. What they leave out
// depends on what was run, so they stand beside a stream and are no part of it.
package pace
