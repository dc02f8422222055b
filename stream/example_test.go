package stream_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/stream"
)

// Keeps a plan as JSON, which opens the same sentences again. It is part 1 of 3 of the walks of
// seed 7.
func ExamplePlan() {
	ctx := context.Background()
	plan, _, err := stream.ReadPlan([]byte(`{"version":1,"bound":{"max":5,"unit":"terminals"},"strategy":"walk","seed":7,"shard":1,"shards":3}`))
	if err != nil {
		log.Fatal(err)
	}
	s, err := plan.Open(ctx, grammars.Must("expr"), stream.Options{})
	if err != nil {
		log.Fatal(err)
	}
	src := s.Source()
	for i := range uint64(3) {
		text, err := src.Append(ctx, nil, i)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", text)
	}
	again, err := json.Marshal(plan)
	fmt.Println(string(again), err)
	// Output:
	// 9 + 13188 - 0
	// -87 * 40
	// 288 + 4 + 0
	// {"version":1,"bound":{"max":5,"unit":"terminals"},"strategy":"walk","shard":1,"shards":3,"seed":7} <nil>
}

// Wraps a stream: sentences without a division, each text once, every second one.
func ExampleStream() {
	ctx := context.Background()
	plan := &stream.Plan{Bound: derive.BoundRef{Max: 3, Unit: "terminals"}, Seed: 1}
	s, err := plan.Open(ctx, grammars.Must("expr"), stream.Options{})
	if err != nil {
		log.Fatal(err)
	}
	s = s.Filter(func(t *derive.Tree) bool { return !strings.Contains(t.Text(), "/") }, 0).NoRepeats()
	if s, err = s.Shard(0, 2); err != nil {
		log.Fatal(err)
	}
	src := s.Source()
	for i := range uint64(3) {
		text, err := src.Append(ctx, nil, i)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", text)
	}
	// Output:
	// -8473
	// -9075134845
	// 95229
}

// A record leads back to its plan and number.
func ExamplePlanOf() {
	ctx, g := context.Background(), grammars.Must("tree")
	s, err := (&stream.Plan{Seed: 3, Damage: 1}).Open(ctx, g, stream.Options{})
	if err != nil {
		log.Fatal(err)
	}
	rec, err := s.Records().Record(ctx, 5)
	if err != nil {
		log.Fatal(err)
	}
	plan, number, err := stream.PlanOf(rec)
	if err != nil {
		log.Fatal(err)
	}
	again, err := plan.Open(ctx, g, stream.Options{})
	if err != nil {
		log.Fatal(err)
	}
	text, err := again.Source().Append(ctx, nil, number)
	fmt.Println(number, string(text) == string(rec.Text), err)
	// Output: 5 true <nil>
}
