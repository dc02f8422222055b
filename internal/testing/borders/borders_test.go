package borders

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/gramfuzz/gramfuzz"

// layers lists the packages from bottom to top. A package imports only from earlier lines, or
// from internal packages in its own subfolders. A name that ends with /* stands for the packages
// in that folder; these do not import each other, and import only packages of `from` if it is
// set.
var layers = []struct {
	name string
	from []string // nil: any earlier line
}{
	{name: "internal/base/random", from: []string{}},
	{name: "internal/base/ahead", from: []string{}},
	{name: "internal/base/graphs", from: []string{}},
	{name: "internal/base/words", from: []string{}},
	{name: "internal/base/words", from: []string{}},
	{name: "internal/base/words", from: []string{}},
	{name: "internal/base/files", from: []string{}},
	{name: "internal/testing/blind", from: []string{}},
	{name: "internal/base/files", from: []string{}},
	{name: "internal/base/folder", from: []string{"internal/base/files"}},
	{name: "internal/base/words", from: []string{}},
	{name: "internal/base/rawbyte", from: []string{}},
	{name: "internal/base/field", from: []string{}},
	{name: "grammar", from: []string{"internal/base/field", "internal/base/rawbyte", "internal/base/words", "internal/base/graphs", "internal/base/words"}},
	{name: "internal/lexical/show", from: []string{"grammar", "internal/base/words", "internal/base/rawbyte"}},
	{name: "internal/lexical/ways", from: []string{"grammar"}},
	{name: "internal/lexical/lex", from: []string{"internal/base/graphs", "internal/base/random", "grammar"}},
	{name: "load/internal/syntax", from: []string{"grammar"}},
	{name: "load/internal/bind", from: []string{"internal/base/graphs", "grammar", "load/internal/syntax"}},
	{name: "load/internal/notation", from: []string{"grammar", "load/internal/syntax"}},
	{name: "load/internal/notation/*", from: []string{"grammar", "internal/testing/blind", "load/internal/bind", "load/internal/notation", "load/internal/syntax"}},
	{name: "load/internal/computed", from: []string{"internal/base/field", "internal/base/rawbyte", "internal/base/words", "grammar", "load/internal/syntax"}},
	{name: "load/internal/ebnf", from: []string{"internal/base/field", "internal/base/rawbyte", "grammar", "load/internal/notation", "load/internal/syntax"}},
	{name: "load/internal/companion", from: []string{"grammar", "internal/base/words", "load/internal/ebnf", "load/internal/syntax"}},
	{name: "load/internal/jsonvalue", from: []string{"grammar"}},
	{name: "load/internal/regexps", from: []string{"grammar", "load/internal/notation", "load/internal/syntax"}},
	{name: "load/internal/*", from: []string{"grammar", "load/internal/jsonvalue", "load/internal/notation", "load/internal/regexps", "load/internal/syntax"}}, // one package for each notation
	{name: "load"},
	{name: "grammars"},
	{name: "derive", from: []string{"internal/base/field", "internal/base/rawbyte", "grammar", "internal/lexical/lex"}},
	{name: "internal/core/treeedit", from: []string{"grammar", "derive"}},
	{name: "internal/core", from: []string{"internal/base/field", "internal/base/rawbyte", "internal/base/graphs", "grammar", "derive"}},
	{name: "internal/core/scope", from: []string{"internal/base/words", "grammar", "derive", "internal/core"}},
	{name: "internal/core/marks", from: []string{"internal/base/words", "grammar", "internal/core"}},
	{name: "context", from: []string{"grammar", "derive", "internal/core", "internal/core/scope"}},
	{name: "count", from: []string{"grammar", "derive", "context", "internal/core/scope", "internal/core/marks", "internal/core"}},
	{name: "internal/core/textset", from: []string{"grammar", "derive", "internal/core"}},
	{name: "internal/base/permutation", from: []string{"internal/base/random"}},
	{name: "sample/internal/randombits", from: []string{"internal/base/random"}},
	{name: "sample/internal/fastdraw", from: []string{"internal/base/rawbyte", "grammar", "internal/core", "internal/core/scope", "sample/internal/randombits"}},
	{name: "sample"},
	{name: "parse"},
	{name: "internal/records/canonical", from: []string{"grammar", "derive", "count", "parse"}},
	{name: "texts"},
	{name: "coverage"},
	{name: "swarm"},
	{name: "mutate"},
	{name: "internal/records/record"},
	{name: "internal/base/seen", from: []string{}},
	{name: "internal/core/treeedit", from: []string{"grammar", "derive", "internal/base/seen"}},
	{name: "internal/ui/describe", from: []string{"grammar", "internal/core/scope", "sample"}},
	{name: "internal/ui/describe"},
	{name: "stream"},
	{name: "internal/records/lastgen", from: []string{"internal/base/files", "sample", "stream"}},
	{name: "internal/records/sentences", from: []string{"context", "derive", "grammar", "internal/records/record", "parse"}},
	{name: "internal/ui/manual", from: []string{}},
	{name: "internal/ui/report", from: []string{"internal/base/words"}},
	{name: "internal/ui/picture", from: []string{"internal/base/words", "internal/base/words", "internal/base/graphs", "grammar", "internal/lexical/show", "derive", "count", "sample", "internal/ui/describe", "internal/ui/describe", "internal/ui/report"}},
	{name: "internal/ui/dist"},
	{name: "internal/fuzzing/pace"},
	{name: "reduce"},
	{name: "internal/ui/language", from: []string{"internal/base/folder", "derive", "grammar", "grammars", "parse"}},
	{name: "internal/fuzzing/corpus"},
	{name: "internal/fuzzing/target", from: []string{}},
	{name: "internal/fuzzing/target/*", from: []string{"internal/fuzzing/target"}},
	{name: "internal/fuzzing/target/afl", from: []string{"internal/fuzzing/target", "internal/fuzzing/target/gocov"}},
	{name: "internal/fuzzing/target/gofunc", from: []string{"internal/fuzzing/target", "internal/fuzzing/target/gocov"}},
	{name: "internal/fuzzing/predicate", from: []string{"derive", "internal/base/ahead", "internal/base/words", "reduce", "internal/fuzzing/target"}},
	{name: "internal/testing/cputime", from: []string{}},
	{name: "internal/fuzzing/guide"},
	{name: "internal/fuzzing/campaign"},
	{name: "internal/fuzzing/fleet", from: []string{"internal/base/ahead", "internal/fuzzing/campaign", "internal/fuzzing/corpus", "internal/base/words", "internal/base/words", "internal/base/files", "internal/ui/report", "internal/base/random"}},
	{name: "gramtest"},
	{name: "internal/ui/screen", from: []string{"internal/fuzzing/campaign", "internal/base/words", "internal/base/words", "internal/ui/report", "internal/lexical/show", "reduce"}},
	{name: "internal/*"},
	{name: "cmd/gramfuzz"},
	{name: "bench/internal/*"},
	{name: "bench/*"},
}

