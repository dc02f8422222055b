package main

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// converter reads Markdown as GitHub does: with tables, and headings that can be link targets.
var converter = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// page is a parsed page.
type page struct {
	Name     string // the path of its source
	URL      string // its path in the site
	Title    string
	Headings []heading // headings of the second level
	src      []byte
	doc      ast.Node
	ids      map[string]bool
}

type heading struct{ ID, Text string }

// parse parses a page. Its links are unchanged.
func parse(name string, src []byte) *page {
	p := &page{Name: name, URL: address(name), src: src, ids: map[string]bool{}}
	p.doc = converter.Parser().Parse(text.NewReader(src))
	p.walk(func(n ast.Node) {
		h, ok := n.(*ast.Heading)
		if !ok {
			return
		}
		id := headingID(h)
		p.ids[id] = true
		switch {
		case h.Level == 1 && p.Title == "":
			p.Title = plain(h, src)
		case h.Level == 2:
			p.Headings = append(p.Headings, heading{id, plain(h, src)})
		}
	})
	return p
}

// address returns the path of a page in the site: README.md becomes the index of its folder.
func address(name string) string {
	if base, ok := strings.CutSuffix(name, "README.md"); ok {
		return base + "index.html"
	}
	return strings.TrimSuffix(name, ".md") + ".html"
}

func (p *page) walk(visit func(ast.Node)) {
	// The walk fails only if visit does.
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			visit(n)
		}
		return ast.WalkContinue, nil
	})
}

func (p *page) html() (string, error) {
	var b bytes.Buffer
	err := converter.Renderer().Render(&b, p.src, p.doc)
	// A wide table scrolls by itself, and can be reached by keyboard.
	table := strings.NewReplacer("<table>", `<div class="wide" tabindex="0" role="group" aria-label="table"><table>`, "</table>", "</table></div>",
		"<pre>", `<pre tabindex="0">`)
	return table.Replace(b.String()), err
}

// listedPart is a heading of the index with the pages that are linked below it.
type listedPart struct {
	heading string
	pages   []string
}

func (p *page) listed() []listedPart {
	var parts []listedPart
	p.walk(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 2 {
				parts = append(parts, listedPart{heading: plain(n, p.src)})
			}
		case *ast.Link:
			if name, _, ok := p.target(string(n.Destination)); ok && len(parts) > 0 && strings.HasSuffix(name, ".md") {
				last := &parts[len(parts)-1]
				last.pages = append(last.pages, name)
			}
		}
	})
	return parts
}

// sections returns the search entries of a page: one for each heading, with its text.
func (p *page) sections() []found {
	at := found{Page: p.Title, Title: p.Title, URL: p.URL}
	var all []found
	var words strings.Builder
	end := func() {
		at.Text = strings.Join(strings.Fields(words.String()), " ")
		all = append(all, at)
		words.Reset()
	}
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level > 1 {
			end()
			at = found{Page: p.Title, Title: plain(h, p.src), URL: p.URL + "#" + headingID(h)}
			continue
		}
		words.WriteString(plain(n, p.src) + " ")
	}
	end()
	return all
}

func headingID(h *ast.Heading) string {
	id, _ := h.AttributeString("id")
	b, _ := id.([]byte)
	return string(b)
}

// plain returns the text of a node without markup.
func plain(n ast.Node, src []byte) string {
	var b strings.Builder
	// The walk fails only if its function does.
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(src))
				if n.SoftLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if entering {
				for i := range n.Lines().Len() {
					line := n.Lines().At(i)
					b.Write(line.Value(src))
				}
			}
		case *ast.Paragraph, *ast.ListItem:
			if !entering {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
