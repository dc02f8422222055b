// Package target runs a program on an input in a scratch folder and classifies its failures
// by exit code, signal, timeout and output. A failure has a signature that is equal for
// equal failures.
//
//	runner, err := target.New(target.Command{Args: []string{"jq", ".", "{}"}, Timeout: time.Second})
//	result, err := runner.Run(ctx, []byte(`{"a": 1}`))
//	outcome := target.Classify(result) // outcome.Class, outcome.Signature()
//
// A [Command] is a specification, and a [Runner] is a checked one. Every [Runner.Run] gets a
// fresh scratch folder as working directory (and as TMPDIR), which is removed at the end. It
// also gets a process group of its own, which is killed at the end. On Linux, processes that
// left the group (setsid, double fork) are found by a mark in their environment or by their
// working directory, and killed too. Output beyond the limit is read and dropped, so a
// program that prints endlessly costs time but no memory.
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
// [Bounds] limit the files and processes of a program. On Linux, a control group holds the
// processes if one can be made. An [Isolation] among the bounds keeps the program from the
// network and from writing elsewhere. A [Cage] starts such a program through a helper: the
// current program, started again, whose main must begin with [EnterCage].
//
// On systems other than Linux, there are no limits of memory, files and processes. On Windows,
// there are no process groups, and only the program itself is killed.
//
// The package knows nothing of grammars and imports nothing else of gramfuzz.
package target
