// Command gobugs hunts known bugs in old versions of Go modules, each with the
// grammar of its input language, and prints which are found.
//
//	GRAMFUZZ_DATA=path go run ./bench/gobugs -time 60s -seeds 3 -strategy walk,uniform,swarm,defaults,rapid,gofuzz
//
// The cases are in the folder gobugs of the data folder; each is built in a
// scratch module of its own, in the bug's version and in the one without it, so
// that none of the old modules comes near to gramfuzz's own go.mod. A case is
// found when its own bug is hit: the input fails in the old version in the way
// that the case's signature describes, and not in the fixed one. Failures of
// another kind are counted beside it.
//
// Strategy rapid is a rival: pgregory.net/rapid draws from the same grammar, in
// a program of its own module. Strategy gofuzz is another: Go's own engine, guided by
// coverage, mutates sentences of the grammar as bytes; its time is that of the clock,
// and it knows no -inputs. Else time is CPU time, that of drawing, of the target
// and of judging what fails together, so that what else the machine does matters
// little, though it buys fewer inputs where others use the caches; with -inputs the
// end of a hunt is a number of inputs, and the table is the same each time. Without
// it the defaults leave out what is likely to be slow ([schedule.Pace]), as
// gramtest.Check does. With -enough a case has no further seed once most of its seeds
// have found the bug, or can no longer: what is found with most seeds stays the same.
//
// The inputs go to a process of the case, many at a time; a panic costs a recover,
// a hang or a death the start of a new process, and running those before it again.
//
// It runs on Linux.
package main
