// Package swarm restricts a grammar to random subsets of its alternatives, so that rare features
// get sentences that the common ones would crowd out.
//
//	sw, err := swarm.New(g, swarm.Options{Mode: swarm.Both})
//	c := sw.Config(77)            // the configuration with seed 77
//	c.Mask()                      // switches features off, for any sampler
//	c.Name()                      // "both:77"; sw.Parse gives c back
//
// Package stream draws from configurations, with a new one every 100 sentences.
//
// The idea is from Groce, Zhang, Eide, Chen & Regehr, "Swarm Testing" (ISSTA 2012). Completing
// configurations by their dependencies is from Groce's tool TSTL.
//
// # Features
//
// A configuration has or lacks each [Feature] of the grammar: every alternative of every choice,
// the single production of every rule without alternatives, and every token. Alternatives and
// class members inside tokens are features only on request ([ParseCoins], "members"), for a swarm
// over operators or keywords. A configuration becomes a [grammar.Mask], so choices, trees and
// ranks still refer to the full grammar.
//
// A feature produces its rule (or parenthesis) and consumes the rules that its body mentions. A
// part that a repetition may omit is consumed, but not needed.
//
// # Modes
//
// First, each feature is in or out by a coin of its own (½ unless set). Plain stops there. Down
// and Both then complete the configuration. The start rule counts as consumed. Two steps
// alternate until nothing changes:
//
//  1. parents (Both only): for each feature that is in, in the order of the
//     grammar: if its product has consumers and none of them is in, one is added,
//     each equally likely. A consumer that produces the same node leads nowhere
//     and does not count.
//  2. children: for the start and then each feature that is in: for each node
//     consumed that no feature in produces, one of its producers is added, each
//     equally likely. A producer that needs its own product does not count.
//
// A feature added in a step has its turn in the same step if it is later in the order. The start
// may then still derive nothing, where rules need each other in a circle. One feature that makes
// another needed node productive is then added, each equally likely, and the steps begin again.
//
// A configuration of Plain may derive nothing. Package stream skips such a configuration as if it
// had never been drawn.
package swarm
