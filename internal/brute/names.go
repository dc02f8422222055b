package brute

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Annotated are grammars in which names are used in different ways, by name.
var Annotated = map[string]string{
	"pending": `program = stmt @commit(var) | stmt @commit(var) program ;
stmt = name @define(var) "=" expr ";" ;
expr = expr "+" expr | name @use(var) | "0" ;
name = [abc] ;`,
	"immediate": `start = (def | use)+ ;
def = "!" name @define(v) ;
use = "?" name @use(v) ;
name = [xyz] | "xx" ;`,
	"scopes": `block = ("{" item* "}") @scope(v) ;
item = "d" name @define(v) | "u" name @use(v) | block ;
name = [ab] ;`,
	"two": `start = (lab | var | jump | use)+ ;
lab = name @fresh(label) ":" ;
jump = "j" name @use(label) ;
var = "v" name @define(var) @commit(var) ;
use = "u" name @use(var) ;
name = [ab] ;`,
	"later": `start = def* use ;
def = "d" name @fresh(v) ;
use = "u" name @use(v) "," name @use(v) ;
name = [ab] ;`,
	"empty": `start = (a? u?)+ ;
a = "a" | "d" name @fresh(v) | "" @commit(v) ;
u = name @use(v) | "" ;
name = [pq] ;`,
	"params": `start = f+ ;
f = ("f" name @define(f) @commit(f) "(" p* ")" @commit(v) body) @scope(v) ;
p = name @fresh(v) "," ;
body = name @use(v) | name @use(f) | "" ;
name = [ab] ;`,
	"lambda": `term = name @use(v) | (name @fresh(v) "." term) @scope(v) | "(" term term ")" ;
name = [abc] ;`,
	"wrapped": `start = ("d" name @define(v))* @commit(v) (use | ("d" name @define(v) name @use(v))* @scope(v) @commit(v))* ;
use = "u" name @use(v) ;
name = [ab] ;`,
	"xml": `el = ("<" [ab]{1,2} @bind(tag) ">" el* "</" t @same(tag) ">") @scope(tag) ;
t = [ab]{1,2} ;`,
}

// names are what is in play in one namespace.
type names struct {
	visible, pending map[string]bool
	bound            string
}

func (n *names) copy() names {
	c := names{map[string]bool{}, map[string]bool{}, n.bound}
	for k := range n.visible {
		c.visible[k] = true
	}
	for k := range n.pending {
		c.pending[k] = true
	}
	return c
}

// Obeys returns an error where a tree, whose names are derived in full or not,
// has a name where the annotations do not let it be. It goes by the text of
// what is annotated and knows nothing of how hooks or counting do it. With pools
// given, by namespace, new names also have to be taken in their order.
func Obeys(tree *derive.Tree, pools map[string][]string) error {
	w := &witnessing{tree: tree, pools: pools, ns: map[string]*names{}, commits: map[string]bool{}}
	for _, e := range tree.Grammar.Exprs {
		for _, a := range e.Annotations {
			if len(a.Args) == 0 {
				continue
			}
			w.ns[a.Args[0]] = &names{visible: map[string]bool{}, pending: map[string]bool{}}
			w.commits[a.Args[0]] = w.commits[a.Args[0]] || a.Name == "commit"
		}
	}
	return w.expr(tree.Grammar.Root)
}

// firstNew returns the first name of the pool that is not in play.
func (n *names) firstNew(pool []string) string {
	for _, text := range pool {
		if !n.visible[text] && !n.pending[text] {
			return text
		}
	}
	return ""
}

type witnessing struct {
	tree    *derive.Tree
	pools   map[string][]string
	at      int
	ns      map[string]*names
	commits map[string]bool
}

// expr follows e at the next node, with recursion: the trees of tests are low.
func (w *witnessing) expr(e *grammar.Expr) error {
	start := w.at
	saved := map[string]names{}
	for ns, n := range w.ns {
		saved[ns] = n.copy()
	}
	if err := w.inside(e); err != nil {
		return err
	}
	text := ""
	for i := start; i < w.at; i++ {
		text += string(w.tree.Nodes()[i].AppendText(nil))
	}
	for _, a := range e.Annotations {
		n := w.ns[a.Args[0]]
		switch a.Name {
		case "use":
			if !n.visible[text] {
				return fmt.Errorf("%s is not visible", text)
			}
		case "fresh", "define":
			known := n.visible[text] || n.pending[text]
			if first := n.firstNew(w.pools[a.Args[0]]); !known && first != "" && first != text {
				return fmt.Errorf("%s is new before %s", text, first)
			}
			switch {
			case known && a.Name == "fresh":
				return fmt.Errorf("%s is not fresh", text)
			case known:
			case w.commits[a.Args[0]]:
				n.pending[text] = true
			default:
				n.visible[text] = true
			}
		case "commit":
			for k := range n.pending {
				n.visible[k] = true
				delete(n.pending, k)
			}
		case "scope":
			*n = saved[a.Args[0]]
		case "bind":
			n.bound = text
		case "same":
			if n.bound != text {
				return fmt.Errorf("%q is not %q", text, n.bound)
			}
		}
	}
	return nil
}

func (w *witnessing) inside(e *grammar.Expr) error {
	if e.Op == grammar.Seq {
		for _, k := range e.Children {
			if err := w.expr(k); err != nil {
				return err
			}
		}
		return nil
	}
	n := w.tree.Nodes()[w.at]
	w.at++
	switch {
	case n.Expr != e:
		return fmt.Errorf("node %d is of %v, not %v", w.at-1, n.Expr.Pos, e.Pos)
	case n.Name:
	case e.Op == grammar.Choice:
		return w.expr(e.Children[n.Val])
	case e.Op == grammar.Ref:
		return w.expr(e.Rule.Body)
	case e.Op == grammar.Rep:
		for range n.Val {
			if err := w.expr(e.Children[0]); err != nil {
				return err
			}
		}
	}
	return nil
}
