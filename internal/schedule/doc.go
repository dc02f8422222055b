// Package schedule mixes ways of drawing sentences into one stream, for tests
// and campaigns that do not know yet which way finds the bug.
//
//	s, err := schedule.New(ctx, g, schedule.Options{Seed: 1})
//	src := s.Source()
//	text, err := src.Append(ctx, nil, i)   // damaged, perhaps
//	tree, err := src.Tree(ctx, i)          // as derived, before any damage
//
// The stream is cut into blocks of [Block] sentences, and the blocks go round
// the lanes. The default lanes, sixteen of them:
//
//   - 11 make tilted walks of at most 50 terminals more than the least
//   - 4 make tilted walks under swarm configurations (package swarm, mode both),
//     a new one for each block
//   - 1 draws uniformly by size (package sample): each size from the least to 10
//     terminals more is equally likely, and within a size every derivation
//
// Uniform sentences are few because they are dear: tables come first.
//
// A tilted walk gives each alternative a weight, each repetition a coin and each
// character class a few favourites, and bounds the size; in some tilts a leaf (a
// literal among literals, a character) is mostly what it was the last time in
// the sentence, so that names meet each other, and in some of these any choice that
// leads out of recursion. All of it is drawn anew for every
// 4 sentences, and in three of four tilts the walks are aimed besides: at some
// goals, each an alternative of any choice or the body of any repetition,
// to which they go by the shortest way. Three of four aimed tilts are bare: what is
// not on the way to one of their two to seven goals is the least that there is, or a
// little more. What a fair walk makes once in a million
// sentences, some tilt makes all the time. The idea of random weights is that of swarm testing (Groce
// et al., ISSTA 2012) with dimmers for switches.
//
// A share of the sentences, 1 in 4 unless set, is then damaged (package damage).
//
// Sentence i is a function of (seed, i) alone. [Pace] says which ones to leave out
// where some take far longer than others, [Repeats] which were run before.
package schedule
