package gramtest

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// The limits of a report.
const (
	mostText  = 4 << 10 // bytes of the sentence
	mostTree  = 40      // lines of the tree
	mostStack = 24      // lines of the stack
)

// report fails the test with a description of a failure.
func (r *runner) report(e *ended) {
	r.tb.Helper()
	var b strings.Builder
	b.WriteString("gramtest: ")
	if e.old != "" {
		fmt.Fprintf(&b, "the sentence of %s still fails\n", e.old)
	} else {
		fmt.Fprintf(&b, "sentence %d of seed %d fails", e.in.index, r.c.draw.Seed)
		if e.calls > 0 {
			fmt.Fprintf(&b, " (shrunk from %d to %d bytes in %d calls)", e.from, len(e.in.text), e.calls)
		}
		b.WriteByte('\n')
	}
	if e.note != "" {
		fmt.Fprintf(&b, "note: %s\n", e.note)
	}
	fmt.Fprintf(&b, "\n%s\n", indent(showText(e.in.text)))
	if e.in.damaged {
		b.WriteString("(damaged: this may be no sentence of the grammar)\n\n")
	}
	f := e.failure
	switch f.kind {
	case kindPanic:
		fmt.Fprintf(&b, "panic: %s (%s)\n%s", f.message, f.typ, indent(firstLines(f.stack, mostStack)))
	case kindDied:
		fmt.Fprintf(&b, "the process died: %s\n%s", f.message, indent(firstLines(f.stack, mostStack)))
	default:
		fmt.Fprintf(&b, "%s\n", f.message)
		if f.frame != "" {
			fmt.Fprintf(&b, "at %s\n", f.frame)
		}
	}
	if f.logs != "" {
		fmt.Fprintf(&b, "log:\n%s", indent(f.logs))
	}
	if t := e.in.tree; t != nil && bytes.Equal(t.AppendText(nil), e.in.text) { // else it is the tree before the damage
		if lines := showTree(t); lines != "" {
			fmt.Fprintf(&b, "tree:\n%s", indent(lines))
		}
	}
	b.WriteString(r.replayLine(e))
	r.tb.Error(b.String())
}

// replayLine returns the instructions to run the failure again.
func (r *runner) replayLine(e *ended) string {
	command := fmt.Sprintf("go test -run '%s'", pattern(r.tb.Name()))
	if e.old != "" {
		return "replay: " + command + "\n"
	}
	if r.c.failures {
		file, err := r.keep(e)
		if err == nil {
			return fmt.Sprintf("replay: %s    # tries %s first\n", command, filepath.ToSlash(file))
		}
		return fmt.Sprintf("replay: %s=%d %s    # the fail file could not be written: %v\n", seedVariable, r.c.draw.Seed, command, err)
	}
	return fmt.Sprintf("replay: %s=%d %s\n", seedVariable, r.c.draw.Seed, command)
}

// pattern returns the argument of -test.run for one test or subtest.
func pattern(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// showText formats a sentence: plain text unchanged, other texts as a Go string.
func showText(text []byte) string {
	if len(text) > mostText {
		return fmt.Sprintf("%q… (%d bytes)", text[:mostText], len(text))
	}
	if plainText(text) {
		return string(text)
	}
	return fmt.Sprintf("%q", text)
}

func plainText(text []byte) bool {
	if !utf8.Valid(text) || len(text) == 0 {
		return false
	}
	for _, c := range string(text) {
		if c != '\n' && (c < ' ' || c > '~') {
			return false
		}
	}
	return text[0] != ' ' && text[len(text)-1] != ' ' && text[len(text)-1] != '\n'
}

func indent(text string) string {
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return ""
	}
	return "\t" + strings.ReplaceAll(text, "\n", "\n\t") + "\n"
}

func firstLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= n {
		return text
	}
	return strings.Join(lines[:n], "") + "…\n"
}

// showTree formats the rules of a tree, one line each, with the text of rules that contain no
// other rules; "" if that is too long.
func showTree(t *derive.Tree) string {
	var b strings.Builder
	var ends []int
	lines := 0
	for i := range t.Nodes() {
		n := &t.Nodes()[i]
		for len(ends) > 0 && ends[len(ends)-1] <= i {
			ends = ends[:len(ends)-1]
		}
		if n.Expr.Op != grammar.Ref || n.Expr.Rule.Inline || n.Expr.Rule.Kind == grammar.Skip {
			continue
		}
		lines++
		if lines > mostTree {
			return ""
		}
		fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", len(ends)), n.Expr.Rule.Name)
		if !holdsRules(t, i) {
			fmt.Fprintf(&b, " %q", t.SubText(i))
		}
		b.WriteByte('\n')
		ends = append(ends, n.End)
	}
	return b.String()
}

func holdsRules(t *derive.Tree, i int) bool {
	for j := i + 1; j < t.Nodes()[i].End; j++ {
		if e := t.Nodes()[j].Expr; e.Op == grammar.Ref && !e.Rule.Inline && e.Rule.Kind != grammar.Skip {
			return true
		}
	}
	return false
}
