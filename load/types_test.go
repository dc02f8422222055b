package load_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/load"
)

// TestTypes: rules with type parameters become plain rules, without the alternatives that their
// types exclude.
func TestTypes(t *testing.T) {
	const src = `@types(char<int, int, ptr, int(ptr), int(int,char), ptr()) start = e @with(int) d ;
d = ( "f" ( n @fresh(v, p) ) @args(p, s, ";") ":" e @with(result(s)) ) @scope(v) @some(s, *(..)) ;
@type(t) e = a: "0" @when(t, int, char) %2 | b: n @use(v, t) | c @with(t) %3 ;
@type(t, int, ptr) c = ( n @use(f, s) "(" e @with(p) @args(p, s) ")" ) @some(s, t(..)) ;
n = "x" @define(f, int(ptr)) | "y" @use("g(int)") ;
`
	const want = `start = <e(int)> d ;
d =
    <s=int(ptr)>: ("f" n @fresh(v, ptr) ":" <e(int)>) @scope(v)
  | <s=int(int,char)>: ("f" (n @fresh(v, int) ";" n @fresh(v, char)) ":" <e(int)>) @scope(v)
  | <s=ptr()>: ("f" () ":" <e(ptr)>) @scope(v)
  ;
<e(char)> = a: "0" %2 | b: n @use(v, char) ;
<e(int)> = a: "0" %2 | b: n @use(v, int, char) | <c(int)> %3 ;
<e(ptr)> = b: n @use(v, ptr) | <c(ptr)> %3 ;
<c(int)> =
    <s=int(ptr)>: n @use(f, int(ptr)) "(" <e(ptr)> ")"
  | <s=int(int,char)>: n @use(f, int(int,char)) "(" (<e(int)> <e(char)>) ")"
  ;
<c(ptr)> = n @use(f, ptr()) "(" () ")" ;
n = "x" @define(f, int(ptr)) | "y" @use(g(int)) ;
`
	g, _, err := load.Source("g.ebnf", []byte(src), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := load.Print(g, "ebnf")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	again, _, err := load.Source("g.ebnf", []byte(got), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if twice, _, err := load.Print(again, "ebnf"); err != nil || twice != got {
		t.Errorf("%v\n%s", err, cmp.Diff(got, twice))
	}
}

// TestTypeMessages checks the messages about invalid types, both from reading a grammar and
// from binding its names.
func TestTypeMessages(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`@types(int) s = n @define(v, imt) ; n = "x" ;`, `g.ebnf:1:19: @define: unknown type imt; did you mean int?`},
		{`@types(int, <b) s = "x" ;`, `g.ebnf:1:1: @types: "<b" is not a type; write it as in @types(int, char<int, ptr, int(ptr))`},
		{`@types(int(long)) s = "x" ;`, `g.ebnf:1:19: the type long of int(long) is not declared; add it to @types`},
		{`@type(t) s = "x" ;`, `g.ebnf:1:1: @type of rule "s" is not a name with its types; write it as in @type(t, int, ptr), or @type(t) for all of @types, each name once`},
		{`@types(a) s = "x" @some(t, b) ;`, `g.ebnf:1:19: @some: unknown type b; did you mean a?`},
		{`@types(a) s = "x" @some(t, a(..)) ;`, `g.ebnf:1:11: rule "s" has nothing for the types and numbers that it takes; give it an alternative without @when, or one that @some finds types for`},
		{`@types(a) s = "x" @some(t) ;`, `g.ebnf:1:19: @some takes a name and the types that it stands for; write it as in call @some(s, int(..)) or arg @args(p, s, ", ")`},
		{`@types(a) s = "x" @args(p, a) ;`, `g.ebnf:1:19: @args: a is not a type of functions; such a type is written as in int(ptr,int)`},
		{`s = "x" @when(t, a) ;`, `g.ebnf:1:9: @when: the rule has no number t; write it as in call @when(t, int, ptr) or field @when(k, 2..4)`},
		{`@int(k, 1..3) s = "x" @when(k, 4..9) ;`, `g.ebnf:1:15: rule "s" has nothing for the types and numbers that it takes; give it an alternative without @when, or one that @some finds types for`},
		{`@type(t, a, b) s = "x" @with(a) ;`, `g.ebnf:1:24: @with(a) stands behind no rule with as many numbers; write @int(k, 1..5) before the rule, and row @with(k) where it is used`},
		{`s = n @define(v, int) n @use(v, imt) ; n = "x" ;`, `g.ebnf:1:25: nothing defines the names of type imt in namespace "v"; did you mean int?`},
		{`s = n @define(v, int) n @fresh(v) ; n = "x" ;`, `g.ebnf:1:25: names of namespace "v" have types, so @fresh takes one; write it as in @fresh(v, int)`},
		{`s = n @define(v, int, ptr) ; n = "x" ;`, `g.ebnf:1:7: names of namespace "v" have types, so @define takes one; write it as in @define(v, int)`},
		{`s = n @shadow(v) (n @fresh(v)) @commit(v) ; n = "x" ;`, `g.ebnf:1:7: @shadow hides a name at once, in a namespace whose names are visible once they are defined; leave out @commit and @forward`},
		{`s = n @shadow(v, int) n @shadow(v) ; n = "x" ;`, `g.ebnf:1:25: names of namespace "v" have types, so @shadow takes one; write it as in @shadow(v, int)`},
		{`@forward(v) s = n @define(v) n @use(v) ; n = "x" ;`, `g.ebnf:1:19: names of namespace "v" may be used before they are defined, so each is defined once; write @fresh`},
		{`@forward(v) s = (n @fresh(v)) @commit(v) ; n = "x" ;`, `g.ebnf:1:31: names of namespace "v" may be used before they are defined; leave out @commit`},
		{`s = n @fresh(v) t ; @forward(v) t = n @use(v) ; n = "x" ;`, `g.ebnf:1:21: @forward stands before the start rule only; write it before "s"`},
		{`@forward(v, 10) s = n @fresh(v) ; n = "x" ;`, `g.ebnf:1:1: @forward takes a namespace, and how many names of a type may be used before they are defined, from 1 to 9; write it as in @forward(v, 2)`},
		{`@forward(w) s = n @fresh(v) ; n = "x" ;`, `g.ebnf:1:1: nothing defines the names of namespace "w"; annotate with @define or @fresh the place where they come from`},
		{`s = n @scope(v, int) ; n = "x" ;`, `g.ebnf:1:7: @scope takes the name of one namespace; write it as in @scope(var)`},
	} {
		g, ds, err := load.Source("g.ebnf", []byte(c.src), load.Options{})
		got := ""
		if err == nil {
			if _, err = gctx.New(g, gctx.Options{}); err != nil {
				got = err.Error()
			}
		} else {
			got = "g.ebnf:" + strings.ReplaceAll(ds[0].String(), "g.ebnf:", "")
		}
		if got != c.want {
			t.Errorf("%s\n%s", c.src, cmp.Diff(c.want, got))
		}
	}
}
