// Speed measures the megabytes of sentences made per second of one core's CPU time, uniformly by
// depth, and compares them with those of another program in the same run, in turns.
//
//	go run ./bench/speed -g expr -lengths 30,115,550,2700
//	go run ./bench/speed -real $GRAMFUZZ_DATA/grammars -n 100000 -strategy uniform,walk -rival 'OTHER GRAMMAR START N'
//	go run ./bench/speed -g FILE -lengths 30,115 -rival 'OTHER 30;OTHER 115'
//
// A rival is one command for each length, separated by semicolons, that writes sentences to its
// standard output, one per line; its user CPU time from start to end counts. With -real it draws
// default sentences, with layout, from each grammar of a folder. The rival is then one command,
// which gets the path of the grammar, its start rule and the number of sentences. RESULTS.md
// beside it has tables that it printed.
package main
