// Package guide holds feedback loops: they run inputs and make new ones from those that
// showed something new.
//
//	src, err := guide.NewSentences(g, guide.SentenceOptions{})
//	loop, err := guide.New("cover", src, test, guide.Options{Seed: 1})
//	err = guide.Run(ctx, loop, guide.Budget{Time: time.Minute})
//
// A [Test] runs an input and returns labels: names, edges of the program under test, the
// way in which it ended. The inputs are sentences of a grammar ([NewSentences]) or any
// bytes ([NewBytes]). [New] lists the loops.
package guide
