package parse_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

// TestObeying checks that the first tree of an ambiguous text that obeys the annotations is
// taken. Where none does, the error gives the name; beyond the limit, the error is
// ErrUndecided.
func TestObeying(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct{ name, src, text, want string }{
		{"the second tree obeys", `s = word @use(v) s | word @define(v) @commit(v) s | "." ; word = [a-z] ;`, "aab.", ""},
		{"none obeys", `s = word @define(v) ":" e ; e = e "+" e | word @use(v) ; word = [a-z] ;`, "a:a+a+b", `1:7: "b" is used before it is defined (namespace v)`},
		{"too many trees", `s = word @define(v) ":" e ; e = e "+" e | word @use(v) ; word = [a-z] ;`, "a:" + strings.Repeat("a+", 20) + "b",
			`not decided: the text has 6564120420 trees, and in none of the first 1000 every name is where it may be (1:43: "b" is used before it is defined (namespace v))`},
		{"tokens that join", `s = "," n @fresh(v) m* ";" n @use(v) ; m = n @fresh(v) ; @token n = [ab]+ ;`, ",abb;b", ""},
		{"tokens that join and do not obey", `s = "," n @fresh(v) m* ";" n @use(v) ; m = n @fresh(v) ; @token n = [ab]+ ;`, ",abb;aa", `1:6: "aa" is used before it is defined (namespace v)`},
		{"no names", `s = "x" s | "x" ;`, "xxx", ""},
	} {
		g, _, err := load.Source("g.ebnf", []byte(c.src), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		names, err := gctx.New(g, gctx.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := parse.New(ctx, g, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := p.Parse(ctx, "", c.text)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := f.Obeying(ctx, names)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want == "" && (tree.Text() != c.text || names.Check(tree) != nil):
			t.Errorf("%s: a tree of %q: %v", c.name, tree.Text(), names.Check(tree))
		case c.want != "" && (err == nil || err.Error() != c.want):
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
		if errors.Is(err, parse.ErrUndecided) != strings.HasPrefix(c.want, "not decided") {
			t.Errorf("%s: the error is a %T", c.name, err)
		}
	}
}
