package corpus_test

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
)

func ExampleFormatFuzz() {
	file := corpus.FormatFuzz([]byte("[1,\x00]"), false)
	fmt.Printf("%s", file)
	texts, err := corpus.ParseFuzz("testdata/fuzz/FuzzParse/1", file)
	fmt.Printf("%q %v\n", texts, err)
	// Output:
	// go test fuzz v1
	// []byte("[1,\x00]")
	// ["[1,\x00]"] <nil>
}
