package main

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
)

//go:embed testdata/*.ebnf
var testdata embed.FS

// target is a parser with a grammar of its inputs.
type target struct {
	name    string
	grammar string   // a shipped grammar, a file of testdata, or a path in the folder GRAMFUZZ_DATA
	cover   []string // packages whose statements count
	require []string // module@version
	imports []string
	call    string // Go statements that parse the []byte b
}

var targets = []target{
	{
		name: "encoding/json", grammar: "json", cover: []string{"encoding/json"},
		imports: []string{"encoding/json"}, call: "var v any; json.Unmarshal(b, &v)",
	},
	{
		name: "go/parser", grammar: "go", cover: []string{"go/parser", "go/scanner"},
		imports: []string{"go/parser", "go/token"},
		call:    `parser.ParseFile(token.NewFileSet(), "x.go", b, parser.ParseComments)`,
	},
	{
		name: "text/template/parse", grammar: "testdata/template.ebnf", cover: []string{"text/template/parse"},
		imports: []string{"text/template/parse"},
		call:    `f := map[string]any{"len": 0, "index": 0, "printf": 0, "and": 0, "or": 0, "not": 0, "eq": 0, "lt": 0, "html": 0, "slice": 0}; parse.Parse("x", string(b), "", "", f)`,
	},
	{
		name: "BurntSushi/toml", grammar: "testdata/toml.ebnf", cover: []string{"github.com/BurntSushi/toml", "github.com/BurntSushi/toml/internal"},
		require: []string{"github.com/BurntSushi/toml@v1.5.0"}, imports: []string{"github.com/BurntSushi/toml"},
		call: "var v map[string]any; toml.Unmarshal(b, &v)",
	},
	{
		name: "gopher-lua/parse", grammar: "testdata/lua.ebnf", cover: []string{"github.com/yuin/gopher-lua/parse"},
		require: []string{"github.com/yuin/gopher-lua@v1.1.1"}, imports: []string{"bytes", "github.com/yuin/gopher-lua/parse"},
		call: `parse.Parse(bytes.NewReader(b), "x")`,
	},
	{
		name: "gojq", grammar: inData + "gojq_mul_empty/grammar.ebnf", cover: []string{"github.com/itchyny/gojq"},
		require: []string{"github.com/itchyny/gojq@v0.12.12"}, imports: []string{"github.com/itchyny/gojq"},
		call: `if q, err := gojq.Parse(string(b)); err == nil { gojq.Compile(q) }`,
	},
	{
		name: "sh/syntax", grammar: inData + "mvdansh_repl_empty/grammar.ebnf", cover: []string{"mvdan.cc/sh/v3/syntax"},
		require: []string{"mvdan.cc/sh/v3@v3.9.0"}, imports: []string{"bytes", "mvdan.cc/sh/v3/syntax"},
		call: `syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(bytes.NewReader(b), "")`,
	},
	{
		name: "gqlparser/parser", grammar: inData + "graphqlgo_mutation_nil/grammar.ebnf",
		cover:   []string{"github.com/vektah/gqlparser/v2/parser", "github.com/vektah/gqlparser/v2/lexer"},
		require: []string{"github.com/vektah/gqlparser/v2@v2.5.16"},
		imports: []string{"github.com/vektah/gqlparser/v2/ast", "github.com/vektah/gqlparser/v2/parser"},
		call:    `parser.ParseQuery(&ast.Source{Input: string(b)})`,
	},
	{
		name: "expr/parser", grammar: inData + "expr_div_fold/grammar.ebnf", cover: []string{"github.com/antonmedv/expr/parser", "github.com/antonmedv/expr/parser/lexer"},
		require: []string{"github.com/antonmedv/expr@v1.8.9"}, imports: []string{"github.com/antonmedv/expr/parser"},
		call: `parser.Parse(string(b))`,
	},
	{
		name: "goja/parser", grammar: inData + "goja_rest_iter/grammar.ebnf", cover: []string{"github.com/dop251/goja/parser"},
		require: []string{"github.com/dop251/goja@v0.0.0-20220324112439-a18ffb9c5866"}, imports: []string{"github.com/dop251/goja/parser"},
		call: `parser.ParseFile(nil, "x.js", string(b), 0)`,
	},
}

// inData begins the paths of grammars in the folder GRAMFUZZ_DATA, which may not be copied.
const inData = "gobugs/cases/"

// available returns the targets whose grammars exist.
func available() []target {
	if os.Getenv("GRAMFUZZ_DATA") != "" {
		return targets
	}
	return slices.DeleteFunc(slices.Clone(targets), func(t target) bool { return strings.HasPrefix(t.grammar, inData) })
}

// load returns the frozen grammar of a target.
func (t target) load() (*grammar.Grammar, error) {
	if strings.HasPrefix(t.grammar, inData) {
		g, _, err := load.File(t.dataPath(), load.Options{})
		return g, err
	}
	if !strings.HasPrefix(t.grammar, "testdata/") {
		return grammars.Must(t.grammar), nil
	}
	src, err := testdata.ReadFile(t.grammar)
	if err != nil {
		return nil, err
	}
	g, _, err := load.Source(t.grammar, src, load.Options{})
	return g, err
}

// loadTargets returns the targets' grammars, without their programs.
func loadTargets(ts []target) (cols []column, err error) {
	for _, t := range ts {
		g, err := t.load()
		if err != nil {
			return nil, err
		}
		cols = append(cols, column{name: t.name, g: g})
	}
	return cols, nil
}

func (t target) dataPath() string { return filepath.Join(os.Getenv("GRAMFUZZ_DATA"), t.grammar) }

// program returns the source of a program that reads sentences, each ended by a NUL, from its
// standard input and feeds them to the parser.
func (t target) program() string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"bufio\"\n\t\"os\"\n")
	for _, p := range t.imports {
		if p != "bufio" {
			fmt.Fprintf(&b, "\t%q\n", p)
		}
	}
	b.WriteString(`)

func main() {
	in := bufio.NewReader(os.Stdin)
	for {
		b, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		feed(b[:len(b)-1])
	}
}

// feed survives a parser that panics: that is a finding, not the end.
func feed(b []byte) {
	defer func() { recover() }()
	`)
	b.WriteString(t.call)
	b.WriteString("\n}\n")
	return b.String()
}
