package brute

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Annotated has grammars that use names in different ways, by title.
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
	"typed": `start = (def | use)+ ;
def = "i" name @define(v, int) | "p" name @define(v, ptr) ;
use = "?" name @use(v, int) | "*" name @use(v, ptr) ;
name = [ab] | "xx" ;`,
	"subtypes": `start = (def | use)+ ;
def = "c" name @fresh(v, char) | "i" name @fresh(v, int) | "p" name @fresh(v, ptr) ;
use = "n" name @use(v, char, int) | "a" name @use(v) | "*" name @use(v, ptr) ;
name = "zz" | [xy] ;`,
	"forward": `@forward(f) s = ("d" name @fresh(f) ";" | "c" name @use(f) name @use(f) | "0")* ;
name = [pq] ;`,
	"forwardtyped": `@forward(v, 1) s = item+ ;
item = "d" name @fresh(v, int) | "p" name @fresh(v, ptr) | "u" name @use(v, int) | "*" name @use(v, ptr) | "a" name @use(v, ptr, int) ;
name = [pq] ;`,
	"forwardscopes": `@forward(v) s = block item? ;
block = ("{" item* "}") @scope(v) ;
item = "d" name @fresh(v) | "u" name @use(v) | block ;
name = [pq] ;`,
	"forwardbodies": `@forward(f) s = fun+ ;
fun = ("f" name @fresh(f, one) p body) @scope(v) | ("g" name @fresh(f, two) p p body) @scope(v) ;
p = name @fresh(v) ;
body = name @use(v) | name @use(f, one) body | name @use(f, two) body body ;
name = [pqr] ;`,
	"forwardmany": `@forward(v, 1) s = w? body* end{0,2} ;
w = "1" n @fresh(w, a) | "2" n @fresh(w, b) | "3" n @fresh(w, c) | "4" n @fresh(w, d) | "5" n @fresh(w, e) | "6" n @fresh(w, f) | "7" n @fresh(w, g) | "8" n @fresh(w, h) ;
body = "u" n @use(v, x) | "*" n @use(v, y) | "0" | "w" n @use(w, a, b) ;
end = "x" n @fresh(v, x) | "y" n @fresh(v, y) ;
n = [pq] ;`,
	"forwardinner": `@forward(v) s = r+ ;
r = name @use(v) t | "d" name @fresh(v) ;
t = "." name @use(v) ("(" name @use(v) ")") @scope(v) | name @fresh(v) ;
name = [pq] ;`,
	"definedtyped": `start = "." name @define(v, int) u? | "." ;
u = name @define(v, int) ("," name @use(v))* ;
name = [ab] ;`,
	"shadow": `block = ("{" item* "}") @scope(v) ;
item = "d" name @shadow(v) | "f" name @fresh(v) | "n" name @define(v) | "u" name @use(v) | block ;
name = [pq] ;`,
	"shadowtyped": `block = ("{" item* "}") @scope(v) ;
item = "d" name @shadow(v, int) | "p" name @shadow(v, ptr) | "u" name @use(v, int) | "*" name @use(v, ptr) | "a" name @use(v) | block ;
name = [pq] ;`,
	"shadowmany": `s = w? block ;
block = ("{" item{0,3} "}") @scope(v) ;
w = "1" n @fresh(w, a) | "2" n @fresh(w, b) | "3" n @fresh(w, c) | "4" n @fresh(w, d) | "5" n @fresh(w, e) | "6" n @fresh(w, f) | "7" n @fresh(w, g) ;
item = "x" n @shadow(v, x) | "y" n @shadow(v, y) | "u" n @use(v, x) | "*" n @use(v, y) "w" n @use(w, a, b) | block ;
n = [pq] ;`,
	"shadowlambda": `term = name @use(v) | ("." name @shadow(v) term) @scope(v) | "(" term term ")" ;
name = [pqr] ;`,
	"shadowtypes": `term = ("i" name @shadow(v, i) "." term) @scope(v) | ("f" name @shadow(v, f) "." term) @scope(v) | name @use(v, i) | name @use(v, f) "(" term ")" ;
name = "p" | "xy" ;`,
	"typedpending": `program = stmt @commit(var) | stmt @commit(var) program ;
stmt = name @define(var, i) "=" int ";" | name @define(var, b) ":" bool ";" ;
int = name @use(var, i) | "0" ;
bool = int "<" int | name @use(var, b) ;
name = [ab] ;`,
	"typedscopes": `block = ("{" item* "}") @scope(v) ;
item = "d" name @fresh(v, int) | "p" name @fresh(v, ptr) | "u" name @use(v, int) | "*" name @use(v, ptr) | block ;
name = [ab] ;`,
	"typedlater": `start = def* use ;
def = "d" name @fresh(v, int) | "p" name @fresh(v, ptr) ;
use = "u" name @use(v, int) "," name @use(v, ptr) "," name @use(v) ;
name = [abc] ;`,
	"functions": `start = f+ ;
f = ("f" name @fresh(f, one) @commit(f) "(" p ")" body @scope(v)) | ("f" name @fresh(f, two) @commit(f) "(" p p ")" body) @scope(v) ;
p = name @fresh(v, int) | "*" name @fresh(v, ptr) ;
body = name @use(v, int) | "*" name @use(v, ptr) | name @use(f, one) "(" body ")" | name @use(f, two) "(" body body ")" | "" ;
name = [ab] ;`,
	"kinds": `start = (lab | var | use)+ ;
lab = name @fresh(label, loop) ":" | name @fresh(label, block) ";" | "b" name @use(label) | "c" name @use(label, loop) ;
var = "v" name @define(var) | "w" name @define(var) ;
use = "u" name @use(var) ;
name = [ab] ;`,
	"fields": `start = decl (decl | get)* ;
decl = "s" name @fresh(s, point) "{" name @fresh(point, int) name @fresh(point, int) "}" | "t" name @fresh(s, box) "{" name @fresh(box, ptr) "}" ;
get = name @use(s, point) "." name @use(point, int) | name @use(s, box) "." name @use(box, ptr) ;
name = [ab] ;`,
	"lambdas": `term = ("\\i" name @fresh(v, i) "." term) @scope(v) | ("\\f" name @fresh(v, f) "." term) @scope(v) | name @use(v, i) | name @use(v, f) "(" term ")" ;
name = [abc] ;`,
	"signatures": `@types(i, p, i(p), i(i,i)) start = f f? ;
f = ( "f" name @fresh(f, s) @commit(f) ( kind @with(q) name @fresh(v, q) ) @args(q, s, ",") ":" e @with(i) ) @scope(v) @some(s, i(..)) ;
@type(t) kind = "*" @when(t, p) | "" @when(t, i) ;
@type(t) e = "0" @when(t, i) | name @use(v, t) | ( name @use(f, s) "(" e @with(q) @args(q, s, ",") ")" ) @some(s, t(..)) ;
name = [ab] ;`,
	"typedempty": `start = (a? u?)+ ;
a = "d" name @fresh(v, x) | "e" name @define(v, y) | "" @commit(v) ;
u = name @use(v, x) | "" ;
name = [p] ;`,
}

