package treesitter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// node is a part of a rule in the form of grammar.json.
type node struct {
	Type    string  `json:"type"`
	Name    string  `json:"name,omitempty"`
	Value   any     `json:"value,omitempty"`
	Members []*node `json:"members,omitempty"`
	Content *node   `json:"content,omitempty"`
}

type namedRule struct {
	name string
	body *node
}

var blank = &node{Type: "BLANK"}

func symbol(name string) *node { return &node{Type: "SYMBOL", Name: name} }

func symbols(names []string) []*node {
	out := make([]*node, len(names))
	for i, n := range names {
		out[i] = symbol(n)
	}
	return out
}

func optional(n *node) *node { return many("CHOICE", n, blank) }

// many returns a sequence or a choice of parts. It returns a single part unchanged.
func many(kind string, parts ...*node) *node {
	switch {
	case len(parts) == 0:
		return blank
	case len(parts) == 1:
		return parts[0]
	}
	return &node{Type: kind, Members: parts}
}

// inJSON writes a value on one line.
func inJSON(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil { // never happens for strings, numbers and lists of these
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

// js writes a node in the form of grammar.js.
func (n *node) js() string {
	switch n.Type {
	case "STRING":
		return quote(n.Value.(string))
	case "PATTERN":
		flags := ""
		if strings.Contains(n.Value.(string), `\u{`) {
			flags = "u" // with this flag it is one character
		}
		return "/" + n.Value.(string) + "/" + flags
	case "SYMBOL":
		return "$." + n.Name
	case "BLANK":
		return "blank()"
	case "SEQ", "CHOICE":
		parts := make([]string, len(n.Members))
		for i, m := range n.Members {
			parts[i] = m.js()
		}
		if n.Type == "CHOICE" && len(parts) == 2 && n.Members[1] == blank {
			return "optional(" + parts[0] + ")"
		}
		return strings.ToLower(n.Type) + "(" + strings.Join(parts, ", ") + ")"
	}
	head := map[string]string{
		"REPEAT": "repeat", "REPEAT1": "repeat1", "TOKEN": "token", "IMMEDIATE_TOKEN": "token.immediate",
		"PREC": "prec", "PREC_LEFT": "prec.left", "PREC_RIGHT": "prec.right", "PREC_DYNAMIC": "prec.dynamic",
	}[n.Type]
	if n.Value != nil {
		return fmt.Sprintf("%s(%d, %s)", head, n.Value, n.Content.js())
	}
	return head + "(" + n.Content.js() + ")"
}

// quote writes a text as a JavaScript string.
func quote(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteString(escapes.Char(r, `'\`))
	}
	return "'" + b.String() + "'"
}

// escapes has the escapes of JavaScript's strings and regular expressions.
var escapes = notation.Escapes{Control: `\x%02x`, Short: `\u%04x`, Long: `\u{%x}`}
