package computed

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

const (
	maxInstances = 10_000    // instances of rules with parameters
	maxMade      = 1_000_000 // expressions of the instances
)

// Numbers replaces rules with parameters, which are numbers or types, by plain rules. It makes one
// rule for each tuple of arguments in a reference, and a choice between all tuples for references
// without arguments. Plain rules are counted, drawn and parsed like any other rule. Numbers takes
// time linear in the result, which is bounded.
//
//	@int(k, 1..5) table = row @with(k) ( "\n" row @with(k) )* ;
//	@int(k, 1..5) row   = cell ( "," cell ) @times(k-1) ;
func Numbers(g *syntax.Grammar) grammar.Diagnostics {
	if !hasNumbers(g) {
		return nil
	}
	x := &expander{rules: map[string]*numbered{}, made: map[string]*syntax.Rule{}}
	x.types.below = map[string][]string{}
	x.declare(g)
	for _, r := range g.Rules {
		if x.rules[r.Name] == nil { // a duplicate rule is reported later
			x.rules[r.Name] = x.declared(r)
		}
	}
	for _, r := range g.Rules {
		if n := x.rules[r.Name]; len(n.names) == 0 || r.Name == g.Entry {
			x.demand(n, nil)
		}
	}
	if at := slices.IndexFunc(g.Rules, func(r *syntax.Rule) bool { return !r.Kind.Lexical() }); at >= 0 {
		x.demand(x.rules[g.Rules[at].Name], nil)
	}
	x.run()
	for _, r := range g.Rules { // unreferenced rules are also kept
		if n := x.rules[r.Name]; len(n.instances) == 0 {
			x.demand(n, nil)
			x.run()
		}
	}
	if x.ds == nil {
		x.prune()
	}
	if x.ds != nil {
		return x.ds
	}
	var all []*syntax.Rule
	for _, r := range g.Rules {
		n := x.rules[r.Name]
		if n.rule != r {
			all = append(all, r)
			continue
		}
		slices.SortFunc(n.instances, func(a, b instance) int { return slices.Compare(a.values, b.values) })
		for _, i := range n.instances {
			all = append(all, i.rule)
		}
	}
	g.Rules = all
	return nil
}

// numbering has the annotations that declare or use parameters.
var numbering = []string{"args", "int", "some", "switch", "times", "type", "types", "value", "when", "with"}

// hasNumbers reports whether g has an annotation of numbering.
func hasNumbers(g *syntax.Grammar) (found bool) {
	check := func(as []grammar.Annotation) {
		found = found || slices.ContainsFunc(as, func(a grammar.Annotation) bool { return slices.Contains(numbering, a.Name) })
	}
	for _, r := range g.Rules {
		check(r.Annotations)
		r.Body.Walk(func(e *syntax.Expr) { check(e.Annotations) })
	}
	return found
}

// numbered is a rule with its parameters.
type numbered struct {
	rule      *syntax.Rule
	names     []string
	values    [][]int // by parameter, in ascending order; for types their numbers
	types     []bool  // by parameter: whether its values are types
	instances []instance
}

// instance is the rule for one tuple of arguments. Without values it stands for all tuples.
type instance struct {
	values []int
	rule   *syntax.Rule
}

type expander struct {
	rules map[string]*numbered
	made  map[string]*syntax.Rule
	types typeSet
	todo  []pending
	exprs int
	ds    grammar.Diagnostics
}

type pending struct {
	of *numbered
	instance
}

func (x *expander) fail(pos grammar.Pos, message, hint string) {
	if len(x.ds) < 100 {
		x.ds = append(x.ds, grammar.Diagnostic{Severity: grammar.Error, Pos: pos, Code: "number", Message: message, Hint: hint})
	}
}

