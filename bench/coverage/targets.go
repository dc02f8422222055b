package main

import (
	"embed"
	"fmt"
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
	grammar string   // a shipped grammar, or a file of testdata
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
}

// load returns the frozen grammar of a target.
func (t target) load() (*grammar.Grammar, error) {
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

// program returns the source of the program that feeds the parser sentences,
// each ended by a NUL, from its standard input.
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
