// Package gramtest tests parsers, interpreters and other readers of text with
// sentences of a grammar:
//
//	package parser_test
//
//	import (
//		"encoding/json"
//		"testing"
//
//		"github.com/gramfuzz/gramfuzz/grammars"
//		"github.com/gramfuzz/gramfuzz/gramtest"
//	)
//
//	func TestParse(t *testing.T) {
//		gramtest.Check(t, grammars.Must("json"), func(t *gramtest.T, s *gramtest.Sentence) {
//			if !json.Valid(s.Text()) {
//				t.Errorf("a sentence of the grammar is refused")
//			}
//		}, gramtest.Valid())
//	}
//
// [Valid] draws sentences of the grammar only. Leave it out, and one sentence in four
// is damaged; [Damage] sets another share. A parser may refuse a damaged sentence but
// must not panic or hang, and a property asks [Sentence.Damaged]:
//
//	if !json.Valid(s.Text()) && !s.Damaged() {
//
// [Check] draws sentences and calls the property with each. [Agree] compares two
// implementations. [Fuzz] is for go test -fuzz.
//
// # Sentences
//
// The sentences come from several generators in turn: walks with random weights,
// some of them in a random part of the grammar ("swarm testing"), and uniform
// sampling by size. One sentence in four is damaged; [Valid] turns that off. With
// [Guide], new sentences are made from earlier ones that reached new code. [Seeds] are real texts
// for it to begin with.
//
// The environment variable GRAMFUZZ_SEED gives the seed if no option does; otherwise the seed
// is random.
//
// # Failures
//
// A sentence on which the property fails or panics is shrunk to a minimal one that
// fails in the same way. The last quarter of the calls ([Shrink]) goes to the smallest
// sentences of the grammar, so that one bug gives one minimal sentence whatever the
// seed; a property that takes milliseconds gets fewer. The minimal sentence is printed
// with a line that replays it, and with its derivation tree if it has one that is small.
// It is kept as a record under testdata/gramfuzz/, which every later run tries first.
//
// Two failures are the same if their kinds, the types of their panic values, the lines of their
// failing frames and their messages are the same. The failing frame is the first one outside of
// Go's library and this package. Sentences, quoted texts and numbers in messages are not
// compared.
//
// A property that calls os.Exit, overflows the stack or uses up the memory ends the test
// binary. The number of each sentence is on disk before the sentence is run. The next run of
// the test finds that number, runs the sentence in a child process of the test binary, shrinks
// it there and reports it. With [Isolate], the same run does all of this. A property that hangs
// ([Timeout]) is shrunk in child processes, too. The environment variable GRAMFUZZ_CHILD gives
// them their job.
//
// # Labels
//
// [Sentence.Label] and [Sentence.Classify] count sentences by label, and go test -v
// prints the table. [Cover] asks for a share of the sentences with a label.
// [Sentence.Sometimes] asks that a condition holds at least once.
// [Sentence.Assume] leaves a sentence out.
//
// The output is for people and may change. The files of failures are records
// (package derive), a versioned format.
package gramtest