// declared reads the parameters of a rule and removes their annotations from it.
func (x *expander) declared(r *syntax.Rule) *numbered {
	n := &numbered{rule: r}
	var rest []grammar.Annotation
	for _, a := range r.Annotations {
		if a.Name != "int" && a.Name != "type" {
			rest = append(rest, a)
			continue
		}
		var values []int
		if a.Name == "type" && len(a.Args) > 0 && isIdent(a.Args[0]) {
			values = x.typeValues(a)
			if x.ds != nil {
				continue
			}
			a.Args = a.Args[:1]
		}
		for i, arg := range a.Args {
			if lo, hi, ok := span(arg); ok && i > 0 {
				for v := lo; v <= hi; v++ {
					values = append(values, v)
				}
				continue
			}
			if i > 0 || !isIdent(arg) {
				values = nil
				break
			}
		}
		slices.Sort(values)
		values = slices.Compact(values)
		if values == nil || len(values) > maxInstances || slices.Contains(n.names, a.Args[0]) {
			if a.Name == "type" {
				x.fail(a.Pos, fmt.Sprintf("@type of rule %q is not a name with its types", r.Name), "write it as in @type(t, int, ptr), or @type(t) for all of @types, each name once")
				continue
			}
			x.fail(a.Pos, fmt.Sprintf("@int of rule %q is not a name with its numbers", r.Name), "write it as in @int(k, 1..5) or @int(kind, 0, 2, 4..6), each name once")
			continue
		}
		n.names, n.values, n.types = append(n.names, a.Args[0]), append(n.values, values), append(n.types, a.Name == "type")
	}
	r.Annotations = rest
	return n
}

// maxNumber bounds numbers, so that arithmetic on them is safe.
const maxNumber = 1 << 30

// span reads a number or a range of at most maxInstances numbers.
func span(arg string) (lo, hi int, ok bool) {
	first, last, two := strings.Cut(arg, "..")
	lo, err := strconv.Atoi(first)
	hi = lo
	if two && err == nil {
		hi, err = strconv.Atoi(last)
	}
	return lo, hi, err == nil && lo <= hi && lo >= -maxNumber && hi < maxNumber && hi-lo < maxInstances
}

// demand returns the rule of n for a tuple of arguments. Its body is made later.
func (x *expander) demand(n *numbered, values []int) *syntax.Rule {
	name := n.rule.Name
	if len(values) > 0 {
		var texts []string
		for i := range values {
			texts = append(texts, x.text(n, i, values))
		}
		name += "(" + strings.Join(texts, ",") + ")"
	}
	if r := x.made[name]; r != nil {
		return r
	}
	r := *n.rule
	r.Name = name
	x.made[name] = &r
	n.instances = append(n.instances, instance{values, &r})
	x.todo = append(x.todo, pending{n, instance{values, &r}})
	return &r
}

// text returns the value of a rule's parameter i as text.
func (x *expander) text(n *numbered, i int, values []int) string {
	if n.types[i] {
		return x.types.names[values[i]]
	}
	return strconv.Itoa(values[i])
}

// run makes the bodies of the demanded rules.
func (x *expander) run() {
	for len(x.todo) > 0 && x.ds == nil {
		if len(x.made) > maxInstances+len(x.rules) {
			x.fail(x.todo[0].of.rule.Pos, fmt.Sprintf("the numbers of rules make more than %d rules", maxInstances), "give @int fewer numbers")
			return
		}
		t := x.todo[0]
		x.todo = x.todo[1:]
		for i, a := range t.rule.Annotations {
			if i == 0 {
				t.rule.Annotations = slices.Clone(t.rule.Annotations)
			}
			if slices.Contains(naming, a.Name) {
				t.rule.Annotations[i] = x.named(a, x.environment(t.of, t.values))
			}
		}
		switch n := t.of; {
		case len(n.names) == 0 || t.values != nil:
			t.rule.Body = x.body(n, t.values)
		default:
			var bodies []*syntax.Expr
			var labels []string
			for values := range tuples(n.values) {
				bodies = append(bodies, x.body(n, values))
				if x.ds != nil {
					return
				}
				label := ""
				for i, name := range n.names {
					label += fmt.Sprintf(",%s=%s", name, x.text(n, i, values))
				}
				labels = append(labels, label[1:])
			}
			t.rule.Body = syntax.NewChoice(n.rule.Body.Pos, bodies...)
			if len(bodies) > 1 {
				t.rule.Body.Labels = labels
			}
		}
	}
}

// tuples yields all tuples with one number from each list. The last number changes fastest.
func tuples(lists [][]int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		at := make([]int, len(lists))
		for {
			values := make([]int, len(lists))
			for i, k := range at {
				values[i] = lists[i][k]
			}
			if !yield(values) {
				return
			}
			i := len(at) - 1
			for ; i >= 0 && at[i] == len(lists[i])-1; i-- {
				at[i] = 0
			}
			if i < 0 {
				return
			}
			at[i]++
		}
	}
}

