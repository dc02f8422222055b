package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/base/ahead"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/ui/report"
)

// Page serves the page of a fleet, its status as JSON and its metrics, on loopback.
type Page struct {
	listener net.Listener
	server   *http.Server

	began time.Time
	mu    sync.Mutex
	watch *Watch
	curve []campaign.Point // since the page started; Labels are entries
}

// NewPage starts serving; port 0 is a free one. It refuses addresses beyond loopback, since the
// page has no access control.
func NewPage(watch *Watch, addr string) (*Page, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("--page %s is not an address; write one such as 127.0.0.1:8080", addr)
	}
	if !isLoopback(host) {
		return nil, fmt.Errorf("--page %s would show the page to whoever reaches it; serve it on 127.0.0.1 and come in by ssh -L or kubectl port-forward", addr)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--page %s: %w; choose another port", addr, err)
	}
	p := &Page{listener: l, began: time.Now(), watch: watch}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.html)
	mux.HandleFunc("GET /status.json", p.json)
	mux.HandleFunc("GET /metrics", p.metrics)
	p.server = &http.Server{Handler: localOnly(mux), ReadHeaderTimeout: 10 * time.Second}
	return p, nil
}

// URL returns the address of the page.
func (p *Page) URL() string { return "http://" + p.listener.Addr().String() + "/" }

// Run serves until ctx is done. A panic of its goroutine becomes its own, with a
// [*campaign.Panic].
func (p *Page) Run(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { p.server.Close() })
	defer stop()
	broken := make(chan *campaign.Panic, 1)
	go func() { // for the curves
		defer ahead.Catch(func(of *campaign.Panic) {
			broken <- of
			p.server.Close()
		})
		t := time.NewTicker(sampleEvery)
		defer t.Stop()
		for {
			_, _ = p.status(ctx)
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
		}
	}()
	if err := p.server.Serve(p.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	select {
	case of := <-broken:
		panic(of)
	default:
		return nil
	}
}

// sampleEvery is the interval in which the page samples the fleet by itself.
const sampleEvery = 5 * time.Second

