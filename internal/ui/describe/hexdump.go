package describe

import (
	"fmt"
	"io"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/field"
)

// dumped is a run of bytes of one rule, or a field.
type dumped struct {
	text  []byte
	rule  string
	depth int
	field string // its annotation and value; "" for other bytes
}

// dumpWidth is the number of bytes on a line of a hexdump.
const dumpWidth = 16

// Hexdump writes the text of a tree in hexadecimal digits. Each line has its offset, the rule of
// its bytes, and fields by name with their value.
func Hexdump(w io.Writer, t *derive.Tree) error {
	text := []byte(t.Text())
	var runs []dumped
	var rules []int // open nodes
	names := []string{""}
	var moved []int // nodes whose texts are further right
	at := 0
	nodes, fields := t.Nodes(), t.Fields()
	pad := func() { // bytes outside of all nodes
		for len(fields) > 0 && fields[0].Field.Encoding == (field.Encoding{}) && fields[0].From == at {
			at = fields[0].To
			runs = append(runs, dumped{text: text[fields[0].From:at], field: "@" + fields[0].Field.Name})
			fields = fields[1:]
		}
	}
	encoded := map[*grammar.Expr]bool{} // expressions inside of encoded parts
	for _, e := range t.Grammar.Exprs {
		if e.Resize.Encodes() {
			e.Walk(func(k *grammar.Expr) { encoded[k] = true })
		}
	}
	leaf := func(n *derive.Node) {
		size := len(n.AppendText(nil))
		if size > 0 {
			pad()
		}
		if n.Expr.Field != nil {
			size = fields[0].To - fields[0].From
			fields = fields[1:]
		}
		d := dumped{text: text[at : at+size], rule: names[len(names)-1], depth: len(rules)}
		at += size
		if f := n.Expr.Field; f != nil {
			d.field = "@" + f.Name
			if v, ok := f.Encoding.Value(string(d.text[len(f.Lead) : size-len(f.Trail)])); ok {
				d.field += fmt.Sprintf(" = %d", v)
			}
		}
		last := len(runs) - 1
		switch {
		case size == 0:
		case last >= 0 && d.field == "" && runs[last].field == "" && runs[last].rule == d.rule && runs[last].depth == d.depth:
			runs[last].text = text[at-size-len(runs[last].text) : at]
		default:
			runs = append(runs, d)
		}
	}
	var walk func(from, to int)
	walk = func(from, to int) {
		for i := from; i < to; i++ {
			n := &nodes[i]
			for len(rules) > 0 && nodes[rules[len(rules)-1]].End <= i {
				rules, names = rules[:len(rules)-1], names[:len(names)-1]
			}
			switch r := n.Expr.Resize; {
			case encoded[n.Expr]:
				i = n.End - 1
			case r != nil && r.Move != 0:
				moved = append(moved, i)
				i = n.End - 1
			case n.Expr.Op == grammar.Ref && !n.Name:
				rules, names = append(rules, i), append(names, n.Expr.Name)
			default:
				for k, x := range moved {
					if x > rules[len(rules)-1] && nodes[x].Expr.Resize.Move == n.Expr.Part {
						moved[k] = -1
						walk(x+1, nodes[x].End)
					}
				}
				leaf(n)
			}
		}
	}
	walk(0, len(nodes))
	pad()
	at = 0
	for _, d := range runs {
		label := strings.TrimSpace(d.rule + " " + d.field)
		for rest := d.text; len(rest) > 0; {
			n := min(dumpWidth, len(rest))
			line := fmt.Sprintf("%08x  %-*s  %-*s", at, 3*dumpWidth-1, fmt.Sprintf("% x", rest[:n]), dumpWidth, ascii(rest[:n]))
			if _, err := fmt.Fprintln(w, line+"  "+label); err != nil {
				return err
			}
			at, rest, label = at+n, rest[n:], "…"
		}
	}
	return nil
}

// ascii returns bytes as ASCII characters, a dot for those that do not print.
func ascii(b []byte) string {
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = c
		if c < ' ' || c > '~' {
			out[i] = '.'
		}
	}
	return string(out)
}