// layerOf returns the index of a package's line, the most specific one; -1 if there is none.
func layerOf(pkg string) int {
	for i, l := range layers {
		if l.name == pkg {
			return i
		}
	}
	for i, l := range layers {
		if dir, ok := strings.CutSuffix(l.name, "/*"); ok && strings.HasPrefix(pkg, dir+"/") {
			return i
		}
	}
	return -1
}

// allowed reports whether pkg may import other; both are of this module.
func allowed(pkg, other string) bool {
	from, to := layerOf(pkg), layerOf(other)
	switch l := layers[from]; {
	case to < 0:
		return false
	case l.from != nil:
		for _, name := range l.from {
			if name == other {
				return true
			}
		}
		return false
	case strings.HasSuffix(l.name, "/*") && from == to:
		return strings.HasPrefix(pkg, other+"/") || strings.HasPrefix(other, pkg+"/")
	default:
		return to < from
	}
}

// file is a Go file that is no test, with its package's path within the module.
type file struct {
	pkg  string
	path string
	fset *token.FileSet
	tree *ast.File
}

func sources(t *testing.T) []file {
	t.Helper()
	root := filepath.Join("..", "..")
	var files []file
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), "go.mod")); err == nil && rel != "." {
			return nil // a module of its own
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		files = append(files, file{filepath.ToSlash(rel), path, fset, tree})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Fatalf("only %d files found; does the test look in the right folder?", len(files))
	}
	return files
}

