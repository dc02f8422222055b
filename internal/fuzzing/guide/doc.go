// Package guide implements feedback loops of fuzzing: they run inputs and derive new inputs
// from those that showed new behaviour.
//
//	src, err := guide.NewSentences(g, guide.SentenceOptions{})
//	loop, err := guide.New("cover", src, test, guide.Options{Seed: 1})
//	for err == nil && time.Since(begin) < time.Minute {
//		err = loop.Step(ctx)
//	}
//
// A [Test] runs an input and returns labels: names, edges of the program under test, the
// way in which it ended. The inputs are sentences of a grammar; that of "s = byte* ;" are all
// byte strings. [New] lists the loops.
package guide
