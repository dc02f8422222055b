package dist_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/ui/dist"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/swarm"
)

func ExampleNew() {
	sw, err := swarm.New(grammars.Must("lopsided"), swarm.Options{Mode: swarm.Both})
	if err != nil {
		log.Fatal(err)
	}
	a, err := dist.New(context.Background(), sw, dist.Options{Sample: sample.Options{Strategy: sample.Walk, Bound: count.Depth(6)}})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range a.Rows {
		fmt.Printf("%s %v\n", r.Name, r.P)
	}
	// Output:
	// A 2179/8192
	// B 201/1024
	// C 1187/8192
	// D 7385/65536
	// E 6815/65536
	// F 1443/8192
}
