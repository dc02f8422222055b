package dict_test

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/dict"
)

func ExampleParse() {
	words, err := dict.Parse("sql.dict", []byte("# keywords\nselect=\"SELECT\"\nquote=\"\\\"\"\n"))
	fmt.Printf("%q %v\n", words, err)
	_, err = dict.Parse("sql.dict", []byte("SELECT\n"))
	fmt.Println(err)
	// Output:
	// ["SELECT" "\""] <nil>
	// sql.dict:1:1: there is no text in double quotes; write a line as name="text"
}
