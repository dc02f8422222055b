package picture

import (
	"context"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/graphs"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
	"github.com/gramfuzz/gramfuzz/internal/ui/report"
	"github.com/gramfuzz/gramfuzz/sample"
)

// drawnOf is the number of sentences drawn; alternatives that would be missing from all of them
// are marked as drowned.
const drawnOf = 10_000

type grammarPage struct {
	Name, Facts string
	Messages    []string
	Drowned     string
	Counts      template.HTML
	Rules       []ruleView
}

type ruleView struct {
	Anchor, Name, Kind string
	Recursive, Start   bool
	Diagram            template.HTML
}

// WriteGrammar writes a page about a grammar: its contents; a curve of the number of
// derivations by size; a railroad diagram of each rule, with recursion and the alternatives
// that uniform sampling drowns; and diagnostics.
func WriteGrammar(ctx context.Context, w io.Writer, g *grammar.Grammar, contents *describe.Contents, ds grammar.Diagnostics) error {
	var facts strings.Builder
	if err := contents.WriteText(&facts); err != nil {
		return err
	}
	p := grammarPage{Name: words.Quote(g.Name), Facts: words.QuoteLines(strings.ReplaceAll(facts.String(), "\t", "  "))}
	for _, d := range ds {
		p.Messages = append(p.Messages, words.Quote(d.String()))
	}
	bound, counts, err := describe.Sizes(ctx, g)
	if err != nil {
		return err
	}
	if len(counts) > 0 {
		p.Counts = inline(growth(bound, counts), growthWidth, growthHeight, "derivations by size")
	}
	drowned := map[int]string{}
	x := describe.Uniform(ctx, g, sample.Options{})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case x == nil:
		p.Drowned = "Which alternatives are drowned was not computed, since it takes much memory here; gramfuzz explain says it."
	default:
		for _, alt := range x.Missed(drawnOf) {
			drowned[alt] = fmt.Sprintf("drowned: taken %s times a sentence", describe.Amount(x.Alternatives[alt]))
		}
		p.Drowned = fmt.Sprintf("%d uniform sentences (%v) are expected to miss %s.", drawnOf, x.Bound, words.Plural(len(drowned), "alternative"))
	}
	p.Rules = rules(g, drowned)
	return grammarTemplate.Execute(w, p)
}

// rules draws all rules except generated helpers, which are drawn inline.
func rules(g *grammar.Grammar, drowned map[int]string) []ruleView {
	recursive, group := map[*grammar.Rule]bool{}, groups(g)
	for _, r := range g.Recursive() {
		recursive[r] = true
	}
	var out []ruleView
	left := mostOfAll
	for _, r := range g.Rules {
		if r.Inline {
			continue
		}
		lay := &railroad{drowned: drowned, numbered: r.Written == nil, left: min(mostParts, left)}
		lay.again = func(to *grammar.Rule) bool { return recursive[r] && group[to.ID] == group[r.ID] }
		body := r.Body
		if r.Written != nil {
			body = r.Written
		}
		before := lay.left
		s, width, height := lay.diagram(body)
		left -= before - lay.left
		v := ruleView{Anchor: anchor(r), Name: words.Quote(r.Name), Recursive: recursive[r], Start: r == g.Start, Diagram: inline(s, width, height, r.Name)}
		if r.Kind != grammar.Syntax {
			v.Kind = r.Kind.String()
		}
		out = append(out, v)
	}
	return out
}

// groups returns for each rule the number of its component; rules that lead to each other are
// in the same one.
func groups(g *grammar.Grammar) []int {
	uses := make([][]int, len(g.Rules))
	for _, r := range g.Rules {
		add := func(e *grammar.Expr) {
			if e.Op == grammar.Ref && e.Rule != nil {
				uses[r.ID] = append(uses[r.ID], e.Rule.ID)
			}
		}
		r.Body.Walk(add)
	}
	of := make([]int, len(g.Rules))
	for n, component := range graphs.Components(len(g.Rules), func(v int) []int { return uses[v] }) {
		for _, id := range component {
			of[id] = n
		}
	}
	return of
}

// inline returns a picture for a page, which has the styles for it. Its texts are escaped.
func inline(s *report.SVG, width, height float64, title string) template.HTML {
	var b strings.Builder
	_ = s.WriteTo(&b, width, height, title, false) // a Builder never fails
	return template.HTML(b.String())
}

const pageHead = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width"/><title>{{.Name}}</title>
<style>
{{style}}</style></head><body>
`

var grammarTemplate = newPage("grammar", `<h1>Grammar {{.Name}}</h1>
<pre>{{.Facts}}</pre>
{{with .Messages}}<h2>Messages</h2>
<ul>{{range .}}<li><code>{{.}}</code></li>
{{end}}</ul>
{{end}}<h2>Derivations by size</h2>
{{with .Counts}}<div class="scroll">{{.}}</div>
{{else}}<p>Not counted, since it takes much memory here; gramfuzz count does it.</p>
{{end}}<h2>Rules</h2>
<p class="legend">Follow a line from left to right. <span class="rec">↻</span> A name in a blue box leads back to the rule itself. <span class="lost">A dashed line</span> is a drowned alternative. {{.Drowned}}</p>
{{range .Rules}}<h3 id="{{.Anchor}}">{{.Name}}{{if .Start}}<span class="tag">start</span>{{end}}{{with .Kind}}<span class="tag">{{.}}</span>{{end}}{{if .Recursive}}<span class="tag rec">↻ recursive</span>{{end}}</h3>
<div class="scroll">{{.Diagram}}</div>
{{end}}</body></html>
`)

func newPage(name, body string) *template.Template {
	return template.Must(template.New(name).Funcs(template.FuncMap{
		"style":   func() template.CSS { return report.Style },
		"percent": func(share float64) string { return fmt.Sprintf("%.3f", 100*share) },
		"amount":  describe.Amount,
	}).Parse(pageHead + body))
}
