package coverage

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Options says which parts of a grammar count. The zero value is valid.
type Options struct {
	// K is the length of the paths, in symbols; 0 counts no paths.
	K int

	// Measure is Structure (the zero value) if tokens are leaves, or Exact if the rules and
	// alternatives inside them also count.
	Measure grammar.Measure

	// Layout is the layout between the tokens of the sentences of [Cover] and
	// [Coverage.Alternatives]. The zero value is the least that separates them.
	Layout derive.LayoutPolicy

	// MaxSize bounds the sentences of [Coverage.Alternatives], in terminals; 0 is no bound.
	MaxSize int

	MaxPaths int // bounds the k-paths of the grammar; 0 means 1,000,000
}

// Coverage counts the parts of a grammar that trees reach. It is for one goroutine.
type Coverage struct {
	graph *graph
	o     Options

	trees   int
	rules   []uint64 // by rule ID
	alts    []uint64 // by number of the alternative
	exprs   []uint64 // by Expr.ID: nodes of terminals and references
	symbols []uint64
	paths   [][]state
	byPath  map[string]int // index in paths
	hits    []uint64       // by path

	path []int32 // the symbols around the current node
	ends []int
	key  []byte
}

// New prepares the counts for a frozen grammar. It fails with [ErrTooManyPaths] if the grammar
// has too many k-paths.
func New(g *grammar.Grammar, o Options) (*Coverage, error) {
	if o.K < 0 {
		return nil, fmt.Errorf("a path of length %d cannot be", o.K)
	}
	if o.MaxPaths == 0 {
		o.MaxPaths = defaultMaxPaths
	}
	graph, err := newGraph(g, o.Measure)
	if err != nil {
		return nil, err
	}
	c := &Coverage{graph: graph, o: o, rules: make([]uint64, len(g.Rules)), alts: make([]uint64, g.Alts),
		exprs: make([]uint64, len(g.Exprs)), byPath: map[string]int{}}
	c.symbols = make([]uint64, len(c.graph.symbols))
	if o.K == 0 {
		return c, nil
	}
	paths, err := c.graph.paths(o.K, o.MaxPaths)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		key := c.graph.key(p)
		if _, ok := c.byPath[key]; !ok {
			c.byPath[key] = len(c.paths)
			c.paths = append(c.paths, p)
		}
	}
	c.hits = make([]uint64, len(c.paths))
	return c, nil
}

// Add counts the parts that a tree of the grammar reaches. It takes time linear in the tree
// times K.
func (c *Coverage) Add(t *derive.Tree) {
	c.trees++
	c.visit(t, nil)
}

// visit counts the nodes of a tree. It calls fresh, unless nil, with each path reached for the
// first time.
func (c *Coverage) visit(t *derive.Tree, fresh func(path int)) {
	c.path, c.ends = c.path[:0], c.ends[:0]
	for i := 0; i < len(t.Nodes()); i++ {
		n := &t.Nodes()[i]
		for len(c.ends) > 0 && c.ends[len(c.ends)-1] <= i {
			c.path, c.ends = c.path[:len(c.path)-1], c.ends[:len(c.ends)-1]
		}
		if n.Expr.Op == grammar.Choice && !n.Name {
			c.alts[n.Expr.FirstAlt+n.Val]++
			continue
		}
		sym, ok := c.graph.symbol(n.Expr)
		if !ok || int(sym) >= len(c.symbols) { // a name in place of an expression without derivations
			continue
		}
		c.exprs[n.Expr.ID]++
		c.symbols[sym]++
		c.path, c.ends = append(c.path, sym), append(c.ends, n.End)
		c.count(fresh)
		if n.Expr.Op == grammar.Ref {
			c.rules[n.Expr.Rule.ID]++
			if c.graph.symbols[sym].terminal {
				i = n.End - 1
			}
		}
	}
}

// count counts the path that ends at the innermost symbol.
func (c *Coverage) count(fresh func(int)) {
	if c.o.K == 0 || len(c.path) < c.o.K {
		return
	}
	c.key = pathKey(c.key[:0], c.path[len(c.path)-c.o.K:])
	if i, ok := c.byPath[string(c.key)]; ok {
		c.hits[i]++
		if c.hits[i] == 1 && fresh != nil {
			fresh(i)
		}
	}
}

// Item is a part of the grammar with its count.
type Item struct {
	Name  string `json:"name"`
	Rule  string `json:"rule,omitempty"` // the rule around it
	Pos   string `json:"pos,omitempty"`
	Count uint64 `json:"count"`
}

// Part is the coverage of all items of one kind.
type Part struct {
	Reached int    `json:"reached"`
	Total   int    `json:"total"`
	Items   []Item `json:"items"`
}

// Percent returns the share reached, in percent; 100 if there is nothing to reach.
func (p *Part) Percent() float64 {
	if p.Total == 0 {
		return 100
	}
	return 100 * float64(p.Reached) / float64(p.Total)
}

func (p *Part) add(it Item) {
	p.Items = append(p.Items, it)
	p.Total++
	if it.Count > 0 {
		p.Reached++
	}
}

// Report is the coverage of a set of trees. It includes only parts that some derivation can
// reach.
type Report struct {
	Grammar      string `json:"grammar"`
	Trees        int    `json:"trees"`
	K            int    `json:"k,omitempty"`
	Rules        Part   `json:"rules"`
	Alternatives Part   `json:"alternatives"`
	Terminals    Part   `json:"terminals"`
	Paths        Part   `json:"paths"`
}

// Report returns the current counts.
func (c *Coverage) Report() *Report {
	g := c.graph
	r := &Report{Grammar: g.g.Name, Trees: c.trees, K: c.o.K}
	for _, s := range g.all() {
		sym := &g.symbols[s]
		it := Item{Name: sym.name, Pos: sym.pos.String(), Count: c.symbols[s]}
		if sym.rule != nil {
			r.Rules.add(it)
		}
		if sym.terminal {
			r.Terminals.add(it)
		}
	}
	for _, n := range g.alternatives() {
		a := g.alts[n]
		r.Alternatives.add(Item{Name: exprText(a.e.Children[a.i]), Rule: a.rule.Name, Pos: a.e.Children[a.i].Pos.String(), Count: c.alts[n]})
	}
	for i, p := range c.paths {
		r.Paths.add(Item{Name: g.pathName(p), Count: c.hits[i]})
	}
	return r
}
