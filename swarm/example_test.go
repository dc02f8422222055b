package swarm_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// Names a configuration by its seed. Its mask works in every function that takes one.
func ExampleSwarm_Config() {
	g := grammars.Must("lopsided")
	sw, err := swarm.New(g, swarm.Options{Mode: swarm.Both})
	if err != nil {
		log.Fatal(err)
	}
	c := sw.Config(77)
	table, err := count.New(context.Background(), g, count.Depth(6), count.Options{Mask: c.Mask()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Name(), "has", table.Total(), "sentences")
	// Output:
	// both:77 has 2 sentences
}

// Sets the probability of each feature. Coins name the features.
func ExampleParseCoins() {
	coins, err := swarm.ParseCoins("coins", []byte("*    1/4\nexpr/0 essential\natom/0 never\n"))
	if err != nil {
		log.Fatal(err)
	}
	sw, err := swarm.New(grammars.Must("expr"), swarm.Options{Mode: swarm.Down, Coins: coins})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(sw.Config(3))
	// Output:
	// + expr/0
	// - expr/1
	// + expr/2
	// + term/0
	// - term/1
	// - term/2
	// + factor/0
	// - factor/1
	// - atom/0
	// + atom/1
	// + NUMBER
}

// Lists the configurations of a small grammar with exact probabilities.
func ExampleSwarm_Each() {
	coins, err := swarm.ParseCoins("coins", []byte("*    essential\nfactor/1 1/3\n"))
	if err != nil {
		log.Fatal(err)
	}
	sw, err := swarm.New(grammars.Must("expr"), swarm.Options{Mode: swarm.Plain, Coins: coins})
	if err != nil {
		log.Fatal(err)
	}
	all, err := sw.Each(context.Background(), 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range all {
		fmt.Println(w.P, strings.Contains(w.Config.String(), "+ factor/1"))
	}
	// Output:
	// 2/3 false
	// 1/3 true
}

// Loads a saved configuration for the same grammar.
func ExampleLoad() {
	g := grammars.Must("lopsided")
	sw, err := swarm.New(g, swarm.Options{Mode: swarm.Both})
	if err != nil {
		log.Fatal(err)
	}
	saved := sw.Config(77).Save()
	c, err := swarm.Load(g, saved)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.String() == sw.Config(77).String())
	// Output:
	// true
}
