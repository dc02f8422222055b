// Package schedule mixes several ways of drawing sentences into one stream, for tests
// and campaigns that do not know which way finds the bug.
//
//	s, err := schedule.New(ctx, g, schedule.Options{Seed: 1, Damage: schedule.DefaultDamage})
//	src := s.Source()
//	text, err := src.Append(ctx, nil, i) // damaged, perhaps
//	tree, err := src.Tree(ctx, i)        // as derived, before any damage
//
// The stream is cut into blocks of [Block] sentences, and the generators take a block
// each in turn. There are sixteen by default:
//
//   - 11 make walks with random weights, of at most 50 terminals more than the least
//   - 4 make such walks under swarm configurations (package swarm, mode both), a new
//     one for each block
//   - 1 draws uniformly by size (package sample): each size from the least to 10
//     terminals more is equally likely, and within a size every derivation
//
// Uniform sentences are few because their tables take long.
//
// A walk makes one decision after the other, by a weighting: a weight for each
// alternative, a coin for each repetition, a few favourites for each character class,
// and a limit on the size. A weighting is drawn anew for every 4 sentences. In some,
// the walk mostly repeats what it took last at a choice among literals, at a character,
// or at any choice that leads out of recursion; so names meet each other. A rare
// sentence of a fair walk is frequent under some weighting. This is the idea of swarm
// testing (Groce et al., ISSTA 2012) with dimmers for switches.
//
// Three of four weightings have targets besides, each an alternative of any choice or
// the body of any repetition. The walk goes to them by the shortest way. In three of
// four of these it is minimal: it has two to seven targets, and mostly takes the least
// derivation beside the ways to them.
//
// [Options] may damage a share of the sentences (package mutate).
//
// Sentence i is a function of (seed, i) alone. [Pace] says which ones to leave out
// because they are likely to be slow, [Repeats] which because they were run before.
package schedule
