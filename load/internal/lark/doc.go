// Package lark reads and prints grammars for Lark, a Python parsing library.
//
//	read, ds := lark.Parse("calc.lark", src)                         // one source alone
//	read, ds := lark.Load(os.DirFS("grammars"), "calc.lark", "grammars") // with its imports
//
// How a file becomes a grammar:
//
//   - The start is the rule named start, or else the first rule. All rules of the file are
//     kept. Imported rules are kept only if needed, under the names that Lark gives them.
//   - Terminals used by rules or by %ignore are tokens. Others are parts of tokens. As in
//     Lark, a terminal is one regular expression. Its lazy loops, lookaheads and lookbehinds
//     become differences (package regexps).
//   - As with Lark's contextual lexer, only the tokens that can come next compete. The
//     highest priority wins, then the longest match, then strings, then the longest pattern.
//   - Each use of a template with the same arguments is one rule, template{arguments}.
//   - %import finds common, unicode and the terminals of python without a file, and all
//     other files beside the grammar. %declare makes undefined rules, which a companion can
//     define. But declared names …INDENT and …DEDENT are indentation if a terminal …NEWLINE
//     or …NL ends lines.
//   - ?, !, _ and aliases only change the tree. Aliases are kept as labels. Priorities of
//     rules only choose among trees; a note gives their number.
package lark
