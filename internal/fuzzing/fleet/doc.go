// Package fleet divides a campaign among machines over NATS JetStream.
//
// A [Hub] is an embedded NATS server; any other NATS server can replace it. A [Worker] is the
// [campaign.Coordinator] of one process:
//
//	w, err := fleet.Join(ctx, fleet.Options{Dir: "found", Definition: def})
//	c, err := campaign.New(ctx, g, campaign.Options{Dir: "found", Seed: w.Seed(), Coordinator: w, Event: w.Event})
//	err = w.Start(ctx, c.Folder(), c.Number())
//	sum, err := c.Run(ctx)
//	w.Close()
//
// # Data on the server
//
// A fleet NAME has the key-value buckets gramfuzz_NAME_…:
//
//	state     definition: the settings of the fleet; ledger: the blocks of places
//	workers   a key for each live worker, with its numbers; its lifetime is the lease
//	findings  a key for each kind of failure, with the record of its smallest text
//	entries   a key for each text worth keeping, its hash
//
// There is also the object store gramfuzz_NAME_texts for large texts, and the stream
// gramfuzz_NAME_refuted of texts on which predicates answered no. Every write except those of
// answers names the revision that it replaces, so a message that is lost, late or doubled changes
// nothing.
//
// # Leases
//
// The key of a worker expires unless it is renewed. The revision at which it was created is the
// worker's token. The ledger has for each unfinished block its worker, the worker's token, and
// the places left. Giving a block out, completing it and giving it back are changes of the ledger
// by compare-and-set, which have no effect under another token. One change does all of it: each
// time a worker takes a block, it reports the places left in its others. A worker whose key has
// been gone for a lease is dead, and its blocks are given out again.
//
// # Without the hub
//
// Findings and entries are in the worker's own folder first. Without the hub a worker takes
// places that no other worker has (from 2^40 times its number). It sends findings and entries
// when the hub is back.
package fleet
