package borders

import (
	"go/ast"
	"strings"
	"testing"
)

// maxExported bounds the exported names that users of this module can depend on. It may only
// decrease.
const maxExported = 472

// public reports whether other modules can import the package as a library.
func public(pkg string) bool {
	return !strings.Contains("/"+pkg+"/", "/internal/") &&
		!strings.HasPrefix(pkg, "cmd/") && !strings.HasPrefix(pkg, "bench/")
}

// exported lists the exported package-level names of a file, and the exported
// methods of its exported types.
func exported(f *ast.File) (names []string) {
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id.IsExported() {
				names = append(names, id.Name)
			}
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name)
				case *ast.ValueSpec:
					add(s.Names...)
				}
			}
		}
	}
	return names
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// TestSurface keeps the number of exported names maintainable.
func TestSurface(t *testing.T) {
	total, by := 0, make(map[string]int)
	for _, f := range sources(t) {
		if public(f.pkg) && f.tree.Name.Name != "main" {
			n := len(exported(f.tree))
			by[f.pkg] += n
			total += n
		}
	}
	if total > maxExported {
		t.Errorf("%d exported names, at most %d are kept: %v", total, maxExported, by)
	}
	if total < maxExported {
		t.Logf("%d exported names: lower maxExported from %d", total, maxExported)
	}
}
