package antlr4

import (
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// noteKind is a kind of ignored construct. Ignoring it may change the language: a parser that ANTLR
// generates takes it into account.
type noteKind uint8

const (
	notePredicate noteKind = iota
	noteAction
	noteNamedAction
	noteArgs
	noteHandler
	noteSuperClass
	noteKinds
)

var noteNames = [noteKinds]string{"predicates", "actions", "named actions", "rules with arguments or results", "exception handlers", "superclasses"}

// notes counts the ignored constructs.
type notes struct {
	count [noteKinds]int
	first [noteKinds]grammar.Pos
}

func (n *notes) add(k noteKind, pos grammar.Pos) {
	if n.count[k] == 0 {
		n.first[k] = pos
	}
	n.count[k]++
}

// merge adds the notes of a later file.
func (n *notes) merge(m notes) {
	for k := range n.count {
		if n.count[k] == 0 {
			n.first[k] = m.first[k]
		}
		n.count[k] += m.count[k]
	}
}

// warning returns the warning that lists the ignored constructs, if there are any.
func (n *notes) warning() grammar.Diagnostics {
	var parts []string
	for k, count := range n.count {
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%s (%d, first at line %d)", noteNames[k], count, n.first[k].Line))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	var pos grammar.Pos
	for k := noteKinds; k > 0; k-- { // the most important kind is named first
		if n.count[k-1] > 0 {
			pos = n.first[k-1]
		}
	}
	return grammar.Diagnostics{{Severity: grammar.Warning, Pos: pos, Code: "ignored",
		Message: "ignored: " + strings.Join(parts, ", "),
		Hint:    "what this code of the target language forbids or allows is not in the grammar"}}
}
