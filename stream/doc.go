// Package stream, which may change, draws numbered streams of sentences, as plans describe them, and wraps them:
// shards, filters, swarms, damage.
//
//	p := &stream.Plan{Strategy: "walk", Seed: 7, Damage: 0.25}
//	s, err := p.Open(ctx, grammars.Must("json"), stream.Options{})
//	src := s.Source()                    // one for each goroutine
//	text, err := src.Append(ctx, nil, 0) // sentence 0
//	tree, err := src.Tree(ctx, 0)        // its derivation, before any damage
//	rec, err := s.Records().Record(ctx, 0)
//	plan, number, err := stream.PlanOf(rec) // the way back
//
// A [Plan] holds everything that decides a sentence, and can be kept as JSON. One table, in
// combine.go, lists the fields that exclude each other. [Stream.Shard], [Stream.Filter],
// [Stream.NoRepeats], [Stream.Damage] and [Swarm] wrap any stream, also one of another generator
// ([New]). [InOrder] draws with several goroutines.
//
// # Strategy mixed
//
// Nobody knows in advance which strategy finds a bug. So strategy mixed cuts the stream into
// blocks of [Block] sentences, and the generators of [DefaultMix] draw a block each in turn.
//
// Most of them are walks with random weights: they make one decision after the other, by a weight
// for each alternative, a coin for each repetition, a few favourites for each character class,
// and a limit on the size. A weighting is drawn anew for every four sentences. Three of four
// weightings also have targets, each an alternative of any choice or the body of any repetition.
// The walk takes the shortest way to them. In three of four weightings with targets, the walk is
// minimal: it has two to seven targets, and mostly takes the least derivation beside the ways to
// them.
//
// Strategy broad is a mix of three generators that take turns sentence by sentence: strategy
// balanced, walks with random weights, and plain walks. Its first thousand sentences reach more
// than those of strategy mixed.
package stream
