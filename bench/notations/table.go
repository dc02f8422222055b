package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// least is the required share of the reachable alternatives, in percent.
const least = 95

// why gives the reason for each file that does not load unchanged.
var why = map[string]string{
	"gallina3.gbnf":           "brackets do not match, `\\&` is no escape, nearly all that it refers to is missing",
	"json.gbnf":               "a comment swallows a closing bracket",
	"json_arr.gbnf":           "a closing bracket is missing",
	"declaresub-rfc3987.abnf": "needs rules of RFC 3986",
	"declaresub-rfc5987.abnf": "needs rules of RFC 2616",
	"declaresub-rfc6266.abnf": "needs rules of RFC 7230",
	"declaresub-rfc6797.abnf": "needs rules of RFC 7230",
	"declaresub-rfc7235.abnf": "needs rules of RFC 7230",
	"declaresub-rfc7240.abnf": "needs rules of RFC 7230",
	"declaresub-rfc7489.abnf": "needs rules of RFC 5322",
	"nradov-rfc7950.abnf":     "what its start needs is said in prose",
	"ddset-grep.json":         "a list of what may be empty: a text has infinitely many derivations",
	"XmlXl.ebnf":              "its lexer is in no file",
	"vscode-EBNF.ebnf":        "what its start needs is said in prose",
	"vscode-issue15.ebnf":     "a semicolon in the middle of a rule",
	"vscode-issue21.ebnf":     "an excerpt: letters and digits are missing",
	"vscode-issue9.ebnf":      "an excerpt: one rule, and none that it refers to",
}

// print writes the tables.
func print(w io.Writer, all []*row, o options) {
	summary(w, all)
	fmt.Fprint(w, "\n### Files that do not load as they are\n\n| file | what is broken or missing there | the message | with a companion |\n|---|---|---|---|\n")
	for _, r := range all {
		if r.alone == "" {
			continue
		}
		cause, more := why[r.name], "loads"
		if cause == "" {
			cause = "**unknown**"
		}
		if r.broken != "" {
			more = "–"
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", r.name, cause, cell(r.alone), more)
	}
	fmt.Fprint(w, "\n### Files that load\n\n| file | notation | rules | sizes | sentences | alternatives | parse back | remarks |\n|---|---|--:|--:|--:|--:|--:|---|\n")
	for _, r := range all {
		if r.broken != "" {
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %d | %s | %d | %s | %s | %s |\n", r.name, r.notation, r.rules, r.span(), r.sentences,
			share(r.reached.Reached, r.reached.Total), share(r.parsed, r.asked), cell(r.remark(o)))
	}
}

// summary writes a line for each notation.
func summary(w io.Writer, all []*row) {
	fmt.Fprintf(w, "| notation | files | load | with a companion | generate | ≥ %d %% of alternatives | all parse back |\n|---|--:|--:|--:|--:|--:|--:|\n", least)
	for _, f := range folders {
		line(w, all, f.notation, func(r *row) bool { return r.notation == f.notation })
	}
	line(w, all, "all", func(*row) bool { return true })
}

func line(w io.Writer, all []*row, name string, has func(*row) bool) {
	var files, load, helped, generate, covered, back int
	for _, r := range all {
		if !has(r) {
			continue
		}
		files++
		if r.alone == "" {
			load++
		}
		if r.broken != "" {
			continue
		}
		helped++
		if r.sentences > 0 {
			generate++
		}
		if r.covered() {
			covered++
		}
		if r.asked > 0 && r.parsed == r.asked {
			back++
		}
	}
	fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d |\n", name, files, load, helped, generate, covered, back)
}

// covered reports whether enough of the alternatives occur.
func (r *row) covered() bool {
	return r.sentences > 0 && r.reached.Reached*100 >= r.reached.Total*least
}

// remark describes the failures of a file.
func (r *row) remark(o options) string {
	var parts []string
	if r.companion {
		parts = append(parts, "with a companion")
	}
	if r.start != "" {
		parts = append(parts, "start "+r.start)
	}
	if n := len(r.bands); n > 0 && r.bands[n-1][1] < o.min {
		parts = append(parts, fmt.Sprintf("no sentence has %d or more terminals", o.min))
	}
	switch {
	case r.failed != nil || r.exact == len(r.bands):
	case r.exact == 0:
		parts = append(parts, "no time for uniform sentences, all by walks")
	default:
		parts = append(parts, fmt.Sprintf("uniform up to size %d within the time, beyond by walks", r.bands[r.exact-1][1]))
	}
	if r.short > 0 {
		parts = append(parts, fmt.Sprintf("%d of the sentences made for an alternative each", r.short))
	}
	if r.sentences > 0 && !r.covered() {
		var missing []string
		for _, it := range r.reached.Items {
			if it.Count == 0 && len(missing) < 3 && !slices.Contains(missing, it.Rule) {
				missing = append(missing, it.Rule)
			}
		}
		parts = append(parts, fmt.Sprintf("%d do not occur, some in %s", r.reached.Total-r.reached.Reached, strings.Join(missing, ", ")))
	}
	if r.failed != nil {
		parts = append(parts, r.failed.Error())
	}
	return strings.Join(parts, "; ")
}

// span returns the least and the greatest of the sizes that occur.
func (r *row) span() string {
	if r.sentences == 0 {
		return "–"
	}
	return fmt.Sprintf("%d–%d", r.least, r.most)
}

func share(part, of int) string {
	if of == 0 {
		return "–"
	}
	if part == of {
		return fmt.Sprintf("all %d", of)
	}
	return fmt.Sprintf("%d of %d", part, of)
}

// cell makes text fit into a cell of a table.
func cell(text string) string {
	text = strings.NewReplacer("\n", " ", "|", "\\|", "<", "&lt;").Replace(text)
	if r := []rune(text); len(r) > 160 {
		return string(r[:157]) + "…"
	}
	return text
}
