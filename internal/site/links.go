package main

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// target returns the file that a relative link of a page leads to, with its fragment. ok is false
// for links that leave the repository.
func (p *page) target(link string) (name, fragment string, ok bool) {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "" || u.Host != "" {
		return "", "", false
	}
	if u.Path == "" {
		return p.Name, u.Fragment, true
	}
	return path.Join(path.Dir(p.Name), u.Path), u.Fragment, true
}

// link rewrites the links of a page for the site: links to pages and to files that pages show are
// relative, all others lead to the source of the repository. It returns an error for each broken
// link.
func (s *site) link(p *page) (errs []error) {
	p.walk(func(n ast.Node) {
		var err error
		switch n := n.(type) {
		case *ast.Link:
			n.Destination, err = s.resolve(p, n.Destination, false)
		case *ast.Image:
			n.Destination, err = s.resolve(p, n.Destination, true)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p.Name, err))
		}
	})
	return errs
}

func (s *site) resolve(p *page, link []byte, shown bool) ([]byte, error) {
	name, fragment, ok := p.target(string(link))
	if !ok {
		return link, nil
	}
	if to := s.pages[name]; to != nil {
		if fragment != "" && !to.ids[fragment] {
			return nil, fmt.Errorf("link to %s: the page has no heading %q", link, fragment)
		}
		return relative(p.URL, to.URL, fragment), nil
	}
	info, err := fs.Stat(s.root, name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("link to %s: %w", link, err)
	case info.IsDir():
		return []byte(s.source + "/tree/main/" + name), nil
	case shown || strings.HasPrefix(name, "docs/"):
		s.files = append(s.files, name)
		return relative(p.URL, name, fragment), nil
	}
	return []byte(s.source + "/blob/main/" + name), nil
}

// relative returns the relative link from one file of the site to another.
func relative(from, to, fragment string) []byte {
	if from == to {
		to = ""
	}
	if to != "" {
		to = strings.Repeat("../", strings.Count(from, "/")) + to
	}
	if fragment != "" {
		fragment = "#" + fragment
	}
	if to+fragment == "" {
		return []byte("#")
	}
	return []byte(to + fragment)
}