// body makes the body of a rule for a tuple of arguments.
func (x *expander) body(n *numbered, values []int) *syntax.Expr {
	return x.expand(n.rule.Body, x.environment(n, values))
}

// environment returns the values of a rule's parameters by name. It is empty if values is nil.
func (x *expander) environment(n *numbered, values []int) environment {
	env := environment{map[string]int{}, map[string]string{}}
	for i := range values {
		if n.types[i] {
			env.types[n.names[i]] = x.text(n, i, values)
		} else {
			env.numbers[n.names[i]] = values[i]
		}
	}
	return env
}

// expand copies an expression and inserts the values of env.
func (x *expander) expand(e *syntax.Expr, env environment) *syntax.Expr {
	x.exprs++
	if x.exprs > maxMade {
		x.fail(e.Pos, fmt.Sprintf("the numbers of rules make more than %d expressions", maxMade), "give @int fewer numbers")
		return syntax.NewLit(e.Pos, "")
	}
	is := func(name string) func(a grammar.Annotation) bool {
		return func(a grammar.Annotation) bool { return a.Name == name }
	}
	if !x.there(e, env) || e.Op == grammar.Seq && slices.ContainsFunc(e.Children, func(k *syntax.Expr) bool { return !x.there(k, env) }) {
		return never(e.Pos)
	}
	var c *syntax.Expr
	annotations := e.Annotations
	given := slices.ContainsFunc(annotations, is("with"))
	if at := last(annotations, bindsTypes); at >= 0 { // earlier annotations belong to the element, later ones to the whole
		inner := *e
		inner.Annotations = annotations[:at]
		c, annotations, given = x.bound(&inner, annotations[at], env), annotations[at+1:], true
	} else if at := slices.IndexFunc(annotations, is("switch")); at >= 0 {
		k := x.choose(e, annotations[at], env)
		c = &syntax.Expr{Op: grammar.Seq, Pos: e.Pos, Children: []*syntax.Expr{x.expand(k, env)}} // keeps the annotations of choice and alternative
	} else {
		copied := *e
		c, copied.Children = &copied, make([]*syntax.Expr, len(e.Children))
		for i, k := range e.Children {
			copied.Children[i] = x.expand(k, env)
		}
	}
	c = x.annotate(c, annotations, env)
	if n := x.rules[c.Name]; c.Op == grammar.Ref && n != nil && !given {
		x.demand(n, nil)
	}
	return c
}

// there reports whether all @when of an element hold, so that it is present.
func (x *expander) there(e *syntax.Expr, env environment) bool {
	for _, a := range e.Annotations[last(e.Annotations, bindsTypes)+1:] {
		if a.Name == "when" && !x.when(a, a.Args, env) {
			return false
		}
	}
	return true
}

// last returns the index of the last annotation for which is holds, or -1.
func last(as []grammar.Annotation, is func(grammar.Annotation) bool) int {
	for i, a := range slices.Backward(as) {
		if is(a) {
			return i
		}
	}
	return -1
}

// annotate applies annotations to an expression, with the values of env inserted.
func (x *expander) annotate(c *syntax.Expr, annotations []grammar.Annotation, env environment) *syntax.Expr {
	c.Annotations = nil
	for _, a := range annotations {
		switch {
		case a.Name == "switch", a.Name == "when":
		case a.Name == "times":
			least, most, ok := x.times(a, env.numbers)
			if ok {
				c = syntax.NewRep(c.Pos, c, least, most)
			}
		case a.Name == "with":
			c = x.refer(c, a, env)
		case slices.Contains([]string{"pad", "plus", "range", "value"}, a.Name):
			a.Args = slices.Clone(a.Args)
			for i, arg := range a.Args {
				if from, to, two := strings.Cut(arg, ".."); two && a.Name == "range" {
					lo, err1 := evaluate(from, env.numbers)
					hi, err2 := evaluate(to, env.numbers)
					if err1 == nil && err2 == nil {
						a.Args[i] = fmt.Sprintf("%d..%d", lo, hi)
					}
				} else if v, err := evaluate(arg, env.numbers); err == nil {
					a.Args[i] = strconv.Itoa(v)
				} else if a.Name == "value" {
					x.fail(a.Pos, fmt.Sprintf("@value: %v", err), "write it as in u16be @value(4*k)")
				}
			}
			c.Annotations = append(c.Annotations, a)
		case slices.Contains(naming, a.Name):
			c.Annotations = append(c.Annotations, x.named(a, env))
		default:
			c.Annotations = append(c.Annotations, a)
		}
	}
	return c
}

