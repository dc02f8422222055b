// Speed measures the megabytes of sentences drawn per second of one core's CPU time, uniformly by
// depth. It compares them with those of another program, which takes turns in the same run.
//
//	go -C bench run ./speed -g expr -lengths 30,115,550,2700
//	go -C bench run ./speed -real $GRAMFUZZ_DATA/grammars -n 100000 -strategy uniform,walk -rival 'OTHER GRAMMAR START N'
//	go -C bench run ./speed -g FILE -lengths 30,115 -rival 'OTHER 30;OTHER 115'
//
// A rival is a list of commands separated by semicolons, one for each length. Such a command writes
// sentences to its standard output, one per line. Its user CPU time from start to end counts. With
// -real, Speed draws default sentences, with layout, from each grammar of a folder. The rival is
// then one command, which gets the path of the grammar, its start rule and the number of sentences.
// RESULTS.md has tables that Speed printed.
package main
