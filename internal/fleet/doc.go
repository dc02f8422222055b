// Package fleet divides a campaign among machines over NATS JetStream.
//
// A [Hub] is an embedded NATS server; a NATS of one's own does as well. A [Worker] is the
// [campaign.Coordinator] of one process:
//
//	w, err := fleet.Join(ctx, fleet.Options{Dir: "found", Definition: def})
//	c, err := campaign.New(ctx, g, campaign.Options{Dir: "found", Seed: w.Seed(), Coordinator: w, Event: w.Event})
//	err = w.Start(ctx, c.Folder(), c.Number())
//	sum, err := c.Run(ctx)
//	w.Close()
//
// # What the server keeps
//
// A fleet NAME has the key-value buckets gramfuzz_NAME_…:
//
//	state     definition: the settings of the fleet; ledger: the blocks of places
//	workers   a key for each live worker, with its numbers; its life is the lease
//	findings  a key for each kind of failure, with the record of its smallest text
//	entries   a key for each text worth keeping, its hash
//
// the object store gramfuzz_NAME_texts for large texts, and the stream
// gramfuzz_NAME_refuted of texts on which predicates answered no. Every write, but those of
// answers, names the revision that it replaces, so a message that is lost, late or doubled
// changes nothing.
//
// # Leases
//
// The key of a worker expires unless it is renewed. The revision at which it was made is
// the worker's token. The ledger says for each block under way which worker has it, with
// which token, and which places are left; giving a block out, completing it and giving it
// back are changes of the ledger by compare-and-set, which have no effect under another
// token. One change does all of it: each time a worker takes a block, it tells what is left
// of the others. A worker whose key has been gone for a lease is dead, and its blocks are
// given out again.
//
// # Without the hub
//
// Findings and entries are in the worker's own folder first. Without the hub a worker takes
// places that nobody else has (from 2^40 times its number). It sends findings and entries
// when the hub is back.
package fleet