// refer applies @with: the reference goes to the rule for its arguments. If the rule does not take
// a type among them, the reference is absent.
func (x *expander) refer(c *syntax.Expr, a grammar.Annotation, env environment) *syntax.Expr {
	n := x.rules[c.Name]
	if c.Op != grammar.Ref || n == nil || len(n.names) == 0 || len(n.names) != len(a.Args) {
		x.fail(a.Pos, fmt.Sprintf("@with(%s) stands behind no rule with as many numbers", strings.Join(a.Args, ", ")), "write @int(k, 1..5) before the rule, and row @with(k) where it is used")
		return c
	}
	values := make([]int, len(a.Args))
	for i, arg := range a.Args {
		if n.types[i] {
			all := x.typesOf(a, arg, env)
			if len(all) != 1 {
				x.fail(a.Pos, fmt.Sprintf("@with: %s is not one type", env.put(arg)), "write it as in expr @with(t)")
				return c
			}
			values[i] = x.types.number(all[0])
			if !slices.Contains(n.values[i], values[i]) {
				return never(c.Pos)
			}
			continue
		}
		v, err := evaluate(arg, env.numbers)
		if err != nil {
			x.fail(a.Pos, fmt.Sprintf("@with: %v", err), "write it as in row @with(k-1)")
			return c
		}
		values[i] = v
		if !slices.Contains(n.values[i], v) {
			x.fail(a.Pos, fmt.Sprintf("rule %q has no %s = %d", n.rule.Name, n.names[i], v), "give a number that its @int has, or add this one there")
			return c
		}
	}
	c.Name = x.demand(n, values).Name
	return c
}

// times reads the bounds of @times.
func (x *expander) times(a grammar.Annotation, env map[string]int) (least, most int, ok bool) {
	var err error
	bounds := []int{0, 0}
	if len(a.Args) < 1 || len(a.Args) > 2 {
		err = fmt.Errorf("it has %d arguments", len(a.Args))
	}
	for i := 0; i < len(a.Args) && err == nil; i++ {
		bounds[i], err = evaluate(a.Args[i], env)
	}
	if len(a.Args) == 1 {
		bounds[1] = bounds[0]
	}
	if err == nil && (bounds[0] < 0 || bounds[1] < bounds[0] || bounds[1] > maxTimes) {
		err = fmt.Errorf("%d to %d is not a number of elements", bounds[0], bounds[1])
	}
	if err != nil {
		x.fail(a.Pos, fmt.Sprintf("@times: %v", err), "write it as in field @times(k-1) or field @times(0, k)")
	}
	return bounds[0], bounds[1], err == nil
}

// maxTimes bounds repetitions. The bound is that of the native notation.
const maxTimes = 1_000_000

// choose returns the alternative selected by @switch. Its arguments after the first are the cases,
// one for each alternative: a number, a range, a type, or else.
func (x *expander) choose(e *syntax.Expr, a grammar.Annotation, env environment) *syntax.Expr {
	fail := func(message string) *syntax.Expr {
		x.fail(a.Pos, message, "write it as in ( text | image | other ) @switch(kind, 1, 2..4, else), a case for each alternative")
		return syntax.NewLit(e.Pos, "")
	}
	if e.Op != grammar.Choice || len(a.Args) != 1+len(e.Children) {
		return fail(fmt.Sprintf("@switch has %d cases, and stands behind %d alternatives", max(0, len(a.Args)-1), len(e.Children)))
	}
	for i, arg := range a.Args[1:] {
		if arg == "else" || x.when(a, []string{arg}, env) {
			return e.Children[i]
		}
	}
	if x.ds != nil {
		return syntax.NewLit(e.Pos, "")
	}
	return fail(fmt.Sprintf("@switch has no case for %s", env.put(a.Args[0])))
}
