// Package campaign runs a program on sentences of a grammar until time is up, and keeps
// each kind of failure in a folder, shrunk.
//
//	c, err := campaign.New(ctx, g, campaign.Options{
//		Dir: "found", Drive: campaign.ByProcess(target.Command{Args: []string{"jq", ".", "{}"}}),
//	})
//	sum, err := c.Run(ctx) // sum.Findings, sum.Runs
//
// # Sentences
//
// The stream is that of strategy mixed of package stream: sixteen generators take turns, in blocks of 64
// sentences, and a share of the sentences is damaged. In place of the last generator's
// blocks all sentences are enumerated, the smallest first, each of them once. So every
// sentence up to the size that a campaign has covered was run. With a guide (package
// guide) one run in four is of that stream, fewer where its sentences are slow: it has a quarter
// of the time at most. The others are made by the guide, from the
// examples that it keeps. What takes too long teaches it nothing.
//
// # Failures
//
// A run fails by a signal, a report of a sanitizer, a panic, an exception, a
// hang, memory; by exit codes or output where [Failing] says so; by what two
// programs disagree on ([Compare]). Failures of one signature
// ([target.Outcome.Signature]: class, detail and the place that failed, or the message)
// are one finding; where a failure shows no stack, [Explained] looks for one. A finding is
// written to the folder as it is found, run again, shrunk with "fails with the same signature" as the predicate, and
// written again. Other failures that shrinking meets are findings of their own.
//
// # The folder
//
//	DIR/findings/KEY       the text of a finding, as small as it is; nothing else
//	DIR/records/KEY.json   its record, with class, stack and output: the truth
//	DIR/reports/KEY.txt    the same for people, with a line that runs it again
//	DIR/fixed/KEY          the text of a finding that a changed program does not have
//	DIR/damaged            files that could not be read, set aside
//	DIR/queue/HASH         texts that a guide goes on from, or without one a text for each way
//	                       to end and form of sentence; nothing else
//	DIR/runs/N.json        how far a run is; N.lock is held while it lives
//	DIR/index.jsonl        a line for each finding
//	DIR/report.html        the page that is written at the end
//
// KEY is the hash of the signature, HASH that of the text. Everything but
// queue and runs can be made from records; [Open] does so where it is missing.
// A record is synced before its finding is told of: it survives a loss of power.
// Files are written beside and renamed, under a lock of the operating system
// that a dead process does not hold, so any number of runs may share a folder.
// A run that was killed is taken up where it was: sentence i depends on the seed
// and i alone, and at most the last second is run twice.
package campaign