func TestImports(t *testing.T) {
	for _, f := range sources(t) {
		if layerOf(f.pkg) < 0 {
			t.Errorf("package %s has no place in the list of layers", f.pkg)
			continue
		}
		for _, imp := range f.tree.Imports {
			path, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if other, ok := strings.CutPrefix(path, module+"/"); ok && !allowed(f.pkg, other) {
				t.Errorf("%s: %s must not import %s", f.fset.Position(imp.Pos()), f.pkg, other)
			}
			if strings.HasPrefix(path, "github.com/gdamore/tcell/") && f.pkg != "internal/ui/screen" {
				t.Errorf("%s: terminals are the business of internal/ui/screen", f.fset.Position(imp.Pos()))
			}
			if f.pkg != "cmd/gramfuzz" && f.pkg != "internal/ui/manual" && outside[path] && !strings.HasPrefix(f.pkg, "bench/") && !testHelpers[f.pkg] {
				t.Errorf("%s: %s is for the command line only", f.fset.Position(imp.Pos()), path)
			}
		}
	}
}

// TestMap: DESIGN.md's map names every package.
func TestMap(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "DESIGN.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "## The map")
	rows, _, _ := strings.Cut(rest, "\n## ")
	for _, f := range sources(t) {
		dir := strings.SplitN(f.pkg, "/", 3) // deeper folders belong to these
		name := dir[min(len(dir)-1, 1)]
		if dir[0] == "bench" || f.pkg == "load/internal" || f.pkg == "." {
			continue
		}
		if !regexp.MustCompile(`[|,/ ]` + regexp.QuoteMeta(name) + `[ ,/]`).MatchString(rows) {
			t.Errorf("the map of DESIGN.md has no row with %s", f.pkg)
		}
	}
}

// testHelpers are imported by tests only, and so may have flags.
var testHelpers = map[string]bool{"load/internal/notation/notationtest": true}

// outside lists the packages for flags and terminals.
var outside = map[string]bool{"flag": true, "github.com/spf13/pflag": true, "golang.org/x/term": true, "os/signal": true}

// process lists the identifiers of package os that concern the whole process, and the global
// random numbers.
var process = map[string][]string{
	"os":   {"Args", "Exit", "Getenv", "LookupEnv", "Stdin", "Stdout", "Stderr", "UserCacheDir", "UserHomeDir"},
	"rand": {"Int", "IntN", "Intn", "Int64", "Uint32", "Uint64", "Float64", "Perm", "Shuffle", "N"},
}

// fronts are the packages at the border of the module, as cmd/gramfuzz is for terminals: gramtest
// restarts the test binary and takes its settings from the environment; internal/testing/blind connects
// go test with fuzz targets.
var fronts = map[string]bool{"gramtest": true, "internal/testing/blind": true}

// helper is the file of a separate process, whose entry is in main.
const helper = "cagehelper_linux.go"

