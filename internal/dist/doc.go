// Package dist tells with what probability each sentence comes, or each
// alternative: exactly, as fractions, where configurations and sentences can be
// gone through one by one; otherwise estimated from samples, with intervals.
//
//	a, err := dist.New(ctx, sw, dist.Options{Sample: sample.Options{Strategy: sample.Walk}})
//	a.Rows[0].P    // the probability of the first sentence, a *big.Rat
//
// A swarm of mode off gives the strategy by itself. What it tells is the
// distribution of one sentence, whatever the number of sentences that share a
// configuration; a configuration without a sentence within the bound is passed
// over.
package dist
