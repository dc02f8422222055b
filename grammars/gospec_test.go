package grammars_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

// goSpec returns the EBNF of the Go specification: the one in the data folder, or else the one on
// the page that comes with Go.
func goSpec(t *testing.T) []byte {
	t.Helper()
	if data := os.Getenv("GRAMFUZZ_DATA"); data != "" {
		src, err := os.ReadFile(filepath.Join(data, "grammars", "formats", "go-ebnf", "go_spec.ebnf"))
		if err != nil {
			t.Fatal(err)
		}
		return src
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no go command to ask for the specification: %v", err)
	}
	page, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "doc", "go_spec.html"))
	if err != nil {
		t.Skipf("the specification does not come with this Go: %v", err)
	}
	var src strings.Builder
	for _, block := range regexp.MustCompile(`(?s)<pre class="ebnf">(.*?)</pre>`).FindAllSubmatch(page, -1) {
		text := regexp.MustCompile(`<[^>]*>`).ReplaceAll(block[1], nil)
		src.WriteString(html.UnescapeString(string(text)))
	}
	return []byte(src.String())
}

// TestGoSpecification generates files from the specification's own EBNF and the shipped
// companion: go/parser must accept at least 99 % of them, and they must have all kinds of nodes
// that it makes (in a short run all but a few).
func TestGoSpecification(t *testing.T) {
	more, ok := grammars.Source("go_spec.ebnf.gramfuzz")
	if !ok {
		t.Fatal("its companion does not ship")
	}
	g, ds, err := load.Source("go_spec.ebnf", goSpec(t), load.Options{Companion: more})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range ds {
		if d.Severity == grammar.Warning {
			t.Error(d)
		}
	}
	n, longest, rare := 300, 40, 3
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		n, longest, rare = long(0, 1000, 4000), 100, 0
	}
	kinds := make(map[string]bool)
	for _, o := range []sample.Options{
		{Bound: count.Sizes(5, longest, grammar.Terminals), Seed: 1},
		{Bound: count.Depth(16 + longest/10), Seed: 3, Strategy: sample.Walk},
		{Bound: count.Sizes(12, 2*longest, grammar.Bytes), Measure: grammar.Exact, Seed: 2},
	} {
		s, err := sample.New(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		src, accepted := s.Source(), 0
		for i := range uint64(n) {
			text, err := src.Text(t.Context(), i)
			if err != nil {
				t.Fatal(err)
			}
			file, err := parser.ParseFile(token.NewFileSet(), "x.go", text, 0)
			if err != nil {
				t.Logf("%v\n%s", err, text)
				continue
			}
			accepted++
			ast.Inspect(file, func(n ast.Node) bool {
				kinds[fmt.Sprintf("%T", n)] = true
				return true
			})
		}
		t.Logf("%v, %v: %d of %d accepted", o.Bound, o.Measure, accepted, n)
		if accepted*100 < n*99 {
			t.Errorf("%v, %v: %d of %d accepted, want at least 99 %%", o.Bound, o.Measure, accepted, n)
		}
	}
	var missing []string
	for _, k := range strings.Fields(goNodes) {
		if !kinds["*ast."+k] {
			missing = append(missing, k)
		}
	}
	if len(missing) > rare {
		t.Errorf("no file has nodes of kinds %v", missing)
	}
}

// goNodes are the nodes of syntax trees of correct files without comments.
const goNodes = `ArrayType AssignStmt BasicLit BinaryExpr BlockStmt BranchStmt CallExpr CaseClause ChanType CommClause
	CompositeLit DeclStmt DeferStmt Ellipsis EmptyStmt ExprStmt Field FieldList File ForStmt FuncDecl FuncLit FuncType
	GenDecl GoStmt Ident IfStmt ImportSpec IncDecStmt IndexExpr IndexListExpr InterfaceType KeyValueExpr LabeledStmt
	MapType ParenExpr RangeStmt ReturnStmt SelectStmt SelectorExpr SendStmt SliceExpr StarExpr StructType SwitchStmt
	TypeAssertExpr TypeSpec TypeSwitchStmt UnaryExpr ValueSpec`
