package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// indexPage lists the pages: its headings are the parts of the site, and each link below a
// heading is a page, in this order.
const indexPage = "docs/README.md"

// homePage is the first page.
const homePage = "README.md"

//go:embed page.html style.css search.js
var assets embed.FS

// site has all pages, by the path of their sources.
type site struct {
	root   fs.FS
	source string
	order  []string
	parts  []part
	pages  map[string]*page
	files  []string // pictures and grammars that pages show or link to
}

// part is a heading of the index with its pages.
type part struct {
	Name  string
	Pages []*page
}

// read reads the pages that the index lists, the first page and the index. A Markdown file below
// docs that the index does not list is an error, and so is a broken link.
func read(root fs.FS, source string) (*site, error) {
	s := &site{root: root, source: source, pages: map[string]*page{}}
	for _, name := range []string{homePage, indexPage} {
		if err := s.add(name); err != nil {
			return nil, err
		}
	}
	for _, p := range s.pages[indexPage].listed() {
		part := part{Name: p.heading}
		for _, name := range p.pages {
			if s.pages[name] == nil {
				if err := s.add(name); err != nil {
					return nil, err
				}
			}
			part.Pages = append(part.Pages, s.pages[name])
		}
		s.parts = append(s.parts, part)
	}
	var errs []error
	err := fs.WalkDir(root, "docs", func(name string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".md" && s.pages[name] == nil {
			errs = append(errs, fmt.Errorf("%s: the index %s does not list this page", name, indexPage))
		}
		return err
	})
	errs = append(errs, err)
	for _, name := range s.order {
		errs = append(errs, s.link(s.pages[name])...)
	}
	return s, errors.Join(errs...)
}

func (s *site) add(name string) error {
	src, err := fs.ReadFile(s.root, name)
	if err != nil {
		return err
	}
	s.pages[name] = parse(name, src)
	s.order = append(s.order, name)
	return nil
}

// found is an entry of the search index.
type found struct {
	Page  string `json:"p"` // the title of the page
	Title string `json:"t"` // the heading
	URL   string `json:"u"`
	Text  string `json:"x"`
}

// write writes all pages, and the files that they show, to a folder.
func (s *site) write(dir string) error {
	layout, err := template.ParseFS(assets, "page.html")
	if err != nil {
		return err
	}
	var index []found
	for _, name := range s.order {
		p := s.pages[name]
		body, err := p.html()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		var b bytes.Buffer
		up := strings.Repeat("../", strings.Count(p.URL, "/"))
		data := map[string]any{"Page": p, "Body": template.HTML(body), "Parts": s.parts, "Up": up, "Source": s.source, "Home": s.pages[homePage], "All": s.pages[indexPage]}
		if err := layout.Execute(&b, data); err != nil {
			return err
		}
		if err := put(dir, p.URL, b.Bytes()); err != nil {
			return err
		}
		index = append(index, p.sections()...)
	}
	words, err := json.Marshal(index)
	if err != nil {
		return err
	}
	script, err := assets.ReadFile("search.js")
	if err != nil {
		return err
	}
	style, err := assets.ReadFile("style.css")
	if err != nil {
		return err
	}
	if err := errors.Join(put(dir, "search.js", fmt.Appendf(nil, "const places = %s;\n%s", words, script)), put(dir, "style.css", style)); err != nil {
		return err
	}
	slices.Sort(s.files)
	for _, name := range slices.Compact(s.files) {
		text, err := fs.ReadFile(s.root, name)
		if err == nil {
			err = put(dir, name, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func put(dir, name string, text []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}