// localOnly refuses requests with the host name of another machine: a foreign page in a browser
// must not read this one (DNS rebinding).
func localOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		if !isLoopback(strings.Trim(host, "[]")) {
			http.Error(w, "this page is for this machine; ask for it by 127.0.0.1 or localhost", http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// status returns the fleet's status, and adds a point to the curves.
func (p *Page) status(ctx context.Context) (*Status, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	st, err := p.watch.Status(ctx)
	if err != nil {
		return nil, err
	}
	p.curve = campaign.AddPoint(p.curve, campaign.Point{
		Seconds: time.Since(p.began).Seconds(), Runs: st.Runs, Labels: int(st.Entries), Findings: len(st.Findings),
	})
	return st, nil
}

// answer writes the status in the format of make.
func (p *Page) answer(w http.ResponseWriter, r *http.Request, kind string, make func(*bytes.Buffer, *Status) error) {
	st, err := p.status(r.Context())
	if err != nil {
		http.Error(w, words.Quote(err.Error()), http.StatusServiceUnavailable)
		return
	}
	var b bytes.Buffer
	if err := make(&b, st); err != nil {
		http.Error(w, words.Quote(err.Error()), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(b.Bytes())
}

func (p *Page) json(w http.ResponseWriter, r *http.Request) {
	p.answer(w, r, "application/json", func(b *bytes.Buffer, st *Status) error { return json.NewEncoder(b).Encode(st) })
}

func (p *Page) html(w http.ResponseWriter, r *http.Request) {
	p.answer(w, r, "text/html; charset=utf-8", func(b *bytes.Buffer, st *Status) error {
		curves, err := p.curves()
		if err != nil {
			return err
		}
		return fleetTemplate.Execute(b, map[string]any{"S": st, "Curves": curves})
	})
}

// curves draws the points collected so far.
func (p *Page) curves() (all []template.HTML, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range []struct {
		title string
		of    func(campaign.Point) float64
	}{
		{"runs of the program", func(q campaign.Point) float64 { return float64(q.Runs) }},
		{"entries: texts that showed something new", func(q campaign.Point) float64 { return float64(q.Labels) }},
		{"findings", func(q campaign.Point) float64 { return float64(q.Findings) }},
	} {
		c := report.Curve{Title: s.title}
		for _, q := range p.curve {
			c.X, c.Y = append(c.X, q.Seconds), append(c.Y, s.of(q))
		}
		var b bytes.Buffer
		if err := c.WriteSVG(&b); err != nil {
			return nil, err
		}
		all = append(all, template.HTML(b.String())) // from a template that escapes
	}
	return all, nil
}

func (p *Page) metrics(w http.ResponseWriter, r *http.Request) {
	p.answer(w, r, "text/plain; version=0.0.4; charset=utf-8", func(b *bytes.Buffer, st *Status) error {
		writeMetrics(b, st)
		return nil
	})
}

// writeMetrics writes the status in the format of Prometheus.
func writeMetrics(b *bytes.Buffer, st *Status) {
	fleet := `fleet="` + st.Fleet + `"`
	one := func(name, kind, help string, value float64) {
		fmt.Fprintf(b, "# HELP gramfuzz_%s %s\n# TYPE gramfuzz_%s %s\ngramfuzz_%s{%s} %v\n", name, help, name, kind, name, fleet, value)
	}
	one("runs_total", "counter", "Runs of the program by all workers.", float64(st.Runs))
	one("sentences_total", "counter", "Places of the stream given out.", float64(st.Sentences))
	one("findings", "gauge", "Kinds of failures.", float64(len(st.Findings)))
	one("entries", "gauge", "Texts that showed something new.", float64(st.Entries))
	one("leases", "gauge", "Blocks under way.", float64(len(st.Leases)))
	one("leases_taken_over_total", "counter", "Blocks taken over from workers that died.", float64(st.Taken))
	one("workers", "gauge", "Workers that are alive.", float64(len(st.Workers)))
	one("runs_per_second", "gauge", "Runs a second of the workers that are alive.", st.PerSecond)
	fmt.Fprintf(b, "# HELP gramfuzz_refused Messages refused by the workers that are alive and by this page.\n# TYPE gramfuzz_refused gauge\n")
	for _, why := range slices.Sorted(maps.Keys(st.Refused)) {
		fmt.Fprintf(b, "gramfuzz_refused{%s,reason=%s} %d\n", fleet, labelValue(why), st.Refused[why])
	}
	fmt.Fprintf(b, "# HELP gramfuzz_worker_lag Entries of others that a worker does not have yet.\n# TYPE gramfuzz_worker_lag gauge\n")
	for _, w := range st.Workers {
		fmt.Fprintf(b, "gramfuzz_worker_lag{%s,worker=%s,id=%s} %d\n", fleet, labelValue(w.Name), labelValue(w.ID), w.Lag)
	}
}

// labelValue quotes a value for the text format of Prometheus.
func labelValue(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(s, "\uFFFD")) + `"`
}

var fleetTemplate = template.Must(template.New("fleet").Funcs(template.FuncMap{"q": words.Quote}).Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>{{q .S.Fleet}}: {{len .S.Findings}} findings</title>
<style>
body{font:15px sans-serif;margin:2em auto;max-width:64em;padding:0 1em;color:#222;background:#fff}
table{border-collapse:collapse;margin:.5em 0}td,th{padding:.15em .8em .15em 0;text-align:left}td.n,th.n{text-align:right}
code{font-family:ui-monospace,monospace;font-size:13px;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}}
</style></head><body>
<h1>Fleet {{q .S.Fleet}}</h1>
<p><code>{{q .S.Command}}</code>, seed {{.S.Seed}}</p>
<table>
<tr><td>runs of the program</td><td class="n">{{.S.Runs}}</td></tr>
<tr><td>runs a second</td><td class="n">{{printf "%.0f" .S.PerSecond}}</td></tr>
<tr><td>sentences given out</td><td class="n">{{.S.Sentences}}</td></tr>
<tr><td>entries</td><td class="n">{{.S.Entries}}</td></tr>
<tr><td>blocks taken over from workers that died</td><td class="n">{{.S.Taken}}</td></tr>
{{range $why, $n := .S.Refused}}<tr><td>messages refused: {{q $why}}</td><td class="n">{{$n}}</td></tr>
{{end}}</table>
<div>{{range .Curves}}{{.}}{{end}}</div>
<h2>Workers</h2>
<table><tr><th>name</th><th class="n">runs</th><th class="n">a second</th><th class="n">behaviours</th><th class="n">last word</th><th class="n">lag</th><th class="n">blocks lost</th></tr>
{{range .S.Workers}}<tr><td title="{{q .ID}}">{{q .Name}}</td><td class="n">{{.Runs}}</td><td class="n">{{printf "%.0f" .PerSecond}}</td><td class="n">{{.Labels}}</td><td class="n">{{printf "%.0f s ago" .LastWord}}</td><td class="n">{{.Lag}}</td><td class="n">{{.Lost}}</td></tr>
{{else}}<tr><td>none</td></tr>
{{end}}</table>
<h2>Findings</h2>
<table>{{range .S.Findings}}<tr><td><code>{{.Key}}</code></td><td class="n">{{.Bytes}} bytes</td><td>{{.State}}</td><td><code>{{q .Signature}}</code></td></tr>
{{else}}<tr><td>none</td></tr>
{{end}}</table>
<h2>Leases</h2>
<table>{{range .S.Leases}}<tr><td>from {{.Block}}</td><td class="n">{{.Left}} sentences</td><td>{{q .Holder}}</td></tr>
{{else}}<tr><td>none</td></tr>
{{end}}</table>
</body></html>
`))