// names are the names in play in one namespace, each with its type.
type names struct {
	visible, pending map[string]string
	early            map[string]string // used and not yet defined, in a namespace of @forward
	own              map[string]bool   // defined in the innermost scope
	bound            string
}

func (n *names) copy() names {
	return names{maps.Clone(n.visible), maps.Clone(n.pending), maps.Clone(n.early), maps.Clone(n.own), n.bound}
}

// known reports whether a name is in play.
func (n *names) known(text string) bool {
	_, visible := n.visible[text]
	_, pending := n.pending[text]
	_, early := n.early[text]
	return visible || pending || early
}

// ErrEarly says that more names of a type are used before they are defined than @forward allows.
var ErrEarly = errors.New("too many names are used before they are defined")

// Obeys returns an error where a tree, with names derived in full or not, has a name that the
// annotations forbid. It uses only the texts of annotated elements, and is independent of hooks
// and counting. With pools given, by namespace, new names must also be taken in the order of
// their pool. With kinds, names of other namespaces may be any; bound texts may not.
func Obeys(tree *derive.Tree, pools map[string][]string, kinds ...string) error {
	w := &witnessing{tree: tree, pools: pools, kinds: kinds, ns: map[string]*names{}, commits: map[string]bool{}, forward: map[string]int{}, types: map[string][]string{}}
	for _, r := range tree.Grammar.Rules {
		r.Body.Walk(func(e *grammar.Expr) {
			for _, a := range e.Annotations {
				if len(a.Args) > 0 {
					w.note(a)
				}
			}
		})
		for _, a := range r.Annotations {
			w.note(a)
		}
	}
	return w.expr(tree.Grammar.Root)
}

