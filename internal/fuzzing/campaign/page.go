package campaign

import (
	"html/template"
	"io"
	"strings"

	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/ui/report"
)

// page is the content of a campaign's report.
type page struct {
	*Summary
	Command string
	Grammar string
	Seed    uint64
	Guide   string
	Style   template.CSS
	Curves  []template.HTML
	Use     template.HTML // the grammar coloured by use
	Kept    []keptFinding
}

// keptFinding is a finding as shown on the page.
type keptFinding struct {
	*Finding
	Text, Replay string
}

// writePage writes the page of the campaign to the folder and returns its path. The page is
// self-contained: nothing in it is loaded from elsewhere.
func (c *Campaign) writePage(sum *Summary) (string, error) {
	p, err := c.page(sum)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := pageTemplate.Execute(&b, p); err != nil {
		return "", err
	}
	path := c.folder.path(pageName)
	return path, c.folder.disk.Write(path, []byte(b.String()))
}

func (c *Campaign) page(sum *Summary) (*page, error) {
	p := &page{
		Summary: sum, Command: replayLine(c.o.Command, "TEXT"), Grammar: c.g.Name, Seed: c.runFile.state.Seed,
		Guide: c.o.Guide,
	}
	c.mu.Lock()
	var err error
	p.Style, p.Use, err = coverage.HTMLPart(c.cover)
	curve := c.curve
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	for _, s := range []struct {
		title string
		of    func(Point) float64
	}{
		{"runs of the program", func(q Point) float64 { return float64(q.Runs) }},
		{"behaviours", func(q Point) float64 { return float64(q.Labels) }},
		{"findings", func(q Point) float64 { return float64(q.Findings) }},
	} {
		drawn := report.Curve{Title: s.title}
		for _, q := range curve {
			drawn.X, drawn.Y = append(drawn.X, q.Seconds), append(drawn.Y, s.of(q))
		}
		svg, err := toHTML(drawn.WriteSVG)
		if err != nil {
			return nil, err
		}
		p.Curves = append(p.Curves, svg)
	}
	for _, fd := range sum.Findings {
		p.Kept = append(p.Kept, keptFinding{fd, string(fd.Record.Text), fd.Replay(c.folder.path(findingsDir, fd.Key))})
	}
	return p, nil
}

// toHTML returns the output of a template, which escapes its input.
func toHTML(write func(io.Writer) error) (template.HTML, error) {
	var b strings.Builder
	err := write(&b)
	return template.HTML(b.String()), err
}

var pageTemplate = template.Must(template.New("campaign").Funcs(template.FuncMap{"q": words.Quote, "lines": words.QuoteLines}).Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Fuzzing with {{q .Grammar}}: {{len .Kept}} findings</title>
<style>
{{.Style}}.text{text-indent:0;margin-left:0;padding:.5em;background:#f3f3f3;overflow-wrap:anywhere}
h3{margin-bottom:.2em}code{font-family:ui-monospace,monospace;font-size:13px;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){.text{background:#242424}}
</style></head><body>
<h1>Fuzzing with {{q .Grammar}}</h1>
<p><code>{{q .Command}}</code></p>
<table>
<tr><td>time</td><td class="n">{{printf "%.0f" .Seconds}} s</td></tr>
<tr><td>runs of the program</td><td class="n">{{.Runs}}</td></tr>
<tr><td>runs a second</td><td class="n">{{printf "%.0f" .PerSecond}}</td></tr>
<tr><td>sentences of the stream (seed {{.Seed}})</td><td class="n">{{.Sentences}}</td></tr>
<tr><td>texts that the program took</td><td class="n">{{.Taken}}</td></tr>
{{if .Remarked}}<tr><td>of those, with something on standard error</td><td class="n">{{.Remarked}}</td></tr>
{{end}}<tr><td>texts that it refused</td><td class="n">{{.Refused}}</td></tr>
<tr><td>texts that it failed on</td><td class="n">{{.Failed}}</td></tr>
<tr><td>behaviours of the program told apart (guide {{.Guide}})</td><td class="n">{{.Labels}}</td></tr>
{{if ge .Covered 0}}<tr><td>every sentence was run of at most so many terminals</td><td class="n">{{.Covered}}</td></tr>
{{end}}<tr><td>findings</td><td class="n">{{len .Kept}}</td></tr>
{{with .NotKept}}<tr><td>further kinds of failures, not kept</td><td class="n">{{.}}</td></tr>
{{end}}{{with .Fixed}}<tr><td>findings that the program, since it changed, does not have any more</td><td class="n">{{len .}}</td></tr>
{{end}}</table>
<div>{{range .Curves}}{{.}}{{end}}</div>
<h2>Findings</h2>
{{range .Kept}}<h3>{{.Class}} {{q .Detail}}</h3>
<p>{{with .Message}}{{q .}}<br>{{end}}<code>{{.Key}}</code>, {{len .Text}} bytes ({{.From}} as it was found), {{.Ended}}{{with .Note}}; {{q .}}{{end}}</p>
<pre class="text">{{lines .Text}}</pre>
{{with .Replay}}<p>run again: <code>{{q .}}</code></p>
{{end}}{{if .Frames}}<details><summary>stack</summary><pre class="text">{{range .Frames}}{{q .}}
{{end}}</pre></details>
{{end}}{{with .Stderr}}<details><summary>standard error</summary><pre class="text">{{lines .}}</pre></details>
{{end}}{{else}}<p>none</p>
{{end}}{{with .Fixed}}<h2>Fixed</h2>
<ul>{{range .}}<li><code>{{q .Signature}}</code>, found {{.Found.Format "2006-01-02"}}, fixed {{.Fixed.Format "2006-01-02"}}: <code>fixed/{{.Key}}</code></li>
{{end}}</ul>
{{end}}<h2>What was drawn</h2>
{{.Use}}</body></html>
`))
