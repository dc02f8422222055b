package picture

import (
	"context"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
	"github.com/gramfuzz/gramfuzz/internal/ui/report"
)

type samplingPage struct {
	Name, Text string
	Lengths    template.HTML
	Rules      []sharesView
	More       int // omitted choices
}

type sharesView struct {
	Rule    string
	Choices []choiceView
}

type choiceView struct {
	Pos, Taken string
	Shares     []describe.Alternative
}

// mostChoices bounds the choices on the page.
const mostChoices = 3000

// WriteSampling writes a page about a prediction: the lengths of sentences of src, and how
// often they take each alternative.
func WriteSampling(ctx context.Context, w io.Writer, x *describe.Prediction, src describe.Source) error {
	var text strings.Builder
	if err := x.WriteText(&text, describe.NoChoices); err != nil {
		return err
	}
	p := samplingPage{Name: words.Quote(x.Grammar), Text: words.QuoteLines(text.String())}
	all, err := describe.Lengths(ctx, src)
	if err != nil {
		return err
	}
	if len(all) > 0 {
		var b strings.Builder
		if err := lengths(all).WriteSVG(&b); err != nil {
			return err
		}
		p.Lengths = template.HTML(b.String()) // the template escapes all strings
	}
	p.More = max(len(x.Choices)-mostChoices, 0)
	for _, c := range x.Choices[:len(x.Choices)-p.More] {
		rule := words.Quote(c.Rule)
		if n := len(p.Rules); n == 0 || p.Rules[n-1].Rule != rule {
			p.Rules = append(p.Rules, sharesView{Rule: rule})
		}
		v := &p.Rules[len(p.Rules)-1]
		shares := slices.Clone(c.Alternatives)
		for i := range shares {
			shares[i].Begins = report.Cut(shares[i].Begins, 120)
		}
		v.Choices = append(v.Choices, choiceView{words.Quote(c.Pos), describe.Amount(c.Uses), shares})
	}
	return samplingTemplate.Execute(w, p)
}

// lengths returns a histogram; all its bars cover the same number of lengths.
func lengths(of []int) *report.Bars {
	const most = 28 // as many as fit on a page
	shortest, longest := slices.Min(of), slices.Max(of)
	each := (longest-shortest)/most + 1
	values := make([]float64, (longest-shortest)/each+1)
	b := &report.Bars{Title: "lengths in bytes", Note: "of " + words.Plural(len(of), "sentence") + " drawn"}
	for _, n := range of {
		values[(n-shortest)/each] += 1 / float64(len(of))
	}
	for i := range values {
		from := shortest + i*each
		label := fmt.Sprint(from)
		if each > 1 {
			label = fmt.Sprintf("%d–%d", from, from+each-1)
		}
		b.Labels = append(b.Labels, label)
	}
	b.Series = []report.Series{{Name: "share of the sentences", Values: values}}
	return b
}

var samplingTemplate = newPage("sampling", `<h1>Sentences of {{.Name}}</h1>
<pre>{{.Text}}</pre>
{{with .Lengths}}<h2>Lengths</h2>
<div class="scroll">{{.}}</div>
{{end}}<h2>Shares</h2>
<p class="legend">How often a sentence takes each alternative: its share of the choice, and times a sentence. <span class="lost">Drowned</span> alternatives are expected to be missed.</p>
{{range .Rules}}<h3>{{.Rule}}</h3>
{{range .Choices}}<div class="tag">{{.Pos}}: taken {{.Taken}} times a sentence</div>
<div class="scroll"><table>{{range .Shares}}<tr{{if .Mark}} class="lost"{{end}}><td class="name">{{.Begins}}</td><td class="share"><div class="bar"><div style="width:{{percent .Share}}%"></div></div></td><td class="n">{{percent .Share}} %</td><td class="n">{{amount .Uses}}</td><td class="mark">{{.Mark}}</td></tr>
{{end}}</table></div>
{{end}}{{end}}{{if .More}}<p>{{.More}} further choices are not shown; gramfuzz explain --all prints them.</p>{{end}}</body></html>
`)