func (w *witnessing) note(a grammar.Annotation) {
	ns := a.Args[0]
	w.ns[ns] = &names{visible: map[string]string{}, pending: map[string]string{}, early: map[string]string{}, own: map[string]bool{}}
	w.commits[ns] = w.commits[ns] || a.Name == "commit"
	if defines := a.Name == "define" || a.Name == "fresh" || a.Name == "shadow"; defines && len(a.Args) > 1 {
		w.types[ns] = append(w.types[ns], a.Args[1])
	}
	if a.Name == "forward" {
		w.forward[ns] = 2
		if len(a.Args) > 1 {
			w.forward[ns], _ = strconv.Atoi(a.Args[1])
		}
	}
}

// first returns the type of a name that is used before it is defined: the first that the use allows, of
// those with which names are defined.
func (w *witnessing) first(use grammar.Annotation) string {
	types := w.types[use.Args[0]]
	for _, of := range append(slices.Clone(use.Args[1:]), types...) {
		if slices.Contains(types, of) {
			return of
		}
	}
	return ""
}

// firstNew returns the first name of the pool that is not in play.
func (n *names) firstNew(pool []string) string {
	for _, text := range pool {
		if !n.known(text) {
			return text
		}
	}
	return ""
}

type witnessing struct {
	tree    *derive.Tree
	pools   map[string][]string
	kinds   []string // nil: all
	at      int
	ns      map[string]*names
	commits map[string]bool
	forward map[string]int      // how many names of a type may be used early
	types   map[string][]string // with which names are defined, in order
}

// expr follows e at the next node, by recursion: the trees of tests are low.
func (w *witnessing) expr(e *grammar.Expr) error {
	start := w.at
	saved := map[string]names{}
	for ns, n := range w.ns {
		saved[ns] = n.copy()
	}
	annotations := e.Annotations
	if e == w.tree.Grammar.Start.Body {
		annotations = slices.Concat(annotations, w.tree.Grammar.Start.Annotations)
	}
	annotations = slices.DeleteFunc(slices.Clone(annotations), func(a grammar.Annotation) bool { return len(a.Args) == 0 })
	for _, a := range annotations {
		if n := w.ns[a.Args[0]]; a.Name == "scope" || a.Name == "forward" {
			maps.Copy(n.visible, n.early)
			clear(n.early)
			clear(n.own)
		}
	}
	if err := w.inside(e); err != nil {
		return err
	}
	text := ""
	for i := start; i < w.at; i++ {
		text += string(w.tree.Nodes()[i].AppendText(nil))
	}
	for _, a := range annotations {
		n := w.ns[a.Args[0]]
		if w.kinds != nil && !slices.Contains(w.kinds, a.Args[0]) && a.Name != "bind" && a.Name != "same" {
			continue
		}
		switch a.Name {
		case "use":
			of, visible := n.visible[text]
			if early, ok := n.early[text]; ok {
				of, visible = early, true
			}
			if first := n.firstNew(w.pools[a.Args[0]]); w.forward[a.Args[0]] > 0 && !visible {
				if first != "" && first != text {
					return fmt.Errorf("%s is new before %s", text, first)
				}
				visible, of = true, w.first(a)
				n.early[text] = of
				same := 0
				for _, other := range n.early {
					if other == of {
						same++
					}
				}
				if same > w.forward[a.Args[0]] {
					return ErrEarly
				}
			}
			if !visible || len(a.Args) > 1 && !slices.Contains(a.Args[1:], of) {
				return fmt.Errorf("%s is not visible as one of %q", text, a.Args)
			}
		case "fresh", "define", "shadow":
			known, of := n.known(text), ""
			if len(a.Args) > 1 {
				of = a.Args[1]
			}
			if first := n.firstNew(w.pools[a.Args[0]]); !known && first != "" && first != text {
				return fmt.Errorf("%s is new before %s", text, first)
			}
			if early, ok := n.early[text]; ok && early == of {
				delete(n.early, text)
				known = false
			}
			if a.Name == "shadow" && known && !n.own[text] {
				known = false
			}
			if !known {
				n.own[text] = true
			}
			switch {
			case known && a.Name != "define":
				return fmt.Errorf("%s is not fresh", text)
			case known && n.visible[text]+n.pending[text] != of:
				return fmt.Errorf("%s is of another type than %s", text, of)
			case known:
			case w.commits[a.Args[0]]:
				n.pending[text] = of
			default:
				n.visible[text] = of
			}
		case "commit":
			maps.Copy(n.visible, n.pending)
			clear(n.pending)
		case "scope", "forward":
			if len(n.early) > 0 {
				return fmt.Errorf("%v are not defined", n.early)
			}
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
