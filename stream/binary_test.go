package stream_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/stream"
)

// named has computed fields, and names that stand for other texts.
const named = `@int(k, 2..3) file = (u8 @len(body) body u8 @count(rows) row @times(0, k) @part(rows)) @part(all) u8 @sum(all) ;
body = (item @commit(var)){1,9} ; item = name @define(var) "=" [x-z] ";" | name @use(var) ";" ; name = [a-c] [0-9]? ; row = "(" name @use(var)? ")" ;`

// isNamed reports whether the fields of a sentence of named are right.
func isNamed(text string) bool {
	end, last, sum := 1+int(text[0]), len(text)-1, byte(0)
	for i := range last {
		sum += text[i]
	}
	return end < last && text[end-1] == ';' && int(text[end]) == strings.Count(text[end+1:last], "(") && text[last] == sum
}

// TestTextsOfBinaryGrammars checks that a sentence of a binary grammar has the same text without
// its tree, from its tree, and in its record.
func TestTextsOfBinaryGrammars(t *testing.T) {
	ctx := context.Background()
	all := map[string]*grammar.Grammar{"named": load.MustString(named)}
	for _, name := range grammars.Names("formats") {
		all[name] = grammars.Must(name)
	}
	for name, g := range all {
		for _, strategy := range []string{"broad", "uniform", "limit"} {
			s, err := (&stream.Plan{Strategy: strategy, Seed: 7}).Open(ctx, g, stream.Options{})
			if err != nil {
				t.Fatalf("%s, %s: %v", name, strategy, err)
			}
			texts, trees, records := s.Source(), s.Source(), s.Records()
			for i := range uint64(40) {
				text, err := texts.Append(ctx, []byte("before"), i)
				if err != nil {
					t.Fatalf("%s, %s: %v", name, strategy, err)
				}
				tree, err := trees.Tree(ctx, i)
				if err != nil {
					t.Fatalf("%s, %s: %v", name, strategy, err)
				}
				rec, err := records.Record(ctx, i)
				if err != nil {
					t.Fatalf("%s, %s: %v", name, strategy, err)
				}
				if want := "before" + tree.Text(); string(text) != want || "before"+string(rec.Text) != want {
					t.Errorf("%s, %s: sentence %d is %q, in its record %q, its tree's text is %q", name, strategy, i, text, rec.Text, want)
				}
				if name == "named" && !isNamed(tree.Text()) {
					t.Errorf("%s: the fields of sentence %d are wrong: %q", strategy, i, text)
				}
			}
		}
	}
}
