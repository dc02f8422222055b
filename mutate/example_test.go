package mutate_test

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/mutate"
)

func ExampleDamager_Append() {
	d, err := mutate.New(mutate.Options{Share: 1, Grammar: grammars.Must("json")})
	if err != nil {
		panic(err)
	}
	const seed = 7
	for i := range uint64(4) {
		text, changed := d.Append(nil, []byte(`{"a": [1, 20]}`), seed, i)
		fmt.Printf("%q %v\n", text, changed)
	}
	// Output:
	// "n\"a\": [1, " true
	// "{\"a\": .1, 20]}" true
	// "{\"a0: [1, 20]}" true
	// "{\"a\": [1, {]}" true
}

func ExampleApply() {
	sentence, damaged := []byte("SELECT a FROM t"), []byte("SELECT FROM t")
	edits := mutate.Edits(sentence, damaged)
	again, err := mutate.Apply(sentence, edits)
	fmt.Printf("%+v\n%s %v\n", edits, again, err)
	// Output:
	// [{At:7 Delete:2 Insert:[]}]
	// SELECT FROM t <nil>
}

func ExampleParseDictionary() {
	words, err := mutate.ParseDictionary("sql.dict", []byte("# keywords\nselect=\"SELECT\"\nquote=\"\\\"\"\n"))
	fmt.Printf("%q %v\n", words, err)
	_, err = mutate.ParseDictionary("sql.dict", []byte("SELECT\n"))
	fmt.Println(err)
	// Output:
	// ["SELECT" "\""] <nil>
	// sql.dict:1:1: there is no text in double quotes; write a line as name="text"
}
