package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/internal/records/sentences"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
	"github.com/gramfuzz/gramfuzz/parse"
)

// apiGrammar is a loaded grammar, with the parser and the machine of those who lock it.
type apiGrammar struct {
	*grammar.Grammar
	sync.Mutex
	reader  *sentences.Reader // nil before a text is parsed
	machine *derive.Machine   // nil before choices are replayed
}

// loaded returns the loaded grammar with a name; nil if there is none.
func (a *api) loaded(name string) *apiGrammar {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.grammars[name]
}

// runAPILoad loads a grammar under a name and prints its expressions, by which a client walks it.
func runAPILoad(_ context.Context, args []string, std streams) error {
	f := newFlags(std, "load -g GRAMMAR NAME", "")
	gf := f.addGrammar()
	if err := f.parse(args, 1); err != nil {
		return err
	}
	g, ds, err := gf.read()
	if err != nil {
		return err
	}
	std.diagnose(ds...)
	exprs, replay, err := apiExprs(g)
	if err != nil {
		return err
	}
	std.api.mu.Lock()
	std.api.grammars[f.Arg(0)] = &apiGrammar{Grammar: g}
	std.api.mu.Unlock()
	return std.printJSON(map[string]any{"gramfuzz": version(), "grammar": refOf(gf.ref(), g), "binary": g.Binary,
		"root": g.Root.ID, "exprs": exprs, "replay": replay})
}

// runAPIDo runs do, of a loaded grammar and standard input, and prints the result.
func runAPIDo(do func(context.Context, *apiGrammar, []byte) (any, error)) func(context.Context, []string, streams) error {
	return func(ctx context.Context, args []string, std streams) error {
		text, err := readInput(std, "-")
		if err != nil {
			return err
		}
		if len(args) != 1 || std.api.loaded(args[0]) == nil {
			return fmt.Errorf("%q is no loaded grammar; load it first", args)
		}
		l := std.api.loaded(args[0])
		l.Lock()
		defer l.Unlock()
		result, err := do(ctx, l, text)
		if err != nil {
			return err
		}
		return std.printJSON(result)
	}
}

// apiTree returns the choices of a text and the nodes of its tree.
func apiTree(ctx context.Context, l *apiGrammar, text []byte) (_ any, err error) {
	if l.reader == nil {
		l.reader, err = sentences.New(ctx, l.Grammar, parse.DefaultMaxMemory)
		if err != nil {
			return nil, err
		}
	}
	var wrong error
	l.reader.Refuse = func(_ string, _ []byte, err error) { wrong = no("the text: %v", err) }
	forest, err := l.reader.Parser.Parse(ctx, "text", string(text))
	if err != nil {
		return nil, refused("the text", err)
	}
	t, err := l.reader.Tree(ctx, "text", forest)
	if err = errors.Join(err, wrong); err != nil {
		return nil, err
	}
	nodes := []describe.Node{}
	describe.Nodes(t, func(n describe.Node) { nodes = append(nodes, n) })
	return map[string]any{"nodes": nodes, "choices": t.Choices()[:t.Nodes()[0].To]}, nil
}

// apiReplay returns the text of a choice sequence.
func apiReplay(ctx context.Context, l *apiGrammar, text []byte) (_ any, err error) {
	var choices []int
	if err := json.Unmarshal(text, &choices); err != nil {
		return nil, fmt.Errorf("no choices (%w); send numbers, such as [0,2,1]", err)
	}
	if l.machine == nil {
		l.machine, err = record.Machine(l.Grammar, &derive.Record{Layout: derive.Tight.String()})
		if err != nil {
			return nil, err
		}
	}
	t, err := l.machine.Draft(ctx, derive.Replay(choices))
	if errors.As(err, new(*lex.JoinError)) {
		return nil, no("the tokens of this sentence cannot stand beside each other: %v", err)
	}
	if err != nil {
		return nil, err
	}
	return textOf(t.AppendText(nil)), nil
}

// apiExpr is an expression of a grammar. Walks from the root along expressions make the choices of
// choice sequences. A literal has a Text, a class Ranges, a sequence and a choice To, a repetition To,
// Min and Max, a reference To and Rule, unless it derives nothing, a name has nothing.
type apiExpr struct {
	Op string `json:"op"`
	apiText
	Ranges []rune `json:"ranges,omitempty"` // pairs, both inclusive; from 0x110000 on bytes
	To     []int  `json:"to,omitempty"`
	Min    int    `json:"min,omitempty"`
	Max    int    `json:"max,omitempty"` // -1: no limit
	Rule   string `json:"rule,omitempty"`
}

// apiExprs returns the expressions of a grammar, and whether only a replay makes texts: if there are
// layout, names or computed fields.
func apiExprs(g *grammar.Grammar) (exprs []apiExpr, replay bool, err error) {
	names, err := scope.New(g, false, 1)
	if err != nil {
		return nil, false, err
	}
	layout, err := derive.NewLayout(g, derive.Tight)
	for _, e := range g.Exprs {
		x := apiExpr{Op: e.Op.String(), Min: e.Min, Max: e.Max}
		for _, k := range e.Children {
			x.To = append(x.To, k.ID)
		}
		if !e.Silent {
			x.apiText = textOf([]byte(e.Text))
		}
		for _, r := range e.Gen.Ranges() {
			x.Ranges = append(x.Ranges, r.Lo, r.Hi)
		}
		if e.Op == grammar.Ref && (e.Rule.Kind != grammar.Skip || e.Rule.Inline) {
			x.To, x.Rule = []int{e.Rule.Body.ID}, e.Rule.Name
		}
		if names != nil && names.At(e) != nil && names.At(e).Kind != scope.None {
			x.Op, x.To = "name", nil
			if names.At(e).Kind == scope.Same {
				x.Op = "sequence"
			}
		}
		exprs = append(exprs, x)
	}
	return exprs, layout != nil || names != nil || g.Binary && !g.Root.Plain, err
}
