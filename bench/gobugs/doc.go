// Command gobugs hunts known bugs in old versions of Go modules, each with the
// grammar of its input language, and prints which are found.
//
//	GRAMFUZZ_DATA=path go run ./bench/gobugs -time 60s -seeds 3 -strategy walk,uniform,swarm,defaults,rapid,gofuzz
//
// The cases are in the folder gobugs of the data folder. Each is built in a scratch
// module of its own, in the version with the bug and in the one without, so that the
// old modules stay out of gramfuzz's own go.mod. A case is found when its own bug is
// hit: the input fails in the old version in the way that the case's signature
// describes, and not in the fixed one. Other failures are counted separately.
//
// Strategy rapid is a rival: pgregory.net/rapid draws from the same grammar, in a
// program of its own module. Strategy gofuzz is another: Go's own engine, guided by
// coverage, mutates sentences of the grammar as bytes. Its time is that of the
// clock, and it ignores -inputs.
//
// Otherwise time is CPU time, for drawing, the target and judging together, so that
// the load of the machine matters little; a loaded machine still runs fewer inputs.
// With -inputs a hunt ends after that many, and the table is the same each time.
// Without it the defaults leave out inputs that are likely to be slow
// ([pace.Slow]), as gramtest.Check does. With -enough a case has no further seed
// once most of its seeds have found the bug, or can no longer.
//
// The inputs go to a process of the case, many at a time. A panic costs a recover. A
// hang or a death costs a new process, and another run of the inputs before it.
//
// It runs on Linux.
package main
