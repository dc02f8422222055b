// Package guide holds feedback loops: they run inputs, look at what the runs
// showed, and go on from what showed something new.
//
//	src, err := guide.NewSentences(g, guide.SentenceOptions{})
//	loop, err := guide.New("cover", src, test, guide.Options{Seed: 1})
//	err = guide.Run(ctx, loop, guide.Budget{Time: time.Minute})
//
// A [Test] runs an input and returns [Label] values: names, edges of the program
// under test, how it ended. The inputs are sentences of a grammar or, with
// [NewBytes], any bytes.
package guide
