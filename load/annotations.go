package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/load/internal/computed"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// annotations maps the annotations known to package context to other names in use for them.
var annotations = map[string][]string{
	"bind":    {"capture", "keep", "remember"},
	"commit":  {"export", "publish", "visible"},
	"default": nil,
	"prec":    {"assoc", "left", "precedence", "priority", "right"},
	"prefer":  {"dynamic"},
	"define":  {"declare", "decl", "def", "definition", "let"},
	"forward": {"hoist", "later"},
	"fresh":   {"new", "unique", "distinct"},
	"same":    {"again", "backref", "equal", "repeat"},
	"shadow":  {"hide", "redefine"},
	"scope":   {"block", "local", "env"},
	"use":     {"lookup", "read", "ref", "refer", "reference"},
}

// kinds are the marks that may precede the name of a rule.
var kinds = []string{"command", "fragment", "indent", "mode", "skip", "token"}

// unknownAnnotations reports annotations without a meaning: their author expects an effect that
// they do not have.
func unknownAnnotations(g *syntax.Grammar, more []string) (ds grammar.Diagnostics) {
	fields := computed.Annotations()
	check := func(as []grammar.Annotation) {
		for _, a := range as {
			if _, known := annotations[a.Name]; !known && !slices.Contains(more, a.Name) && !slices.Contains(fields, a.Name) {
				ds = append(ds, grammar.Diagnostic{Severity: grammar.Error, Pos: a.Pos, Code: "annotation",
					Message: fmt.Sprintf("unknown annotation @%s", a.Name), Hint: meant(a.Name, more)})
			}
			if what, do := preference(a); what != "" && !slices.Contains(more, a.Name) {
				ds = append(ds, grammar.Diagnostic{Severity: grammar.Error, Pos: a.Pos, Code: "annotation", Message: what, Hint: do})
			}
		}
	}
	for _, r := range g.Rules {
		check(r.Annotations)
		r.Body.Walk(func(e *syntax.Expr) { check(e.Annotations) })
	}
	return ds
}

// preference returns the problem with a precedence and its remedy.
func preference(a grammar.Annotation) (what, do string) {
	most := map[string]int{"prec": 2, "prefer": 1}[a.Name]
	if most == 0 {
		return "", ""
	}
	ok := len(a.Args) > 0 && len(a.Args) <= most
	if ok {
		_, err := strconv.Atoi(a.Args[0])
		ok = err == nil && (len(a.Args) == 1 || a.Args[1] == "left" || a.Args[1] == "right")
	}
	switch {
	case ok:
		return "", ""
	case most == 1:
		return "@prefer takes a whole number", "write it as in @prefer(1)"
	}
	return "@prec takes a whole number, and left or right", "write it as in @prec(1, left)"
}

// meant returns the annotation that was probably meant.
func meant(name string, more []string) string {
	if slices.Contains(kinds, name) {
		return fmt.Sprintf("write @%s before the name of the rule that it is about", name)
	}
	names := slices.Clone(more)
	for known, others := range annotations {
		if slices.Contains(others, strings.ToLower(name)) {
			return fmt.Sprintf("did you mean @%s?", known)
		}
		names = append(names, known)
	}
	slices.Sort(names)
	if near := words.Nearest(name, append(computed.Annotations(), names...)); near != "" {
		return fmt.Sprintf("did you mean @%s?", near)
	}
	return "there are @" + strings.Join(names, ", @") + ", and @len and others for computed fields"
}
