// Package dist computes the probability of each sentence, or of each alternative, under a
// strategy and a swarm.
//
//	a, err := dist.New(ctx, sw, dist.Options{Sample: sample.Options{Strategy: sample.Walk}})
//	for _, r := range a.Rows {
//		fmt.Println(r.Name, r.P) // a sentence and its probability, a *big.Rat
//	}
//
// Probabilities are exact fractions if configurations and sentences can be enumerated; otherwise
// they are estimated from samples, with intervals.
//
// A swarm of mode off leaves the strategy alone. The distribution is that of one sentence,
// however many sentences share a configuration. A configuration without a sentence within the
// bound is skipped.
package dist
