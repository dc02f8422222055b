package coverage

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
)

// HTML writes a self-contained page: the counts, the grammar coloured by use (darker for more
// use, red for never), and the paths not reached.
func HTML(w io.Writer, c *Coverage) error {
	return page.Execute(w, c.view())
}

// HTMLPart returns the counts and the coloured grammar for inclusion in another page, which
// also needs the style sheet.
func HTMLPart(c *Coverage) (style template.CSS, part template.HTML, err error) {
	var b strings.Builder
	err = page.ExecuteTemplate(&b, "part", c.view())
	return styleSheet, template.HTML(b.String()), err // the template escapes all strings
}

const styleSheet template.CSS = `body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#222;background:#fff}
table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em 1em .2em 0;text-align:left}td.n{text-align:right}
.bar{width:12em;background:#fbb;height:.8em}.bar div{background:#4a4;height:100%}
pre{font:14px/1.6 ui-monospace,monospace;white-space:pre-wrap;margin:.3em 0 .3em 2em;text-indent:-2em}
.never{background:#fbb}.none{color:#777}
.u1{background:#e4f5e4}.u2{background:#cdebcd}.u3{background:#b0deb0}.u4{background:#8fd08f}.u5{background:#6cc06c}
li{font-family:ui-monospace,monospace;font-size:13px}
@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}.never{background:#722}.none{color:#999}
.u1{background:#1d331d}.u2{background:#204020}.u3{background:#245024}.u4{background:#286028}.u5{background:#2d742d}}
`

// view is the content of the page.
type view struct {
	*Report
	Parts  []partView
	Grams  []ruleView
	Missed []Item // paths, at most maxMissed
	More   int    // further paths missed
}

type partView struct {
	Name string
	Part
}

type ruleView struct {
	Name, Kind string
	Class      string
	Title      string
	Pieces     []pieceView
}

type pieceView struct{ Text, Class, Title string }

const maxMissed = 500

func (c *Coverage) view() *view {
	v := &view{Report: c.Report()}
	v.Parts = []partView{{"rules", v.Rules}, {"alternatives", v.Alternatives}, {"terminals", v.Terminals}}
	if c.o.K > 0 {
		v.Parts = append(v.Parts, partView{fmt.Sprintf("%d-paths", c.o.K), v.Paths})
	}
	for _, it := range v.Paths.Items {
		switch {
		case it.Count > 0:
		case len(v.Missed) < maxMissed:
			v.Missed = append(v.Missed, it)
		default:
			v.More++
		}
	}
	most := uint64(1)
	for _, n := range c.rules {
		most = max(most, n)
	}
	for _, r := range c.graph.g.Rules {
		if r.Inline {
			continue
		}
		v.Grams = append(v.Grams, c.ruleView(r, most))
	}
	return v
}

// ruleView returns a rule in pieces, each with the colour of its use.
func (c *Coverage) ruleView(r *grammar.Rule, most uint64) ruleView {
	out := ruleView{Name: r.Name, Class: "none"}
	if r.Kind != grammar.Syntax {
		out.Kind = "@" + r.Kind.String()
	}
	sym, known := c.graph.byRule[r]
	_, reached := c.graph.reached[sym]
	inside := false // the parts of the rule are counted
	switch {
	case !known || !reached:
		out.Title = "cannot be reached, or is part of tokens only"
	default:
		out.Class, out.Title = shade(c.rules[r.ID], most), times(c.rules[r.ID])
		inside = !c.graph.symbols[sym].terminal
	}
	body := r.Body
	if r.Written != nil && !inside {
		body = r.Written
	}
	for _, p := range pieces(nil, body, nil, -1, false) {
		pv := pieceView{Text: p.text, Class: "none"}
		if n, ok := c.uses(p); inside && ok {
			pv.Class, pv.Title = shade(n, most), times(n)
		}
		out.Pieces = append(out.Pieces, pv)
	}
	return out
}

// uses returns the count of a piece of the grammar, and whether it is counted.
func (c *Coverage) uses(p piece) (uint64, bool) {
	if p.expr == nil {
		return 0, false
	}
	if p.alt >= 0 {
		n := p.expr.FirstAlt + p.alt
		_, can := c.graph.alts[n]
		return c.alts[n], can
	}
	_, ok := c.graph.symbol(p.expr)
	return c.exprs[p.expr.ID], ok
}

// shade returns the class of a count: never, or 1 to 5 on a logarithmic scale.
func shade(n, most uint64) string {
	if n == 0 {
		return "never"
	}
	return fmt.Sprintf("u%d", 1+int(math.Round(4*math.Log1p(float64(n))/math.Log1p(float64(max(n, most))))))
}

func times(n uint64) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

var page = template.Must(template.New("coverage").Funcs(template.FuncMap{"style": func() template.CSS { return styleSheet }, "q": words.Quote}).Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Coverage of {{q .Grammar}}</title>
<style>
{{style}}</style></head><body>
<h1>Coverage of {{q .Grammar}}</h1>
<p>{{.Trees}} sentence{{if ne .Trees 1}}s{{end}}</p>
{{template "part" .}}</body></html>
{{define "part"}}<table><tr><th>part</th><th>reached</th><th>of</th><th></th><th></th></tr>
{{range .Parts}}<tr><td>{{.Name}}</td><td class="n">{{.Reached}}</td><td class="n">{{.Total}}</td><td class="n">{{printf "%.1f" .Percent}} %</td><td><div class="bar"><div style="width:{{printf "%.1f" .Percent}}%"></div></div></td></tr>
{{end}}</table>
<h2>Grammar</h2>
<p>The deeper the green the more often a part was used; <span class="never">red</span> was never used. Point at a part for its number.</p>
{{range .Grams}}<pre>{{with .Kind}}<span class="none">{{.}} </span>{{end}}<b class="{{.Class}}" title="{{.Title}}">{{q .Name}}</b> = {{range .Pieces}}<span class="{{.Class}}"{{with .Title}} title="{{.}}"{{end}}>{{q .Text}}</span>{{end}} ;</pre>
{{end}}{{if .Missed}}<h2>Paths not reached</h2>
<ul>{{range .Missed}}<li>{{q .Name}}</li>
{{end}}</ul>{{if .More}}<p>and {{.More}} more</p>{{end}}{{end}}
{{end}}`))
