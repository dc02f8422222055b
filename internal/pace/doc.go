// Package pace says which sentences of a stream to leave out in a test: [Slow] those
// that are likely to be slow, [Repeats] those that were run before. The answers depend on
// the clock and on earlier runs, so both stand beside a stream and are no wrappers of one:
// sentence i stays sentence i.
package pace
