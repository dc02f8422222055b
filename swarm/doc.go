// Package swarm makes swarm configurations: each leaves out a random part of
// the grammar, so that what is left has the sentences to itself. The idea is
// from Groce, Zhang, Eide, Chen & Regehr, "Swarm Testing" (ISSTA 2012); keeping
// configurations whole by dependencies is from Groce's tool TSTL.
//
//	sw, err := swarm.New(g, swarm.Options{Mode: swarm.Both})
//	c, err := sw.Config(77)       // the configuration named by seed 77
//	c.Mask()                      // what it switches off, for any sampler
//	c.Name()                      // "both:77"; sw.Parse gives it back
//	s, err := swarm.NewSampler(ctx, sw, swarm.SamplerOptions{Every: 100})
//	s.Source().Text(ctx, 0)       // a new configuration every 100 sentences
//
// # Features
//
// A configuration has or lacks each [Feature] of the grammar: every alternative
// of every choice, the single production of every rule without alternatives,
// every token. What is inside of tokens is no feature unless asked for
// ([Coins], "members"): then alternatives and members of classes are, for a
// swarm over operators or keywords. A configuration becomes a [grammar.Mask], so
// choices, trees and ranks still speak of the full grammar.
//
// A feature produces the rule (or the parenthesis) that it is an alternative of
// and consumes what its body mentions. What a repetition can do without is
// consumed, but not needed.
//
// # Modes
//
// First, each feature is in by a coin of its own (½ unless set). Plain leaves it
// at that. Down and Both then complete the configuration. The start rule is
// pinned as consumed. In turns, until nothing changes:
//
//  1. parents (Both only): for each feature that is in, in the order of the
//     grammar: if something consumes what it produces and no such consumer is
//     in, one of them is added, each equally likely. A consumer that produces
//     the same thing leads nowhere and is not one of them.
//  2. children: for the start and then each feature that is in: for each thing
//     consumed that nothing in produces, one of its producers is added, each
//     equally likely. A producer that needs what it produces is not one of them.
//
// A feature added in a sweep has its turn in the same sweep if it is later in
// the order. If the start then still derives nothing (rules that need each
// other in a circle), one feature is added that makes another thing on the way
// productive, each equally likely, and the turns begin anew.
//
// A configuration of Plain may derive nothing; a [Sampler] and the exact account
// in package dist pass such a configuration over as if it had never been drawn.
package swarm
