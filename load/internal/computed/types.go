package computed

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Types are a closed set of words. Rules have parameters of types as they have parameters of
// numbers:
//
//	@types(char<int, int, ptr, int(ptr)) start = … ;
//	@type(t) expr = name @use(var, t) | "0" @when(t, int) | call @with(t) ;
//	@type(t) call = ( name @use(fun, s) "(" expr @with(p) @args(p, s, ", ") ")" ) @some(s, t(..)) ;
//
// A word with arguments, such as int(ptr), is a type of functions: the result is int, and the only
// parameter ptr.

// typeSet has the types of a grammar.
type typeSet struct {
	names  []string
	closed bool                // the types are declared with @types
	below  map[string][]string // the direct subtypes of a type
}

// environment has the values of a rule's parameters.
type environment struct {
	numbers map[string]int
	types   map[string]string
}

// and returns the environment with another parameter, whose value is a type.
func (env environment) and(name, of string) environment {
	types := map[string]string{name: of}
	for k, v := range env.types {
		if k != name {
			types[k] = v
		}
	}
	return environment{env.numbers, types}
}

// number returns the number of a type. A new type gets the next number.
func (ts *typeSet) number(name string) int {
	i := slices.Index(ts.names, name)
	if i < 0 {
		i = len(ts.names)
		ts.names = append(ts.names, name)
	}
	return i
}

// declare reads the @types annotations of all rules and removes them.
func (x *expander) declare(g *syntax.Grammar) {
	for _, r := range g.Rules {
		r.Annotations = slices.DeleteFunc(slices.Clone(r.Annotations), func(a grammar.Annotation) bool {
			if a.Name != "types" {
				return false
			}
			x.types.closed = true
			for _, arg := range a.Args {
				chain := strings.Split(strings.ReplaceAll(arg, " ", ""), "<")
				for i, name := range chain {
					if name == "" || strings.Contains(name, "*") || strings.Contains(name, "..") {
						x.fail(a.Pos, fmt.Sprintf("@types: %q is not a type", arg), "write it as in @types(int, char<int, ptr, int(ptr))")
						return true
					}
					x.types.number(name)
					if i > 0 {
						x.types.below[name] = append(x.types.below[name], chain[i-1])
					}
				}
			}
			return true
		})
	}
	for _, name := range x.types.names {
		if result, params, ok := signature(name); ok {
			for _, t := range append(params, result) {
				if !slices.Contains(x.types.names, t) {
					x.fail(g.Rules[0].Pos, fmt.Sprintf("the type %s of %s is not declared", t, name), "add it to @types")
				}
			}
		}
	}
}

// signature splits a type of functions into the result and the parameters.
func signature(name string) (result string, params []string, ok bool) {
	result, inside, ok := strings.Cut(name, "(")
	if !ok || !strings.HasSuffix(inside, ")") {
		return "", nil, false
	}
	inside = strings.TrimSuffix(inside, ")")
	if inside != "" {
		params = strings.Split(inside, ",")
	}
	return result, params, true
}

var word = regexp.MustCompile(`[\p{L}_][\p{L}\p{N}_]*`)

// put replaces names of parameters in a word by their values. result(s) becomes the result of s.
func (env environment) put(arg string) string {
	arg = word.ReplaceAllStringFunc(strings.ReplaceAll(arg, " ", ""), func(w string) string {
		if v, ok := env.types[w]; ok {
			return v
		}
		if v, ok := env.numbers[w]; ok {
			return fmt.Sprint(v)
		}
		return w
	})
	if of, ok := strings.CutPrefix(arg, "result("); ok {
		if result, _, ok := signature(strings.TrimSuffix(of, ")")); ok {
			return result
		}
	}
	return arg
}

// matching returns the types that match a pattern: a type itself, * for all types except functions,
// t(..) for functions with result t, *(..) for all functions.
func (ts *typeSet) matching(pattern string) (all []string) {
	want, _, function := strings.Cut(pattern, "(..)")
	for _, name := range ts.names {
		result, _, isFunction := signature(name)
		switch {
		case name == pattern,
			pattern == "*" && !isFunction,
			function && isFunction && (want == "*" || want == result):
			all = append(all, name)
		}
	}
	return all
}

// typesOf returns the types that match an argument. An unknown type is an error if the types are
// declared.
func (x *expander) typesOf(a grammar.Annotation, arg string, env environment) []string {
	pattern := env.put(arg)
	all := x.types.matching(pattern)
	if len(all) > 0 || strings.Contains(pattern, "*") || strings.Contains(pattern, "..") {
		return all
	}
	if !x.types.closed {
		x.types.number(pattern)
		return []string{pattern}
	}
	hint := "add it to @types"
	if near := words.Nearest(pattern, x.types.names); near != "" {
		hint = fmt.Sprintf("did you mean %s?", near)
	}
	x.fail(a.Pos, fmt.Sprintf("@%s: unknown type %s", a.Name, pattern), hint)
	return nil
}

