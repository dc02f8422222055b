// Package target runs a program on an input in a scratch folder and tells its failures
// apart: by exit code, signal, timeout, output, and a signature that is equal for
// equal failures.
//
//	runner, err := target.New(target.Command{Args: []string{"jq", ".", "{}"}, Timeout: time.Second})
//	result, err := runner.Run(ctx, []byte(`{"a": 1}`))
//	outcome := target.Classify(result) // outcome.Class, outcome.Signature()
//
// A [Command] is a specification, a [Runner] a checked one. Every [Runner.Run]
// gets a fresh scratch folder as working directory (and as TMPDIR), which is
// removed at the end, and a process group of its own, which is killed at the
// end, whoever is still in it. On Linux processes that left the group (setsid,
// double fork) are found by a mark in their environment or by their working
// directory and killed too. Output beyond the limit is read and dropped, so
// that a program that prints without end costs time but no memory.
//
// A [Predicate] answers yes or no for a reducer: [NewScript] asks the exit code
// of a script written for C-Reduce, Shrink Ray, Picire or Perses, [NewMatch]
// asks for an exit code, a signal or a pattern in the output of any command.
// Any other result of a script is an error with a type: [ProgramError],
// [BrokenError], [TimeoutError], [ScratchError].
//
// A process that is itself killed cannot clean up: the program it ran dies with
// it (Linux), and [Sweep] finds and removes the rest later. [Command.Reuse] with
// [Runner.Close] makes runs on a disk several times cheaper.
//
// [Bounds] limit the files and processes of a program; on Linux a control group holds these
// where one can be made. An [Isolation] among them keeps it from the network and from writing
// elsewhere: a [Cage] starts it through a helper, which is the program itself, started anew, so
// its main must begin with [EnterCage].
//
// On systems other than Linux there are no limits of memory, files and processes; on Windows there are no
// process groups, and the program alone is killed.
//
// The package knows nothing of grammars and imports nothing else of gramfuzz.
package target
