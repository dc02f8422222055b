// Command gobugs hunts known bugs in old versions of Go modules, each with the
// grammar of its input language, and prints the bugs found.
//
//	GRAMFUZZ_DATA=path go -C bench run ./gobugs -time 60s -seeds 3 -strategy walk,uniform,swarm,defaults,rapid,gofuzz
//
// The cases are in the folder gobugs of the data folder. Each is built in its own
// scratch module, once with the bug and once with the fix, so that the old modules
// stay out of gramfuzz's go.mod. A case counts as found when an input hits its own
// bug: the old version fails as the case's signature describes, and the fixed
// version does not fail. Other failures are counted separately.
//
// Strategy guided is a campaign, gramfuzz fuzz --go with --guide cover and one worker.
//
// Two strategies are rivals. With rapid, pgregory.net/rapid draws from the same
// grammar, in a program in its own module. With gofuzz, Go's own coverage-guided
// engine mutates sentences of the grammar as bytes. The time of gofuzz is elapsed
// time, and it ignores -inputs.
//
// All other times are CPU times of drawing, the target and judging together, so
// they depend little on the load of the machine; a loaded machine still runs fewer
// inputs. With -inputs a hunt ends after that many inputs, and the table is the
// same each time. Without it, the defaults leave out inputs that are likely to be
// slow ([pace.Slow]), as gramtest.Check does. With -enough, hunts of a case end once
// the remaining seeds cannot change whether most seeds find the bug.
//
// The inputs go to a process of the case, many at a time. A panic costs only a
// recover. A hang or the death of the process costs a new process and another run
// of the inputs before it.
//
// It runs on Linux.
package main
