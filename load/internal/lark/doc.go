// Package lark reads grammars for Lark.
//
//	read, ds := lark.Parse("calc.lark", src)                         // one source alone
//	read, ds := lark.Load(os.DirFS("grammars"), "calc.lark", "grammars") // with what it imports
//
// How a file becomes a grammar:
//
//   - The start is the rule start, or the first one. All rules of the file are kept, of
//     imported ones those that are needed, under the names that Lark gives them.
//   - Terminals that rules or %ignore use are tokens; others are parts of tokens. A terminal
//     is one regular expression, as in Lark, in which loops that take little and looks
//     ahead and behind become differences (package regexps).
//   - Only the tokens that can come next compete, as with Lark's contextual lexer, those of
//     a higher priority first; of equal ones the longest match, strings, and then the
//     longest pattern.
//   - A use of a template is a rule of its own, called template{arguments}.
//   - %import finds common, unicode and the terminals of python without a file, all else
//     beside the grammar. %declare makes undefined rules, which a companion can define; but
//     …INDENT and …DEDENT are indentation where a terminal …NEWLINE or …NL ends lines.
//   - ?, !, _ and aliases change the tree only; aliases are labels. Priorities of rules
//     choose among trees and are counted in a note.
package lark
