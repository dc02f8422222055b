package load

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// other is a notation that is not supported.
type other struct {
	name       string
	extensions []string
	mark       *regexp.Regexp // applied to the text without literals and comments; nil: the extension decides
	do         string         // the way to write such a grammar here
}

const (
	rename = `write rules as in "name = … ;"`
	tokens = ", and @token before the names of tokens"
)

// others returns the unsupported notations. To add one, add a line. A mark must not match any
// file in a supported notation.
var others = sync.OnceValue(func() []other {
	m := func(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?m)` + pattern) }
	return []other{
		{"the source of a grammar for tree-sitter", nil, m(`module\.exports\s*=\s*grammar\s*\(|export\s+default\s+grammar\s*\(`),
			`tree-sitter generate makes src/grammar.json of it, which is read`},
		{"a grammar for Yacc or Bison", []string{".y", ".yy", ".yacc", ".ypp", ".mly"}, m(`^%%\s*$|^%(?:token|start|left|right|nonassoc|union|type)\s`),
			rename + ` without actions` + tokens + `: their texts stand in the scanner, a file of its own`},
		{"a parsing expression grammar (PEG)", []string{".peg", ".pegjs", ".peggy", ".pest"},
			m(`^\s*\pL\w*\s*(?:""\s*)?(?:<-|←)|[^:]=\s*&["\pL(\[.]|(?:=|/|\()\s*!["\pL(\[.]|=\s*[_@$!]\s*\{|=\s*\{[^{}]*~`),
			rename + `, with | for /, and leave & and ! out: alternatives have no order here`},
		{"a grammar for Nearley", []string{".ne"}, m(`^\s*\w+\s*->|^@(?:builtin|lexer|preprocessor)\b`), rename},
		{"an XML schema", []string{".xsd", ".rng"}, m(`<(?:xs|xsd):schema\b|<(?:\w+:)?(?:grammar|element|schema)\s[^>]*xmlns`),
			`it describes documents and not their text; write rules for the text, as in note = "<note>" body "</note>" ;`},
		{"a document type definition (DTD)", []string{".dtd"}, m(`<!(?:ELEMENT|ATTLIST|DOCTYPE)\b`),
			`write rules for the text, as in note = "<note>" body "</note>" ;`},
		{"XML", []string{".xml"}, m(`^<\?xml\b`), rename},
		{"a RELAX NG schema", []string{".rnc"}, m(`^default namespace\s|^start\s*=\s*element\b`), `write rules for the text, as in note = "<note>" body "</note>" ;`},
		{"an ASN.1 module", []string{".asn", ".asn1"}, m(`\bDEFINITIONS\b[^=]*::=\s*BEGIN\b`), `it describes values and not their text; write rules for their text`},
		{"a description of protocol buffers", []string{".proto"}, m(`^\s*syntax\s*=\s*""\s*;|^\s*message\s+\w+\s*\{`), `it describes values and not their text; write rules for their text`},
		{"a grammar for BNFC (LBNF)", []string{".cf"}, m(`^\s*[\w\[\]():]+\s*\.\s+\[?\w+\]?\s*::=`), rename + ` without labels`},
		{"a grammar for JavaCC", []string{".jj", ".jjt"}, m(`\bPARSER_BEGIN\s*\(`), rename + tokens},
		{"a grammar for Coco/R", []string{".atg"}, m(`^COMPILER\s+\w+`), rename + tokens},
		{"a grammar for Xtext", []string{".xtext"}, m(`^grammar\s+[\w.]+\s+(?:with|hidden)\b`), rename + tokens},
		{"a grammar with rules name: …", nil, m(`\A(?:\s*#[^\n]*\n|\s)*[?!]?\w+(?:\.-?\d+)?(?:\{[^}\n]*\})?\s*:(?:[^:=]|\z)`),
			rename + `, or, if it is for ANTLR, begin it with "grammar NAME;"`},
	}
})

// jsonOthers are those in JSON; their marks apply to the whole text.
var jsonOthers = sync.OnceValue(func() []other {
	return []other{
		{"a JSON Schema", nil, regexp.MustCompile(`"\$schema"\s*:\s*"[^"]*json-schema|"(?:properties|items|\$ref|additionalProperties)"\s*:\s*[{"\[]`),
			`it describes values and not their text; the grammar json ships with gramfuzz, and llama.cpp's json_schema_to_grammar.py makes a grammar in GBNF of a schema`},
	}
})

// unread reports a file in an unsupported notation; nil for all others. A file with the
// extension of a supported notation is not reported, except for JSON.
func unread(name string, src []byte) *grammar.Diagnostic {
	ext, text := strings.ToLower(filepath.Ext(name)), ""
	list := others()
	switch found := byExtension(name); {
	case treeSitterMark.Match(src):
		return nil
	case found == "jsong", found == "" && jsonMark.Match(src):
		list, text = jsonOthers(), string(src)
	case found != "":
		return nil
	default:
		text = bare(string(src))
		if larkMark.MatchString(text) {
			return nil
		}
	}
	for _, o := range list {
		if !slices.Contains(o.extensions, ext) && (o.mark == nil || !o.mark.MatchString(text)) {
			continue
		}
		return &grammar.Diagnostic{Severity: grammar.Error, Pos: grammar.Pos{File: name}, Code: "notation",
			Message: fmt.Sprintf("the file is %s, which gramfuzz does not read", o.name), Hint: o.do}
	}
	return nil
}