// typeValues returns the numbers of the types that a parameter may have.
func (x *expander) typeValues(a grammar.Annotation) (values []int) {
	args := []string{"*"}
	if len(a.Args) > 1 {
		args = a.Args[1:]
	}
	for _, arg := range args {
		for _, name := range x.typesOf(a, arg, environment{}) {
			values = append(values, x.types.number(name))
		}
	}
	return values
}

// naming has the annotations of names. Their first argument is a namespace, and the others are
// types.
var naming = []string{"define", "fresh", "shadow", "use", "commit", "scope", "forward", "bind", "same"}

// named inserts the values of parameters into an annotation of names. A use of a type also admits
// names of its subtypes.
func (x *expander) named(a grammar.Annotation, env environment) grammar.Annotation {
	args := slices.Clone(a.Args)
	if len(args) > 0 && strings.Contains(args[0], "(") {
		args[0] = env.put(args[0])
	}
	if a.Name == "forward" { // its second argument is a number
		return grammar.Annotation{Name: a.Name, Pos: a.Pos, Args: args}
	}
	for i := 1; i < len(a.Args); i++ {
		all := x.typesOf(a, a.Args[i], env)
		switch {
		case len(all) == 0 && x.ds == nil:
			x.fail(a.Pos, fmt.Sprintf("@%s: no type is %s", a.Name, env.put(a.Args[i])), "name a type of @types")
		case a.Name != "use":
			args = append(args[:1], all...)
		default:
			if i == 1 {
				args = args[:1]
			}
			for j := 0; j < len(all); j++ {
				for _, below := range x.types.below[all[j]] {
					if !slices.Contains(all, below) {
						all = append(all, below)
					}
				}
				if !slices.Contains(args[1:], all[j]) {
					args = append(args, all[j])
				}
			}
		}
	}
	a.Args = args
	return a
}

// when reports whether the value of a parameter is among the cases of an annotation.
func (x *expander) when(a grammar.Annotation, cases []string, env environment) bool {
	fail := func(message string) bool {
		x.fail(a.Pos, "@"+a.Name+message, "write it as in call @when(t, int, ptr) or field @when(k, 2..4)")
		return true
	}
	if len(a.Args) < 2 || len(cases) == 0 {
		return fail(" takes a parameter of the rule and its values")
	}
	if a.Name == "when" {
		cases = a.Args[1:]
	}
	of, isType := env.types[a.Args[0]]
	if isType {
		return slices.ContainsFunc(cases, func(arg string) bool { return slices.Contains(x.typesOf(a, arg, env), of) })
	}
	v, err := evaluate(a.Args[0], env.numbers)
	if err != nil {
		return fail(fmt.Sprintf(": %v", err))
	}
	for _, arg := range cases {
		lo, hi, ok := span(arg)
		if !ok {
			return fail(fmt.Sprintf(": %q is not a case", arg))
		}
		if lo <= v && v <= hi {
			return true
		}
	}
	return false
}

// bindsTypes reports whether an annotation repeats its element for several types.
func bindsTypes(a grammar.Annotation) bool { return a.Name == "some" || a.Name == "args" }

// bound applies such an annotation to an element. @some makes a choice with an alternative for each
// matching type, @args a sequence with an element for each parameter of a function.
func (x *expander) bound(e *syntax.Expr, a grammar.Annotation, env environment) *syntax.Expr {
	if len(a.Args) < 2 || !isIdent(a.Args[0]) || a.Name == "args" && len(a.Args) > 3 {
		x.fail(a.Pos, fmt.Sprintf("@%s takes a name and the types that it stands for", a.Name), `write it as in call @some(s, int(..)) or arg @args(p, s, ", ")`)
		return syntax.NewLit(e.Pos, "")
	}
	each := func(name string) *syntax.Expr { return x.expand(e, env.and(a.Args[0], name)) }
	if a.Name == "some" {
		c := &syntax.Expr{Op: grammar.Choice, Pos: e.Pos}
		for _, arg := range a.Args[1:] {
			for _, name := range x.typesOf(a, arg, env) {
				c.Children = append(c.Children, each(name))
				c.Labels = append(c.Labels, a.Args[0]+"="+name)
			}
		}
		return c
	}
	_, params, ok := signature(env.put(a.Args[1]))
	if !ok {
		x.fail(a.Pos, fmt.Sprintf("@args: %s is not a type of functions", env.put(a.Args[1])), "such a type is written as in int(ptr,int)")
	}
	c := &syntax.Expr{Op: grammar.Seq, Pos: e.Pos}
	for i, name := range params {
		if i > 0 && len(a.Args) > 2 {
			c.Children = append(c.Children, syntax.NewLit(e.Pos, a.Args[2]))
		}
		c.Children = append(c.Children, each(name))
	}
	return c
}
