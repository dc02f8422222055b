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

// layers lists the packages from bottom to top. A package imports only from earlier lines and from
// its own. A line that ends with /... stands for a folder and all below it, but for what has a
// line of its own.
var layers = []string{
	"internal/base/...",
	"grammar",
	"internal/lexical/...",
	"derive",
	"internal/core/...",
	"context",
	"count",
	"mutate",
	"parse",
	"internal/records/...",
	"sample/...",
	"texts",
	"swarm",
	"coverage",
	"stream",
	"internal/records/lastgen",
	"reduce",
	"internal/ui/report",
	"internal/fuzzing/...",
	"gramtest",
	"load/internal/...", // files: nothing below needs any
	"load",
	"grammars",
	"internal/ui/...",
	"cmd/gramfuzz",
	"internal/testing/...",
	"bench/...",
}

// shared lists the packages of load/internal that readers of notations import; a reader imports no
// other reader.
var shared = map[string]bool{
	"load/internal/bind": true, "load/internal/ebnf": true, "load/internal/jsonvalue": true,
	"load/internal/notation": true, "load/internal/regexps": true, "load/internal/syntax": true,
}

// layerOf returns the index of a package's line, the most specific one; -1 if there is none.
func layerOf(pkg string) int {
	best, length := -1, -1
	for i, l := range layers {
		dir, folder := strings.CutSuffix(l, "/...")
		if (pkg == dir || folder && strings.HasPrefix(pkg, dir+"/")) && len(l) > length {
			best, length = i, len(l)
		}
	}
	return best
}

// helps reports whether the package is for tests and benchmarks only.
func helps(pkg string) bool {
	return strings.HasPrefix(pkg, "internal/testing/") || pkg == "load/internal/notation/notationtest"
}

// allowed reports whether pkg may import other; both are of this module.
func allowed(pkg, other string) bool {
	from, to := layerOf(pkg), layerOf(other)
	switch {
	case helps(other) && !helps(pkg):
		return strings.HasPrefix(pkg, "bench/")
	case helps(pkg):
		return to >= 0
	case strings.HasPrefix(pkg, "internal/fuzzing/target"):
		return strings.HasPrefix(other, "internal/fuzzing/target")
	case strings.HasPrefix(pkg, "load/internal/") && from == to:
		return shared[other]
	default:
		return to >= 0 && to <= from
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
	root := filepath.Join("..", "..", "..")
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
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), "go.mod")); err == nil {
			return nil // a module of its own, or the root, which has no code
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
			if f.pkg != "cmd/gramfuzz" && f.pkg != "internal/ui/manual" && f.pkg != "internal/site" && outside[path] && !strings.HasPrefix(f.pkg, "bench/") && !testHelpers[f.pkg] {
				t.Errorf("%s: %s is for the command line only", f.fset.Position(imp.Pos()), path)
			}
		}
	}
}

// TestMap: DESIGN.md's map names every package.
func TestMap(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "DESIGN.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "## The map")
	rows, _, _ := strings.Cut(rest, "\n## ")
	for _, f := range sources(t) {
		dir := strings.Split(f.pkg, "/")
		name := dir[min(len(dir)-1, 1)] // deeper folders belong to these
		if dir[0] == "internal" {
			name = dir[min(len(dir)-1, 2)]
		}
		if dir[0] == "bench" || f.pkg == "load/internal" || f.pkg == "." {
			continue
		}
		if !regexp.MustCompile(`[|,/ ]` + regexp.QuoteMeta(name) + `[ ,;/:|]`).MatchString(rows) {
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
// go test with fuzz targets; internal/site is a program.
var fronts = map[string]bool{"gramtest": true, "internal/testing/blind": true, "internal/site": true}

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
	if len(layers) > 30 {
		t.Errorf("the order has %d lines; 30 are all that a reader keeps in mind", len(layers))
	}
	tests := []struct {
		pkg, other string
		want       bool
	}{
		{"grammar", "derive", false},
		{"derive", "grammar", true},
		{"derive", "load", false},
		{"load/internal/abnf", "grammar", true},
		{"load/internal/abnf", "load/internal/gbnf", false},
		{"load/internal/abnf", "load/internal/notation", true},
		{"load", "load/internal/gbnf", true},
		{"internal/lexical/lex", "load/internal/ebnf", false},
		{"load", "internal/lexical/lex", true},
		{"internal/base/words", "grammar", false},
		{"count", "sample", false},
		{"count", "internal/core", true},
		{"internal/core", "context", false},
		{"sample", "count", true},
		{"sample/internal/fastdraw", "stream", false},
		{"stream", "internal/records/record", true},
		{"stream", "internal/records/lastgen", false},
		{"internal/fuzzing/target", "grammar", false},
		{"internal/fuzzing/target/afl", "internal/fuzzing/target", true},
		{"internal/fuzzing/campaign", "internal/fuzzing/target/afl", true},
		{"internal/fuzzing/campaign", "internal/ui/report", true},
		{"internal/fuzzing/campaign", "internal/ui/screen", false},
		{"gramtest", "internal/ui/screen", false},
		{"cmd/gramfuzz", "internal/ui/screen", true},
		{"reduce", "cmd/gramfuzz", false},
		{"cmd/gramfuzz", "reduce", true},
		{"cmd/gramfuzz", "internal/testing/brute", false},
		{"bench/parse", "internal/testing/cputime", true},
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
