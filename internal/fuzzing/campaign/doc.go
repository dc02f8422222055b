// Package campaign runs a program on sentences of a grammar until time is up, and keeps each kind
// of failure in a folder, shrunk.
//
//	c, err := campaign.New(ctx, g, campaign.Options{
//		Dir: "found", Drive: campaign.ByProcess(target.Command{Args: []string{"jq", ".", "{}"}}),
//	})
//	sum, err := c.Run(ctx) // sum.Findings, sum.Runs
//
// # Sentences
//
// The stream is that of strategy mixed of package stream: sixteen generators take turns, in
// blocks of 64 sentences, and a share of the sentences is damaged. The blocks of the last
// generator are replaced by an enumeration of all sentences, smallest first, each once. So every
// sentence up to the size that a campaign has covered was run.
//
// With a guide (package guide) one run in four is of that stream where the time of a run is
// unknown; else the stream gets a 32nd of the time. The guide makes the others, from the examples
// that it keeps. It learns nothing from runs that time out.
//
// # Failures
//
// A run fails by a signal, a report of a sanitizer, a panic, an exception, a hang, or memory; by
// exit codes or output that [Failing] selects; by a disagreement of two programs ([Compare]).
// Failures of one signature ([target.Outcome.Signature]: class, detail and the place of the
// failure, or the message) are one finding. Where a failure shows no stack, [Explained] looks for
// one. A finding is written to the folder at once, run again, shrunk with "fails with the same
// signature" as the predicate, and written again. Other failures met during shrinking are
// findings of their own.
//
// # The folder
//
//	DIR/findings/KEY       the smallest text of a finding; nothing else
//	DIR/records/KEY.json   its record, with class, stack and output: the source of all others
//	DIR/reports/KEY.txt    the same for people, with a command that runs it again
//	DIR/fixed/KEY          the text of a finding that a changed program does not have
//	DIR/damaged            files that could not be read, set aside
//	DIR/queue/HASH         examples of a guide, or without one a text for each way
//	                       to end and form of sentence; nothing else
//	DIR/runs/N.json        the progress of a run; N.lock is held while it lives
//	DIR/index.jsonl        a line for each finding
//	DIR/report.html        the page that is written at the end
//
// KEY is the hash of the signature, HASH that of the text. Everything but queue and runs can be
// rebuilt from records; [Open] rebuilds missing files. A record is synced before its finding is
// reported, so it survives a power failure. Files are written beside their paths and renamed,
// under a lock of the operating system that a dead process does not hold, so any number of runs
// may share a folder. A killed run is resumed where it was: sentence i depends on the seed and i
// alone, and at most the last second is run twice.
package campaign
