// Package treesitter reads grammars as tree-sitter's command line writes them, src/grammar.json.
//
//	{"name": "sums", "word": "name", "rules": {
//	  "sum":  {"type": "SEQ", "members": [{"type": "SYMBOL", "name": "name"}, …]},
//	  "name": {"type": "PATTERN", "value": "[a-z]+"}}}
//
// How it becomes a grammar:
//
//   - The first rule is the start. A rule that is one STRING, PATTERN, TOKEN or
//     IMMEDIATE_TOKEN is a token; others that stand in rules are tokens without a name of
//     their own, but for strings, which are literals.
//   - Only the tokens that can come next compete (grammar.Grammar.ContextLexing), those
//     of a higher precedence first. No layout stands before an IMMEDIATE_TOKEN.
//   - extras are layout. One that is no token is not generated.
//   - The strings that look like words are taken out of the token that word names, and
//     nothing is written so that it would be read as a longer word.
//   - A repeated choice has no two tokens side by side that would be read as one:
//     ([^"]+ | escape)* is written so.
//   - externals without a rule, which code reads, are undefined rules: a warning says
//     which rules need each, and a companion file can define them. Where newline, indent and
//     dedent are among them, they are indentation, and an indent ends its line, too.
//   - Precedences are kept, as annotations @prec and @prefer; those with names get numbers by
//     the lists of precedences. Fields, aliases and supertypes change the tree only.
//     Conflicts and reserved words are counted in a note.
//   - A file that names no schema is of a version of tree-sitter in which \s has neither
//     vertical tabs nor form feeds.
package treesitter