// TestProcess checks that no library uses process-wide state, or has an init function.
func TestProcess(t *testing.T) {
	for _, f := range sources(t) {
		if strings.HasPrefix(f.pkg, "cmd/") || strings.HasPrefix(f.pkg, "bench/") || fronts[f.pkg] || filepath.Base(f.path) == helper {
			continue
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv == nil && n.Name.Name == "init" {
					t.Errorf("%s: an init function", f.fset.Position(n.Pos()))
				}
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if !ok {
					return true
				}
				for _, name := range process[x.Name] {
					if n.Sel.Name == name && imports(f.tree, x.Name) {
						t.Errorf("%s: %s.%s is for the command line only", f.fset.Position(n.Pos()), x.Name, name)
					}
				}
			}
			return true
		})
	}
}

// imports reports whether the file imports a package os or rand by that name; so a variable
// called rand does not count.
func imports(f *ast.File, name string) bool {
	for _, imp := range f.Imports {
		path := strings.Trim(imp.Path.Value, `"`)
		if path == name || name == "rand" && strings.HasPrefix(path, "math/rand") {
			return true
		}
	}
	return false
}

// TestBordersAreTested checks that forbidden imports are found, and that allowed ones are not.
func TestBordersAreTested(t *testing.T) {
	tests := []struct {
		pkg, other string
		want       bool
	}{
		{"grammar", "derive", false},
		{"derive", "grammar", true},
		{"derive", "load", false},
		{"load/internal/abnf", "grammar", true},
		{"load/internal/abnf", "load/internal/gbnf", false},
		{"load", "load/internal/gbnf", true},
		{"internal/lexical/lex", "load/internal/ebnf", false},
		{"load", "internal/lexical/lex", true},
		{"count", "sample", false},
		{"count", "internal/core", true},
		{"internal/core", "context", false},
		{"sample", "count", true},
		{"internal/fuzzing/target", "grammar", false},
		{"internal/fuzzing/target/afl", "internal/fuzzing/target", true},
		{"internal/fuzzing/campaign", "internal/fuzzing/target/afl", true},
		{"internal/fuzzing/fleet", "internal/fuzzing/campaign", true},
		{"internal/fuzzing/campaign", "internal/fuzzing/fleet", false},
		{"internal/fuzzing/campaign", "internal/ui/screen", false},
		{"gramtest", "internal/ui/screen", false},
		{"cmd/gramfuzz", "internal/ui/screen", true},
		{"reduce", "cmd/gramfuzz", false},
		{"cmd/gramfuzz", "reduce", true},
		{"sample", "nosuch", false},
	}
	for _, test := range tests {
		if got := allowed(test.pkg, test.other); got != test.want {
			t.Errorf("%s imports %s: %v, want %v", test.pkg, test.other, got, test.want)
		}
	}
}

// TestGramtestIsLight checks that a test that imports gramtest links no linear algebra.
func TestGramtestIsLight(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", module+"/gramtest").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), module+"/sample\n") {
		t.Fatalf("go list -deps printed no package of ours:\n%s", out)
	}
	for _, pkg := range strings.Fields(string(out)) {
		if strings.HasPrefix(pkg, "gonum.org/") {
			t.Errorf("gramtest depends on %s", pkg)
		}
	}
}

// TestLibrariesAreLight checks that a program with these libraries links no messaging server or
// client and no terminal, and that a campaign on one machine needs none.
func TestLibrariesAreLight(t *testing.T) {
	pkgs := map[string]bool{"internal/fuzzing/campaign": true}
	for _, f := range sources(t) {
		if public(f.pkg) {
			pkgs[f.pkg] = true
		}
	}
	args := []string{"list", "-deps"}
	for pkg := range pkgs {
		args = append(args, module+"/"+pkg)
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), module+"/gramtest\n") {
		t.Fatalf("go list -deps printed no package of ours:\n%s", out)
	}
	for _, pkg := range strings.Fields(string(out)) {
		if strings.HasPrefix(pkg, "github.com/nats-io/") || strings.HasPrefix(pkg, "github.com/gdamore/") || pkg == module+"/internal/fleet" {
			t.Errorf("a library depends on %s", pkg)
		}
	}
}
