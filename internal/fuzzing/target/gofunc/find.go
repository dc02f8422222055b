package gofunc

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// listed is the output of go list for a package.
type listed struct {
	Dir, ImportPath, Name     string
	GoFiles, CgoFiles         []string
	TestGoFiles, XTestGoFiles []string
	Module                    *module
	Standard                  bool
	Error                     *struct{ Err string }
}

type module struct {
	Path, Dir string
	Main      bool
}

// function is a function that can be called with a text.
type function struct {
	pkg     *listed
	name    string
	param   param
	results int
	errs    bool // the last result is an error
	home    place
}

// place is a folder of the main module, and its import path.
type place struct{ dir, path string }

// param is the type of a function's parameter.
type param int

const (
	none param = iota
	takesBytes
	takesString
	takesReader
)

// find finds a function by PACKAGE.FUNC.
func (t *goTool) find(ctx context.Context, name string) (*function, error) {
	pattern, fn := splitName(name)
	if !token.IsIdentifier(fn) {
		return nil, problem(name, "names no function", "write PACKAGE.FUNC, such as ./parser.Parse or example.com/mod/parser.Parse", nil)
	}
	p, err := t.list(ctx, pattern)
	if err != nil {
		return nil, err
	}
	f := &function{pkg: p, name: fn, home: place{p.Dir, p.ImportPath}}
	if err := f.look(name); err != nil {
		return nil, err
	}
	if p.Module != nil && p.Module.Main {
		return f, nil
	}
	switch {
	case p.Name == "main":
		return nil, problem(name, "is in a package main of another module", "run it in that module", nil)
	case !token.IsExported(fn):
		return nil, problem(name, "is not exported, and in another module", "run it in that module", nil)
	}
	return f, t.lodge(ctx, f)
}

// lodge gives a function of another module a folder in the main module.
func (t *goTool) lodge(ctx context.Context, f *function) error {
	out, err := t.run(ctx, "the module cannot be read", "list", "-m", "-json=Path,Dir,Main")
	if err != nil {
		return err
	}
	var m module
	if err := json.NewDecoder(strings.NewReader(string(out))).Decode(&m); err != nil {
		return err
	}
	f.home = place{m.Dir, m.Path}
	return nil
}

// splitName splits PACKAGE.FUNC at the last dot after the last slash.
func splitName(name string) (pattern, fn string) {
	slash := strings.LastIndexByte(filepath.ToSlash(name), '/')
	dot := strings.LastIndexByte(name[slash+1:], '.')
	if dot < 0 {
		if slash >= 0 {
			return name, ""
		}
		return ".", name
	}
	pattern = name[:slash+1+dot]
	if pattern == "" {
		pattern = "."
	}
	return pattern, name[slash+1+dot+1:]
}

// list asks go list for one package.
func (t *goTool) list(ctx context.Context, pattern string) (*listed, error) {
	out, err := t.run(ctx, "the package cannot be found", "list", "-e", "-find",
		"-json=Dir,ImportPath,Name,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Module,Standard,Error", pattern)
	if err != nil {
		return nil, err
	}
	var p listed
	dec := json.NewDecoder(strings.NewReader(string(out)))
	if err := dec.Decode(&p); err != nil {
		return nil, problem(t.name, "there is no package "+pattern, "check the path", nil)
	}
	if p.Error != nil {
		return nil, problem(t.name, "the package cannot be used", "the go tool says:\n"+strings.TrimSpace(p.Error.Err), nil)
	}
	if dec.More() {
		return nil, problem(t.name, pattern+" is more than one package", "name one", nil)
	}
	return &p, nil
}

// look reads the function's declaration.
func (f *function) look(name string) error {
	var names []string
	for _, file := range append(f.pkg.GoFiles, f.pkg.CgoFiles...) {
		tree, decl, err := f.declared(file)
		if err != nil {
			return problem(name, "the package does not build", err.Error(), err)
		}
		if decl != nil {
			return f.signature(name, tree, decl)
		}
		names = append(names, candidates(tree)...)
	}
	for _, file := range append(f.pkg.TestGoFiles, f.pkg.XTestGoFiles...) {
		if _, decl, _ := f.declared(file); decl != nil {
			return problem(name, "is in "+file+", which is for tests alone", "move it to a file that is no test", nil)
		}
	}
	hint := "it has no function of one []byte, string or io.Reader"
	if len(names) > 0 {
		hint = "functions that can be fuzzed are " + strings.Join(names[:min(len(names), 10)], ", ")
	}
	return problem(name, fmt.Sprintf("package %s has no function %s", f.pkg.ImportPath, f.name), hint, nil)
}

// declared returns the function's declaration in a file, nil if there is none.
func (f *function) declared(file string) (*ast.File, *ast.FuncDecl, error) {
	tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(f.pkg.Dir, file), nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == f.name {
			return tree, fn, nil
		}
	}
	return tree, nil, nil
}

// candidates returns the names of the functions of a file that can be fuzzed.
func candidates(tree *ast.File) (names []string) {
	for _, d := range tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Type.TypeParams == nil && paramOf(tree, fn.Type) != none {
			names = append(names, fn.Name.Name)
		}
	}
	return names
}

// signature checks the function's parameters and results.
func (f *function) signature(name string, tree *ast.File, decl *ast.FuncDecl) error {
	const hint = "write a function that takes one []byte, string or io.Reader and calls it; it may be unexported"
	if decl.Type.TypeParams != nil {
		return problem(name, "has type parameters", hint, nil)
	}
	f.param = paramOf(tree, decl.Type)
	if f.param == none {
		return problem(name, "takes something else than one text", hint, nil)
	}
	if r := decl.Type.Results; r != nil {
		f.results = r.NumFields()
		last, ok := r.List[len(r.List)-1].Type.(*ast.Ident)
		f.errs = ok && last.Name == "error"
	}
	return nil
}

// paramOf returns the type of the text that a function takes. Only variadic options may follow
// the text.
func paramOf(tree *ast.File, fn *ast.FuncType) param {
	list := fn.Params.List
	if n := fn.Params.NumFields(); n == 2 && len(list) == 2 {
		if _, ok := list[1].Type.(*ast.Ellipsis); !ok {
			return none
		}
	} else if n != 1 {
		return none
	}
	switch typ := list[0].Type.(type) {
	case *ast.Ident:
		if typ.Name == "string" {
			return takesString
		}
	case *ast.ArrayType:
		if elem, ok := typ.Elt.(*ast.Ident); ok && typ.Len == nil && (elem.Name == "byte" || elem.Name == "uint8") {
			return takesBytes
		}
	case *ast.SelectorExpr:
		if pkg, ok := typ.X.(*ast.Ident); ok && typ.Sel.Name == "Reader" && importsIO(tree, pkg.Name) {
			return takesReader
		}
	}
	return none
}

// importsIO reports whether a file imports package io under a name.
func importsIO(tree *ast.File, name string) bool {
	for _, imp := range tree.Imports {
		if imp.Path.Value == `"io"` && (imp.Name == nil && name == "io" || imp.Name != nil && imp.Name.Name == name) {
			return true
		}
	}
	return false
}
