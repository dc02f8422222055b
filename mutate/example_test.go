package mutate_test

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/mutate"
)

func ExampleParseDictionary() {
	words, err := mutate.ParseDictionary("sql.dict", []byte("# keywords\nselect=\"SELECT\"\nquote=\"\\\"\"\n"))
	fmt.Printf("%q %v\n", words, err)
	_, err = mutate.ParseDictionary("sql.dict", []byte("SELECT\n"))
	fmt.Println(err)
	// Output:
	// ["SELECT" "\""] <nil>
	// sql.dict:1:1: there is no text in double quotes; write a line as name="text"
}
