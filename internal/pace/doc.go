// Package pace wraps a stream's source for a test, so that the time of the test goes to
// what is new and fast. See [Source].
package pace
