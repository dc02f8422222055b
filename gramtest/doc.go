// Package gramtest tests parsers, interpreters and whatever else reads text,
// with sentences of its grammar:
//
//	func TestParse(t *testing.T) {
//		gramtest.Check(t, grammars.Must("json"), func(t *gramtest.T, s *gramtest.Sentence) {
//			var v any
//			if err := json.Unmarshal(s.Text(), &v); err != nil && !s.Damaged() {
//				t.Errorf("a valid sentence is refused: %v", err)
//			}
//		})
//	}
//
// [Check] draws sentences as package schedule says: uniformly by size, by tilted
// walks and under swarm configurations in turn, one in four damaged
// ([Valid] turns that off). When the property fails or panics, the sentence is
// shrunk to a minimal one that fails in the same way; that is printed, with its
// derivation tree if it is small and a line to replay it, and kept as a record
// under testdata/gramfuzz/, to be tried first by every later run.
//
// Two failures are the same when the kind of failure, the type of the panic's
// value and the line of the failing frame are the same (the first frame that is
// neither of Go's own library nor of this package), and the messages are,
// sentences, quoted texts and numbers left out.
//
// A property that calls os.Exit, overflows the stack or uses up the memory ends
// the test binary, and nothing can be done in it any more. Its sentence can be
// told nevertheless: before a sentence is run its number is on disk. The next
// run of the test, or the same run under [Isolate], finds it, runs it again in a
// child process of the test binary, shrinks it there and reports it like any
// other. A property that hangs is noticed ([Timeout]) and shrunk in children too.
//
// [Sentence.Assume], [Sentence.Label], [Sentence.Classify] and
// [Sentence.Sometimes] say what a property has seen; go test -v prints the
// [Guide] draws sentences by what earlier ones have shown: by those labels, and by
// the edges that they reached where the test binary counts them.
//
// table, [Cover] asks for a share. [Agree] compares two implementations. [Fuzz]
// is for go test -fuzz: the engine's bytes are choices, so every input is a
// sentence.
//
// The environment variable GRAMFUZZ_SEED gives the seed where no option does;
// else it is random. Children are told what to do by GRAMFUZZ_CHILD.
//
// The output is for people and may change; the fail files are records (package
// derive), a versioned format.
package gramtest
